defmodule Nx.Vulkan.Runtime do
  @moduledoc false
  # Calls of the native library that may have to wait.

  alias Nx.Vulkan.{Device, Error, Memory, Native}

  # A week, in milliseconds.
  @forever 7 * 24 * 3600 * 1000

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
    Memory.count(device, outs)
    made
  end

  @doc "The same where the runtime is to infer the outputs; returns `[{buffer, type, shape}]`."
  def op(device, name, ins, attrs) do
    made = call_op(device, name, [], ins, attrs)
    Memory.count(device, for({_, type, shape} <- made, do: {type, shape}))
    made
  end

  defp call_op(device, name, outs, ins, attrs) do
    retrying(device, fn -> await(&Native.op(device, name, outs, ins, attrs, &1)) end)
  end

  @doc "Copies a binary to the device."
  def upload(device, binary) do
    buffer = retrying(device, fn -> await(&Native.upload(device, binary, &1)) end)
    Memory.count(device, byte_size(binary))
    buffer
  end

  @doc "Waits until all that was asked of the device so far is done."
  def synchronize(device), do: check(device, await(&Native.device_synchronize(device, @forever, &1)))

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

  # What processes dropped and nobody collected may be all that is missing: this one's first, then everybody's.
  defp retrying(device, call) do
    with {:error, {:out_of_memory, _}} <- call.(),
         Memory.collect(),
         {:error, {:out_of_memory, _}} <- call.(),
         Memory.collect_all(device) do
      check(device, call.())
    else
      answer -> check(device, answer)
    end
  end

  defp read_timeout, do: Application.get_env(:nx_vulkan, :read_timeout, :infinity)
end
