defmodule Nx.Vulkan.Buffer do
  @moduledoc """
  A tensor in device memory, for programs without Nx.

  `Nx.Vulkan.op/3` takes and gives these where it isn't given tensors of Nx.

      iex> a = Nx.Vulkan.Buffer.from_binary(<<1.0::float-32-native, 2.0::float-32-native>>, :f32, {2})
      iex> b = Nx.Vulkan.op(:add, [a, a])
      iex> b.shape
      {2}
      iex> <<x::float-32-native, y::float-32-native>> = Nx.Vulkan.Buffer.to_binary(b)
      iex> {x, y}
      {2.0, 4.0}
  """

  alias Nx.Vulkan.{Device, Error, Native, Runtime, Type}

  @enforce_keys [:ref, :device, :type, :shape]
  defstruct [:ref, :device, :type, :shape]

  @type t :: %__MODULE__{ref: reference, device: reference, type: atom, shape: tuple}

  @doc "Copies the elements in `binary`, row-major and in native byte order, to a device (`device:`, see `Nx.Vulkan`)."
  @spec from_binary(binary, atom, tuple, keyword) :: t
  def from_binary(binary, type, shape, opts \\ []) do
    expected = Type.bytes(type, shape)

    if byte_size(binary) != expected do
      raise Error,
        code: :invalid_argument,
        message: "[from_binary] #{type} of shape #{inspect(shape)} has #{expected} bytes, got #{byte_size(binary)}"
    end

    device = Device.open(opts[:device])
    %__MODULE__{ref: Runtime.upload(device, binary), device: device, type: type, shape: shape}
  end

  @doc "Reads the elements back."
  @spec to_binary(t) :: binary
  def to_binary(%__MODULE__{} = buffer) do
    Runtime.read(buffer.device, buffer.ref, 0, Type.bytes(buffer.type, buffer.shape))
  end

  @doc "Gives the memory back now; using the buffer afterwards raises."
  @spec deallocate(t) :: :ok | :already_deallocated
  def deallocate(%__MODULE__{ref: ref}), do: Native.release(ref)
end
