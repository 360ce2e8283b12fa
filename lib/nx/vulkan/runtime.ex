defmodule Nx.Vulkan.Runtime do
  @moduledoc false
  # Calls of the native library that may have to wait, and the collection of memory that only the BEAM can give back.

  alias Nx.Vulkan.{Device, Error, Native, Type}

  # Garbage on the BEAM's side may hold device memory that its collector cannot see: a reference is some words, whatever it
  # refers to. So a process is collected once it has allocated this many bytes since the last time, or as many as half of
  # what survived that.
  @budget 256 * 1024 * 1024
  @counter :"$nx_vulkan_bytes"

  @doc """
  Calls `fun` with a fresh reference until it has an answer, waiting by message in between.

  A wait longer than `timeout` milliseconds is cancelled and raises `Nx.Vulkan.Error` with the code `:timeout`.
  """
  def await(fun, timeout \\ :infinity) do
    # The reference is made, and received with, in one function: the VM then skips the mailbox before it.
    ref = make_ref()

    case fun.(ref) do
      {:wait, waiter} ->
        receive do
          {^ref, :ready} -> await(fun, timeout)
          {^ref, answer} -> answer
        after
          timeout ->
            Native.cancel(waiter)

            receive do
              {^ref, _} -> :ok
            after
              0 -> :ok
            end

            {:error, {:timeout, "[wait] not ready after #{timeout} ms"}}
        end

      answer ->
        answer
    end
  end

  @doc """
  Runs an op of the catalog; returns its buffers.

  `outs` are the outputs, `[{type, shape}]`; `ins` the operands, `[{buffer | number | bits, type, shape}]`.
  """
  def op(device, name, [_ | _] = outs, ins, attrs) do
    made = call_op(device, name, outs, ins, attrs)
    count(device, outs)
    made
  end

  @doc "The same where the runtime is to infer the outputs; returns `[{buffer, type, shape}]`."
  def op(device, name, ins, attrs) do
    made = call_op(device, name, [], ins, attrs)
    count(device, for({_, type, shape} <- made, do: {type, shape}))
    made
  end

  defp call_op(device, name, outs, ins, attrs) do
    retrying(device, fn -> await(&Native.op(device, name, outs, ins, attrs, &1)) end)
  end

  @doc "Copies a binary to the device."
  def upload(device, binary) do
    count(device, byte_size(binary))
    retrying(device, fn -> await(&Native.upload(device, binary, &1)) end)
  end

  @doc "Reads bytes back; the calling process waits for a message, not a scheduler for the device."
  def read(device, buffer, offset, bytes, timeout \\ read_timeout()) do
    ref = make_ref()
    read = check(device, Native.read_start(buffer, offset, bytes, ref))

    receive do
      {^ref, :ready} -> check(device, Native.read_fetch(read))
    after
      timeout ->
        Native.cancel(read)

        receive do
          {^ref, :ready} -> :ok
        after
          0 -> :ok
        end

        raise Error, code: :timeout, message: "[read] not ready after #{timeout} ms"
    end
  end

  @doc "The value of `{:ok, value}`; raises what the runtime answered otherwise."
  def check(_device, {:ok, value}), do: value

  def check(device, {:error, {code, message}}) do
    if code == :device_lost and device != nil, do: Device.forget(device)
    raise Error, code: code, message: message
  end

  # What this process dropped may be all that is missing.
  defp retrying(device, call) do
    case call.() do
      {:error, {:out_of_memory, _}} ->
        collect(device)
        check(device, call.())

      answer ->
        check(device, answer)
    end
  end

  defp count(device, outs) when is_list(outs) do
    count(device, for({type, shape} <- outs, reduce: 0, do: (sum -> sum + Type.bytes(type, shape))))
  end

  defp count(device, bytes) do
    case Process.get(@counter, @budget) - bytes do
      left when left > 0 ->
        Process.put(@counter, left)

      _ ->
        survived = collect(device)
        Process.put(@counter, max(@budget, div(survived, 2)))
    end
  end

  # Destructors run when the process gives up its scheduler, not in the collection itself.
  defp collect(device) do
    :erlang.garbage_collect()
    :erlang.yield()

    case Native.device_memory(device) do
      {:ok, %{owners: owners}} -> Map.get(owners, self(), 0)
      {:error, _} -> 0
    end
  end

  defp read_timeout, do: Application.get_env(:nx_vulkan, :read_timeout, :infinity)
end
