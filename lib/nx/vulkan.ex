defmodule Nx.Vulkan do
  @moduledoc """
  Nx on Vulkan, with kernels compiled ahead of time.

      Nx.default_backend(Nx.Vulkan.Backend)
      Nx.add(Nx.tensor([1.0, 2.0, 3.0]), Nx.tensor([4.0, 5.0, 6.0]))

  Nothing has to be started: a device is opened when it is first used. Without options that is the one that the
  environment variable `NXV_DEVICE` names, else the first discrete, integrated or CPU device. `device:` takes an index, a
  name or a part of one, or a UUID, here and among the options of the backend:

      Nx.default_backend({Nx.Vulkan.Backend, device: 1})

  `op/3` reaches every operation of the catalog by its name, with tensors of Nx or, where Nx isn't there, with
  `Nx.Vulkan.Buffer`:

      iex> a = Nx.Vulkan.Buffer.from_binary(<<1::32-native, 2::32-native>>, :s32, {2})
      iex> Nx.Vulkan.op(:add, [a, 40]) |> Nx.Vulkan.Buffer.to_binary()
      <<41::32-native, 42::32-native>>

  Failures raise `Nx.Vulkan.Error`.

  ## Configuration

    * `config :nx_vulkan, memory_limit: bytes` - the most that a device's tensors may take, 0 for no limit
    * `config :nx_vulkan, read_timeout: milliseconds` - how long a read may wait, `:infinity` unless given
  """

  alias Nx.Vulkan.{Buffer, Catalog, Device, Error, Native, Runtime, Type}

  @compile {:no_warn_undefined, Nx.Vulkan.Backend}

  @type select :: nil | non_neg_integer | String.t()
  @type operand :: Buffer.t() | number | struct
  @type attribute :: integer | float | boolean | atom | [integer]

  @doc """
  Opens the default device. Optional, and harmless when repeated: the first use of a device does the same.

      iex> Nx.Vulkan.init()
      :ok
  """
  @spec init :: :ok
  def init do
    Device.open()
    :ok
  end

  @doc """
  The name of a device, as its driver gives it.

      iex> is_binary(Nx.Vulkan.device_name())
      true
  """
  @spec device_name(keyword) :: String.t()
  def device_name(opts \\ []), do: info(opts).name

  @doc """
  Whether a device computes with 64-bit floats.

      iex> is_boolean(Nx.Vulkan.has_f64?())
      true
  """
  @spec has_f64?(keyword) :: boolean
  def has_f64?(opts \\ []), do: :float64 in info(opts).features

  @doc """
  All devices of all drivers, usable or not.

      iex> Enum.any?(Nx.Vulkan.devices(), & &1.usable)
      true
  """
  @spec devices :: [map]
  def devices, do: Runtime.check(nil, Runtime.await(&Native.device_list/1))

  @doc """
  Bytes in use, reserved from the driver, at most so far, allowed, and in use by each process (`owners`).

      iex> Nx.Vulkan.memory_info().used >= 0
      true
  """
  @spec memory_info(keyword) :: map
  def memory_info(opts \\ []) do
    device = Device.open(opts[:device])
    Runtime.check(device, Native.device_memory(device))
  end

  @doc """
  Runs an operation of the catalog on tensors of Nx, buffers and numbers.

  Types and shapes of the results are those that Nx would give. Several results come as a tuple.
  """
  @spec op(atom, [operand], [{atom, attribute}]) :: Buffer.t() | struct | tuple
  def op(name, operands, attrs \\ []) when is_atom(name) and is_list(operands) do
    if Enum.any?(operands, &is_struct(&1, Nx.Tensor)) do
      Nx.Vulkan.Backend.op(name, operands, attrs)
    else
      device = Enum.find_value(operands, &buffer_device/1) || Device.open(attrs[:device])
      attrs = Keyword.delete(attrs, :device)

      device
      |> Runtime.op(known(name), Enum.map(operands, &operand/1), attrs)
      |> Enum.map(fn {ref, type, shape} -> %Buffer{ref: ref, device: device, type: type, shape: shape} end)
      |> unwrap()
    end
  end

  @doc false
  def known(name) do
    if Catalog.op(name) do
      name
    else
      raise Error, code: :invalid_argument, message: "[#{name}] the catalog has no such operation"
    end
  end

  @doc false
  def unwrap([one]), do: one
  def unwrap(several), do: List.to_tuple(several)

  defp info(opts), do: opts[:device] |> Device.open() |> Device.info()

  defp buffer_device(%Buffer{device: device}), do: device
  defp buffer_device(_), do: nil

  defp operand(%Buffer{ref: ref, type: type, shape: shape}), do: {ref, Type.name(type), shape}
  defp operand(number) when is_integer(number), do: {number, :s32, {}}
  defp operand(number) when is_float(number), do: {number, :f32, {}}

  defp operand(other) do
    raise ArgumentError, "an operand is a tensor, a buffer or a number, got: #{inspect(other)}"
  end
end
