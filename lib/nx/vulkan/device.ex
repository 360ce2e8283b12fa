defmodule Nx.Vulkan.Device do
  @moduledoc false
  # Open devices by what they were asked for. One is opened at first use, once however many processes ask at the same
  # time; later look-ups read a persistent term.

  alias Nx.Vulkan.{Native, Runtime}

  @doc """
  The open device that `select` names: an index, a name or a part of one, a UUID; nil is the default.

  A reference to an open device passes.
  """
  def open(select \\ nil)
  def open(device) when is_reference(device), do: device

  def open(select) do
    case :persistent_term.get({__MODULE__, select}, nil) do
      nil -> open_new(select)
      device -> device
    end
  end

  defp open_new(select) do
    limit = Application.get_env(:nx_vulkan, :memory_limit, 0)
    text = text(select)
    device = Runtime.check(nil, Runtime.await(&Native.device_open(text, limit, &1)))
    :persistent_term.put({__MODULE__, select}, device)
    device
  end

  @doc "Lets the next use open the device anew."
  def forget(device) do
    for {{__MODULE__, _} = key, ^device} <- :persistent_term.get(), do: :persistent_term.erase(key)
    Native.device_forget(device)
    :ok
  end

  @doc "What is known of an open device."
  def info(device), do: Runtime.check(device, Native.device_info(device))

  @doc "Raises unless `select` could name a device."
  def validate!(select) do
    unless is_reference(select), do: text(select)
    select
  end

  defp text(nil), do: ""
  defp text(index) when is_integer(index) and index >= 0, do: Integer.to_string(index)
  defp text(name) when is_binary(name), do: name

  defp text(other) do
    raise ArgumentError, "a device is an index, a name or a UUID, got: #{inspect(other)}"
  end
end
