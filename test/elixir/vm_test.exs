defmodule Nx.Vulkan.VMTest do
  # What concerns a whole VM runs in one of its own.
  use ExUnit.Case, async: true

  # Runs Elixir code with the library on the path; returns what it prints and its status.
  defp elixir(code, opts \\ []) do
    paths =
      for path <- :code.get_path(),
          path = to_string(path),
          path =~ ~r"/lib/(nx_vulkan|nx|complex|telemetry)/ebin",
          do: ["-pa", path]

    System.cmd("elixir", List.flatten(paths) ++ ["-e", code], [stderr_to_stdout: true] ++ opts)
  end

  @loop """
  buffer = fn list -> Nx.Vulkan.Buffer.from_binary(for(x <- list, into: <<>>, do: <<x::float-32-native>>), :f32, {length(list)}) end
  read = fn buffer -> for <<x::float-32-native <- Nx.Vulkan.Buffer.to_binary(buffer)>>, do: x end

  once = fn ->
    a = buffer.([1.0, 2.0, 3.0])
    [5.0, 7.0, 9.0] = read.(Nx.Vulkan.op(:add, [a, buffer.([4.0, 5.0, 6.0])]))
  end
  """

  test "the library is purged and loaded again with work in flight" do
    {output, status} =
      elixir(
        @loop <>
          """
          Process.flag(:trap_exit, true)
          old = buffer.([1.0, 2.0])
          once.()
          forever = fn forever -> once.(); forever.(forever) end

          # A worker that loaded the module by itself would race with the purge, which the code server of OTP 25 does
          # not survive: it kills who runs on_load, and whoever waits for the load waits forever.
          work = fn -> Process.flag(:error_handler, :no_loading); forever.(forever) end

          for _ <- 1..10 do
            workers = for _ <- 1..10, do: spawn(work)
            Process.sleep(20)
            :code.purge(Nx.Vulkan.Native)
            true = :code.delete(Nx.Vulkan.Native)
            :code.purge(Nx.Vulkan.Native)
            for worker <- workers, do: Process.exit(worker, :kill)
            {:module, _} = :code.load_file(Nx.Vulkan.Native)
            workers = for _ <- 1..10, do: spawn(work)
            Process.sleep(20)
            :code.purge(Nx.Vulkan.Native)
            {:module, _} = :code.load_file(Nx.Vulkan.Native)
            for worker <- workers, do: Process.exit(worker, :kill)
            once.()
          end

          [1.0, 2.0] = read.(old)
          IO.puts("alive")
          """
      )

    assert {status, List.last(String.split(output, "\n", trim: true))} == {0, "alive"}, output
  end

  test "the VM halts with work in flight" do
    for how <- ["System.halt(0)", ":init.stop()", "System.stop(0)"] do
      {output, status} =
        elixir(
          @loop <>
            """
            forever = fn forever -> once.(); forever.(forever) end
            Logger.configure(level: :none)
            for _ <- 1..8, do: spawn(fn -> forever.(forever) end)
            Process.sleep(500)
            #{how}
            Process.sleep(:infinity)
            """
        )

      assert status == 0, "#{how}: #{output}"
    end
  end

  test "processes killed at any moment take nothing with them" do
    {output, status} =
      elixir(
        @loop <>
          """
          once.()
          before = Nx.Vulkan.memory_info().used

          for i <- 1..500 do
            worker = spawn(fn -> once.() end)
            if rem(i, 5) == 0, do: Process.sleep(1)
            Process.exit(worker, :kill)
          end

          once.()
          Process.sleep(500)
          :erlang.garbage_collect()
          Process.sleep(100)
          IO.puts("kept " <> inspect(Nx.Vulkan.memory_info().used - before))
          """
      )

    assert status == 0, output
    [_, kept] = Regex.run(~r/kept (-?\d+)/, output)
    assert String.to_integer(kept) < 100_000
  end

  test "no normal scheduler is held for 1 ms, first use included" do
    # The VM's own monitor counts time on the wall, so on a busy machine it shows what the library does not do. The library
    # can measure its calls without the time in which others had the processor.
    code =
      @loop <>
        """
        for m <- [Nx.Vulkan, Nx.Vulkan.Buffer, Nx.Vulkan.Native, Nx.Vulkan.Runtime, Nx.Vulkan.Device, Nx.Vulkan.Type, Nx.Vulkan.Catalog, Enum, Keyword, List],
            do: Code.ensure_loaded!(m)

        large = :binary.copy(<<1.0::float-32-native>>, 4 * 1024 * 1024)
        main = self()

        workers =
          for i <- 1..200 do
            spawn(fn ->
              for _ <- 1..3, do: once.()
              if rem(i, 50) == 0, do: ^large = Nx.Vulkan.Buffer.to_binary(Nx.Vulkan.Buffer.from_binary(large, :f32, {4 * 1024 * 1024}))
              send(main, {:done, self()})
            end)
          end

        for worker <- workers do
          receive do
            {:done, ^worker} -> :ok
          after
            120_000 -> raise "a worker did not finish"
          end
        end

        {held, worked} = Nx.Vulkan.Native.hold_times()
        IO.puts("held \#{div(held, 1000)} us, worked \#{div(worked, 1000)} us")
        """

    # A thread that holds one of the library's short locks may lose its processor where more threads want to run than there
    # are processors: a call is then held for the time slices of others. That 1 ms can be told on a quiet machine only; on
    # a busy one the bound still finds calls that wait for devices or pipelines. What a call itself does counts anywhere.
    limit = if busy?(), do: 20_000, else: 1000

    runs =
      Enum.reduce_while(1..5, [], fn _, runs ->
        {output, status} = elixir(code, env: [{"NXV_HOLD_TIMES", "1"}])
        assert status == 0, output
        [_ | times] = Regex.run(~r/held (\d+) us, worked (\d+) us/, output)
        [held, worked] = Enum.map(times, &String.to_integer/1)
        runs = [{held, worked} | runs]
        if held <= limit and worked <= 1000, do: {:halt, runs}, else: {:cont, runs}
      end)

    [{held, worked} | _] = runs
    IO.puts("longest call on a normal scheduler: held #{held} us (limit #{limit}), worked #{worked} us (limit 1000)")
    assert held in 1..limit, "{held, worked} in microseconds, newest first: #{inspect(runs)}"
    assert worked in 1..1000, "{held, worked} in microseconds, newest first: #{inspect(runs)}"
  end

  defp busy? do
    [load | _] = "/proc/loadavg" |> File.read!() |> String.split()
    String.to_float(load) > System.schedulers_online() / 2
  end

  test "out of memory is an ordinary error, and what was dropped is collected first" do
    {output, status} =
      elixir(
        @loop <>
          """
          Application.put_env(:nx_vulkan, :memory_limit, 96 * 1024 * 1024)
          megabytes = fn n -> Nx.Vulkan.Buffer.from_binary(:binary.copy(<<1.0::float-32-native>>, n * 262_144), :f32, {n * 262_144}) end
          kept = buffer.([1.0, 2.0])

          # Nobody holds these, but only a collection can tell.
          for _ <- 1..30, do: megabytes.(8)

          # Another process holds its own garbage and does not move.
          main = self()
          idle = spawn(fn -> for(_ <- 1..3, do: megabytes.(8)); send(main, :made); Process.sleep(:infinity) end)
          receive do: (:made -> :ok)
          half = megabytes.(48)

          error =
            try do
              megabytes.(80)
              nil
            rescue
              error in Nx.Vulkan.Error -> error
            end

          :out_of_memory = error.code
          [1.0, 2.0] = read.(kept)
          true = Process.alive?(idle)
          :ok = Nx.Vulkan.Buffer.deallocate(half)
          once.()
          megabytes.(48)
          IO.puts("alive " <> error.message)
          """
      )

    assert status == 0, output
    assert output =~ ~r/^alive \[.+\] /m
  end

  describe "where something is missing" do
    test "no loader: one sentence, and the application starts" do
      {output, status} =
        elixir(
          """
          {:ok, _} = Application.ensure_all_started(:nx_vulkan)
          try do
            Nx.Vulkan.init()
          rescue
            error in Nx.Vulkan.Error -> IO.puts("\#{error.code}: \#{error.message}")
          end
          """,
          env: [{"VK_ICD_FILENAMES", "/nowhere.json"}, {"VK_DRIVER_FILES", "/nowhere.json"}]
        )

      assert status == 0, output
      assert [line] = String.split(output, "\n", trim: true)
      assert line =~ ~r/^unsupported: \[.+\] .+/
    end

    test "an unknown device of the environment is an error, never another device" do
      {output, status} =
        elixir(
          """
          try do
            Nx.Vulkan.init()
          rescue
            error in Nx.Vulkan.Error -> IO.puts("\#{error.code}: \#{error.message}")
          end
          """,
          env: [{"NXV_DEVICE", "no such device"}]
        )

      assert status == 0, output
      assert output =~ "no such device"
    end
  end
end
