defmodule Nx.Vulkan.Type do
  @moduledoc false
  # Element types: Nx writes {:f, 32}, the runtime :f32.

  @types [
    u2: {:u, 2},
    u4: {:u, 4},
    u8: {:u, 8},
    u16: {:u, 16},
    u32: {:u, 32},
    u64: {:u, 64},
    s2: {:s, 2},
    s4: {:s, 4},
    s8: {:s, 8},
    s16: {:s, 16},
    s32: {:s, 32},
    s64: {:s, 64},
    f8: {:f, 8},
    f8_e4m3fn: {:f8_e4m3fn, 8},
    bf16: {:bf, 16},
    f16: {:f, 16},
    f32: {:f, 32},
    f64: {:f, 64},
    c64: {:c, 64},
    c128: {:c, 128}
  ]

  @type name :: atom
  @type t :: {atom, pos_integer}

  @doc "The runtime's name of a type that Nx writes as a tuple; names pass."
  @spec name(t | name) :: name
  def name(type)
  for {name, type} <- @types, do: def(name(unquote(type)), do: unquote(name))
  for {name, _} <- @types, do: def(name(unquote(name)), do: unquote(name))

  def name(other) do
    raise Nx.Vulkan.Error, code: :invalid_argument, message: "[type] no type is called #{inspect(other)}"
  end

  @doc "The tuple that Nx writes for a name."
  @spec tuple(name) :: t
  def tuple(name)
  for {name, type} <- @types, do: def(tuple(unquote(name)), do: unquote(type))

  @doc "Bits of one element."
  @spec bits(name) :: pos_integer
  def bits(name), do: name |> tuple() |> elem(1)

  @doc "Bytes of a tensor, the last one filled up where elements are narrower than a byte."
  @spec bytes(name, tuple) :: pos_integer
  def bytes(name, shape), do: div(bits(name) * size(shape) + 7, 8)

  @doc "How many elements a shape has."
  @spec size(tuple) :: pos_integer
  def size({}), do: 1
  def size({n}), do: n
  def size({n, m}), do: n * m
  def size(shape), do: Tuple.product(shape)
end
