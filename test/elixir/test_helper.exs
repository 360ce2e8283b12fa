# Tests that need Nx are in files of the folder nx/, which are loaded where Nx is.
ExUnit.start(exclude: if(Code.ensure_loaded?(Nx), do: [], else: [:nx]))
