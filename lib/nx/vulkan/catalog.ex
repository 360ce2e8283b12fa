defmodule Nx.Vulkan.Catalog do
  @moduledoc """
  The operations and element types of the kernel pack, as `generated/catalog.exs` lists them.

      iex> Nx.Vulkan.Catalog.op(:add).family
      :map2
  """

  @path Path.expand("../../../generated/catalog.exs", __DIR__)
  @external_resource @path
  {catalog, _} = Code.eval_file(@path)
  @ops catalog.ops
  @types for {name, _kind, _bits} <- catalog.types, do: name

  @type op :: %{
          name: atom,
          family: atom,
          inputs: non_neg_integer,
          nx: atom | nil,
          types: [String.t()],
          doc: String.t()
        }

  @doc "All operations. `nx` is the callback of `Nx.Backend` that one serves, or nil."
  @spec ops :: [op]
  def ops, do: @ops

  @doc "The operation of that name, or nil."
  @spec op(atom) :: op | nil
  def op(name)
  for op <- @ops, do: def(op(unquote(op.name)), do: unquote(Macro.escape(op)))
  def op(_), do: nil

  @doc "The element types that kernels know."
  @spec types :: [atom]
  def types, do: @types
end
