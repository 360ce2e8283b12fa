defmodule Nx.Vulkan.Backend.Operand do
  @moduledoc false
  # Operands as the runtime takes them. A tensor may be ours in device memory, ours and lazy, or on Nx.BinaryBackend; a
  # number may stay on the host, anything else goes to the device.

  alias Nx.Tensor, as: T
  alias Nx.Vulkan.Backend, as: B
  alias Nx.Vulkan.{Catalog, Device, Error, Runtime, Type}

  @doc "The device of the first operand that is in device memory, else what a lazy one or the process asks for."
  def device(tensors, select) do
    Enum.find_value(tensors, &memory_device/1) ||
      Device.open(select || Enum.find_value(tensors, &wanted_device/1) || default_opts()[:device])
  end

  defp memory_device(%T{data: %B{ref: ref, device: device}}) when ref != nil, do: device
  defp memory_device(_), do: nil

  defp wanted_device(%T{data: %B{ref: nil, device: select}}), do: select
  defp wanted_device(_), do: nil

  @doc "The options of the process's default backend, where that is ours."
  def default_opts do
    case Nx.default_backend() do
      {B, opts} -> opts
      _ -> []
    end
  end

  @doc """
  `{buffer | number | bits, type, shape}`.

  A `:number` is sent along with the call where the host knows it, and has no shape then: it counts for every element. A
  `:tensor` is brought into device memory.
  """
  def encode(kind, operand, device)

  def encode(_kind, %T{data: %B{ref: ref}, type: type, shape: shape}, _device) when ref != nil do
    {ref, Type.name(type), shape}
  end

  def encode(:number, number, _device) when is_integer(number), do: {number, :s64, {}}

  def encode(:number, %T{data: %B{value: value}, type: {kind, size} = type} = t, device) do
    case inline(value, kind, size) do
      nil -> encode(:tensor, t, device)
      number -> {number, Type.name(type), {}}
    end
  end

  def encode(:number, %T{type: {kind, size} = type} = t, device) when kind != :c and size >= 8 do
    if Nx.size(t) == 1, do: {bits(t), Type.name(type), {}}, else: encode(:tensor, t, device)
  end

  def encode(_kind, t, device) do
    %T{data: %B{ref: ref}, type: type, shape: shape} = in_memory(t, device)
    {ref, Type.name(type), shape}
  end

  defp inline(%Complex{}, _kind, _size), do: nil
  defp inline(number, kind, size) when is_integer(number) and kind in [:s, :u], do: wrap(number, kind, size)
  defp inline(number, _kind, _size) when is_number(number) or is_atom(number) or is_binary(number), do: number
  defp inline(_bits, _kind, _size), do: nil

  defp wrap(number, :u, size) do
    <<wrapped::size(size)-unsigned>> = <<number::size(size)>>
    wrapped
  end

  defp wrap(number, :s, size) do
    <<wrapped::size(size)-signed>> = <<number::size(size)>>
    wrapped
  end

  @doc "An integer that the host knows, or nil."
  def integer(number) when is_integer(number), do: number
  def integer(%T{data: %B{ref: nil, value: number}}) when is_integer(number), do: number

  def integer(%T{data: %B{ref: nil}, type: {kind, size}} = t) when kind in [:s, :u] do
    decode(binary(t, 1), kind, size)
  end

  def integer(%T{data: %B{}}), do: nil
  def integer(%T{type: {kind, size}} = t) when kind in [:s, :u], do: decode(bits(t), kind, size)
  def integer(_), do: nil

  defp decode(bits, :s, size) do
    <<number::size(size)-signed-native>> = bits
    number
  end

  defp decode(bits, :u, size) do
    <<number::size(size)-unsigned-native>> = bits
    number
  end

  @doc "The tensor in device memory."
  def in_memory(t), do: in_memory(t, device([t], nil))

  def in_memory(%T{data: %B{ref: ref}} = t, _device) when ref != nil, do: t

  def in_memory(%T{data: %B{value: value}, type: type, shape: shape} = t, device) do
    {kind, size} = type
    name = Type.name(type)
    number = inline(value, kind, size)

    if number != nil and name in Catalog.types() do
      [ref] = Runtime.op(device, :constant, [{name, shape}], [{number, name, {}}], [])
      %{t | data: %B{ref: ref, device: device}}
    else
      upload(t, binary(t, Nx.size(t)), device)
    end
  end

  def in_memory(%T{} = t, device), do: upload(t, bits(t), device)

  @doc "A tensor of these bytes in device memory."
  def upload(out, bits, device) do
    expected = Nx.size(out) * elem(out.type, 1)

    if bit_size(bits) != expected do
      raise Error,
        code: :invalid_argument,
        message:
          "[from_binary] #{Type.name(out.type)} of shape #{inspect(out.shape)} has #{expected} bits, " <>
            "got #{bit_size(bits)}"
    end

    %{out | data: %B{ref: Runtime.upload(device, filled_up(bits)), device: device}}
  end

  # Elements narrower than a byte need not fill the last one.
  defp filled_up(bytes) when is_binary(bytes), do: bytes
  defp filled_up(bits), do: <<bits::bitstring, 0::size(8 - rem(bit_size(bits), 8))>>

  @doc "The first elements of a lazy tensor, in any type."
  def binary(%T{data: %B{value: bits}}, count) when is_bitstring(bits), do: :binary.copy(bits, count)

  def binary(%T{data: %B{value: number}} = t, count) do
    %{t | shape: {count}, names: [nil]} |> Nx.BinaryBackend.constant(number, []) |> Nx.BinaryBackend.to_binary(count)
  end

  defp bits(%T{data: %backend{}} = t), do: backend.to_binary(t, Nx.size(t))
end
