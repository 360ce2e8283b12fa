defmodule Nx.Vulkan.NativeTest do
  use ExUnit.Case, async: true

  alias Nx.Vulkan.{Buffer, Device, Error, Native, Runtime}

  doctest Nx.Vulkan
  doctest Nx.Vulkan.Buffer
  doctest Nx.Vulkan.Catalog

  defp floats(list), do: for(x <- list, into: <<>>, do: <<x::float-32-native>>)
  defp list(binary), do: for(<<x::float-32-native <- binary>>, do: x)
  defp buffer(numbers), do: Buffer.from_binary(floats(numbers), :f32, {length(numbers)})

  describe "op/3" do
    test "takes buffers and numbers" do
      sum = Nx.Vulkan.op(:add, [buffer([1.0, 2.0, 3.0]), buffer([4.0, 5.0, 6.0])])
      assert %Buffer{type: :f32, shape: {3}} = sum
      assert list(Buffer.to_binary(sum)) == [5.0, 7.0, 9.0]
      assert list(Buffer.to_binary(Nx.Vulkan.op(:add, [sum, 0.5]))) == [5.5, 7.5, 9.5]
    end

    test "refuses an op that the catalog lacks" do
      assert_raise Error, "[no_such_op] the catalog has no such operation", fn ->
        Nx.Vulkan.op(:no_such_op, [buffer([1.0])])
      end
    end

    test "refuses shapes that do not broadcast" do
      error = assert_raise Error, fn -> Nx.Vulkan.op(:add, [buffer([1.0, 2.0]), buffer([1.0, 2.0, 3.0])]) end
      assert error.code == :invalid_argument
      assert error.message =~ ~r/^\[.*add/
    end

    test "refuses an attribute that the op does not have" do
      error = assert_raise Error, fn -> Nx.Vulkan.op(:add, [buffer([1.0]), 1.0], colour: 3) end
      assert error.code == :invalid_argument
      assert error.message =~ "colour"
    end

    test "refuses what is no operand" do
      assert_raise ArgumentError, ~r/an operand is/, fn -> Nx.Vulkan.op(:add, [buffer([1.0]), "one"]) end
    end
  end

  describe "the native functions" do
    setup do
      {:ok, device: Device.open()}
    end

    test "answer errors instead of raising", %{device: device} do
      ref = make_ref()
      assert {:error, {:invalid_argument, "[add] " <> _}} = Native.op(make_ref(), :add, [], [], [], ref)
      assert {:error, {:invalid_argument, "[no_such] " <> _}} = Native.op(device, :no_such, [], [], [], ref)
      assert {:error, {:invalid_argument, _}} = Native.op(device, :add, [], [{1, :s32, {}} | 2], [], ref)
      assert {:error, {:invalid_argument, _}} = Native.op(device, :add, [{:f32, {0}}], [], [], ref)
      assert {:error, {:unsupported, _}} = Native.op(device, :add, [], [{1, :no_type, {}}], [], ref)
      assert {:error, {:invalid_argument, _}} = Native.op(device, :add, [], [{:one, :f32, {}}], [], ref)
      assert {:error, {:invalid_argument, _}} = Native.op(device, :add, [], [], [{"name", 1}], ref)
      assert {:error, {:invalid_argument, _}} = Native.upload(device, <<1::3>>, ref)
      assert {:error, {:invalid_argument, _}} = Native.read_fetch(ref)
      assert {:error, {:invalid_argument, _}} = Native.release(ref)
    end

    test "check ranges", %{device: device} do
      whole = Runtime.upload(device, <<0::64>>)
      assert {:error, {:invalid_argument, _}} = Native.view(whole, 4, 8)
      assert {:error, {:invalid_argument, _}} = Native.read_start(whole, 8, 1, make_ref())
      assert {:error, {:invalid_argument, _}} = Native.op(device, :negate, [], [{whole, :f32, {3}}], [], make_ref())
      assert {:ok, part} = Native.view(whole, 4, 4)
      assert Runtime.read(device, part, 0, 4) == <<0::32>>
    end

    test "share a buffer between views, each released by itself", %{device: device} do
      whole = Runtime.upload(device, <<1, 2, 3, 4>>)
      {:ok, part} = Native.view(whole, 2, 2)
      assert Native.release(whole) == :ok
      assert Native.release(whole) == :already_deallocated
      assert {:error, {:invalid_argument, "[buffer] " <> _}} = Native.view(whole, 0, 1)
      assert Runtime.read(device, part, 0, 2) == <<3, 4>>
    end

    test "fetch a read once, and not after it was cancelled", %{device: device} do
      buffer = Runtime.upload(device, <<1, 2, 3, 4>>)
      ref = make_ref()
      {:ok, read} = Native.read_start(buffer, 0, 4, ref)
      assert_receive {^ref, :ready}, 5_000
      assert {:ok, <<1, 2, 3, 4>>} = Native.read_fetch(read)
      assert {:error, {:invalid_argument, _}} = Native.read_fetch(read)

      ref = make_ref()
      {:ok, read} = Native.read_start(buffer, 0, 4, ref)
      assert :ok = Native.cancel(read)
      assert {:error, {:invalid_argument, _}} = Native.read_fetch(read)
    end

    test "copy binaries of every size", %{device: device} do
      for size <- [1, 3, 64, 65, 4099, 256 * 1024, 256 * 1024 + 1, 5_000_011] do
        bytes = :rand.bytes(size)
        buffer = Runtime.upload(device, bytes)
        assert Runtime.read(device, buffer, 0, size) == bytes
        assert Runtime.read(device, buffer, size - 1, 1) == binary_part(bytes, size - 1, 1)
      end
    end
  end

  describe "devices" do
    test "are opened once, however many ask at the same time" do
      tasks = for _ <- 1..50, do: Task.async(fn -> Device.open("0") end)
      assert [_] = tasks |> Task.await_many(60_000) |> Enum.uniq()
    end

    test "are the same by index, name and UUID" do
      [first | _] = Nx.Vulkan.devices()
      assert Device.open(first.index) == Device.open(first.uuid)
      assert Nx.Vulkan.device_name(device: first.index) == first.name
    end

    test "that are unknown are errors" do
      error = assert_raise Error, fn -> Device.open("no such device") end
      assert error.code == :invalid_argument
      assert error.message =~ "no such device"
      assert_raise ArgumentError, ~r/a device is/, fn -> Device.open(:gpu) end
    end
  end

  describe "waiting" do
    test "a wait that takes too long is cancelled and leaves no message" do
      work = Buffer.from_binary(:binary.copy(<<0>>, 4_000_000), :f32, {1_000_000})
      buffer = Enum.reduce(1..100, work, fn _, sum -> Nx.Vulkan.op(:add, [sum, 1.0]) end)
      error = assert_raise Error, fn -> Runtime.read(buffer.device, buffer.ref, 0, 4, 0) end
      assert error.code == :timeout
      Process.sleep(200)
      assert Process.info(self(), :messages) == {:messages, []}
    end

    test "a full mailbox does not slow a read" do
      buffer = buffer([1.0])
      for i <- 1..100_000, do: send(self(), i)
      {time, _} = :timer.tc(fn -> for _ <- 1..100, do: Buffer.to_binary(buffer) end)
      assert time / 100 < 5_000
    end
  end

  describe "memory" do
    test "of dropped buffers comes back to the process that loops" do
      megabytes = 8
      elements = megabytes * 256 * 1024
      tensor = Buffer.from_binary(:binary.copy(<<0>>, 4 * elements), :f32, {elements})
      budget = max(256 * 1024 * 1024, div(hd(Nx.Vulkan.devices()).memory_bytes, 64))
      rounds = div(3 * budget, 4 * elements)
      owned = fn -> Map.get(Nx.Vulkan.memory_info().owners, self(), 0) end

      peak =
        for _ <- 1..rounds, reduce: 0 do
          peak ->
            Nx.Vulkan.op(:add, [tensor, 1.0])
            max(peak, owned.())
        end

      assert peak < 2 * budget
    end

    test "is counted by process" do
      info = fn -> Nx.Vulkan.memory_info().owners end

      task =
        Task.async(fn ->
          buffer = buffer(List.duplicate(1.0, 100_000))
          owned = info.()[self()]
          {owned, buffer}
        end)

      {owned, buffer} = Task.await(task)
      assert owned >= 400_000
      assert Buffer.deallocate(buffer) == :ok
      assert Buffer.deallocate(buffer) == :already_deallocated
      assert_raise Error, ~r/deallocated/, fn -> Buffer.to_binary(buffer) end
    end
  end
end
