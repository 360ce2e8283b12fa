defmodule Nx.Vulkan.Error do
  @moduledoc """
  What every failure of the runtime raises.

  `code` is one of `:invalid_argument`, `:unsupported`, `:out_of_memory`, `:device_lost`, `:timeout` and `:internal`. The
  message begins with the kernel's key or the function in brackets: `"[map2.add.f64.dense] device lacks float64"`.
  """

  defexception [:code, :message]

  @type code :: :invalid_argument | :unsupported | :out_of_memory | :device_lost | :timeout | :internal
  @type t :: %__MODULE__{code: code, message: String.t()}
end
