defmodule Nx.Vulkan.Memory do
  @moduledoc false
  # A reference to device memory is some words to the BEAM, whatever it refers to, so its collector would leave gigabytes of
  # garbage. A process is therefore collected each time it has allocated a budget of device memory: a 64th of the device's, or
  # half of what survived the last time.

  alias Nx.Vulkan.{Native, Runtime, Type}

  @least 256 * 1024 * 1024
  @left :"$nx_vulkan_left"
  @survived :"$nx_vulkan_survived"

  @doc "Notes what the calling process has allocated, bytes or `[{type, shape}]`, and collects it when it is time."
  def count(device, outs) when is_list(outs) do
    count(device, for({type, shape} <- outs, reduce: 0, do: (sum -> sum + Type.bytes(type, shape))))
  end

  def count(device, bytes) do
    case Process.get(@left, :none) do
      left when is_integer(left) and left > bytes -> Process.put(@left, left - bytes)
      :none when bytes < @least -> Process.put(@left, @least - bytes)
      _ -> spent(device)
    end
  end

  defp spent(device) do
    budget = budget(device)
    collect()
    owned = owned(device)

    # What was dropped stays until the device is done with it. Where that is much, this process is far ahead of the device.
    owned =
      if owned - Process.get(@survived, 0) > div(budget, 2) do
        Runtime.synchronize(device)
        owned(device)
      else
        owned
      end

    Process.put(@survived, owned)
    Process.put(@left, max(budget, div(owned, 2)))
  end

  @doc "Gives back what the calling process has dropped. Destructors run when it gives up its scheduler."
  def collect do
    :erlang.garbage_collect()
    :erlang.yield()
  end

  @doc "Gives back what any process has dropped, and waits for the device to be done with it."
  def collect_all(device) do
    with {:ok, %{owners: owners}} <- Native.device_memory(device) do
      for {pid, _} <- owners, is_pid(pid), pid != self(), do: :erlang.garbage_collect(pid)
    end

    collect()
    Runtime.synchronize(device)
  end

  defp owned(device) do
    case Native.device_memory(device) do
      {:ok, %{owners: owners}} -> Map.get(owners, self(), 0)
      {:error, _} -> 0
    end
  end

  defp budget(device) do
    case Native.device_info(device) do
      {:ok, %{memory_bytes: bytes}} -> max(@least, div(bytes, 64))
      {:error, _} -> @least
    end
  end
end
