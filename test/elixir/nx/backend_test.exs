if Code.ensure_loaded?(Nx) do
  defmodule Nx.Vulkan.BackendTest do
    use ExUnit.Case, async: true

    alias Nx.Vulkan.{Backend, Error}

    @moduletag :nx

    setup do
      Nx.default_backend(Backend)
      :ok
    end

    # The same function on Nx's own backend.
    defp reference(fun) do
      Nx.with_default_backend(Nx.BinaryBackend, fn -> fun.() |> Nx.backend_copy(Nx.BinaryBackend) end)
    end

    # Type, shape and bytes, and that the result is ours.
    defp assert_same(fun) do
      got = fun.()
      want = reference(fun)
      assert %Backend{} = got.data
      assert {got.type, got.shape, got.names} == {want.type, want.shape, want.names}
      assert Nx.to_binary(got) == Nx.to_binary(want), "got #{inspect(got)}, want #{inspect(want)}"
    end

    defp host(list, opts \\ []), do: Nx.tensor(list, [backend: Nx.BinaryBackend] ++ opts)

    describe "what the documentation shows" do
      test "f32" do
        sum = Nx.add(Nx.tensor([1.0, 2.0, 3.0]), Nx.tensor([4.0, 5.0, 6.0]))
        assert Nx.to_flat_list(sum) == [5.0, 7.0, 9.0]
        assert sum.type == {:f, 32}
        assert Nx.to_number(Nx.sum(sum)) == 21.0
        assert Nx.to_number(Nx.dot(sum, sum)) == 155.0
        assert Nx.to_flat_list(Nx.add(Nx.tensor([1, 2, 3]), Nx.tensor([[1], [2]]))) == [2, 3, 4, 3, 4, 5]
      end

      test "f64" do
        a = Nx.tensor([1.0, 2.0, 3.0], type: :f64)
        b = Nx.tensor([4.0, 5.0, 6.0], type: :f64)
        sum = Nx.add(a, b)
        assert sum.type == {:f, 64}
        assert Nx.to_flat_list(sum) == [5.0, 7.0, 9.0]
        assert Nx.to_number(Nx.sum(sum)) == 21.0
        assert Nx.to_number(Nx.dot(a, b)) == 32.0
        wide = Nx.add(Nx.tensor([1, 2, 3], type: :f64), Nx.tensor([[1], [2]], type: :f64))
        assert Nx.to_flat_list(wide) == [2.0, 3.0, 4.0, 3.0, 4.0, 5.0]
      end
    end

    describe "element types" do
      @integers [:u8, :u16, :u32, :u64, :s8, :s16, :s32, :s64]
      @floats [:f8, :f8_e4m3fn, :bf16, :f16, :f32, :f64]
      @complex [:c64, :c128]
      @packed [:u2, :u4, :s2, :s4]

      test "all go to the device and come back" do
        for type <- @integers ++ @floats ++ @complex ++ @packed do
          t = Nx.tensor([[1, 0, 1], [0, 1, 1]], type: type)
          assert_same(fn -> Nx.tensor([[1, 0, 1], [0, 1, 1]], type: type) end)
          assert_same(fn -> Nx.transpose(host([[1, 0, 1], [0, 1, 1]], type: type) |> Nx.backend_copy(Backend)) end)
          assert inspect(t) =~ "#{type}[2][3]"
        end
      end

      test "are cast to each other" do
        for from <- @integers ++ @floats ++ @complex ++ @packed, to <- @integers ++ @floats ++ @complex ++ @packed do
          assert_same(fn -> Nx.as_type(Nx.tensor([1, 0, 1, 1, 0], type: from), to) end)
        end
      end

      test "wrap, or round once" do
        for type <- @integers do
          assert_same(fn -> Nx.add(Nx.tensor([250, 127, -7], type: type), Nx.tensor([100, 100, 3], type: type)) end)
          assert_same(fn -> Nx.sum(Nx.tensor([250, 127, 1], type: type)) end)
        end

        for type <- [:f16, :bf16, :f8] do
          assert_same(fn ->
            Nx.multiply(Nx.tensor([1.5, -2.0, 0.25], type: type), Nx.tensor([2.0, 3.0, 4.0], type: type))
          end)

          assert_same(fn -> Nx.sum(Nx.tensor([1.5, -2.0, 0.25], type: type)) end)
        end
      end

      test "complex numbers" do
        numbers = [Complex.new(1, 2), Complex.new(-3, 4), Complex.new(0, -1)]

        for type <- @complex do
          assert_same(fn -> Nx.multiply(Nx.tensor(numbers, type: type), Nx.tensor(numbers, type: type)) end)
          assert_same(fn -> Nx.add(Nx.tensor(numbers, type: type), 2) end)
          assert_same(fn -> Nx.subtract(Nx.tensor(numbers, type: type), Complex.new(1, 1)) end)
          assert_same(fn -> Nx.sum(Nx.tensor(numbers, type: type)) end)
          assert_same(fn -> Nx.real(Nx.tensor(numbers, type: type)) end)
          assert_same(fn -> Nx.imag(Nx.tensor(numbers, type: type)) end)
          assert_same(fn -> Nx.conjugate(Nx.tensor(numbers, type: type)) end)
          assert_same(fn -> Nx.equal(Nx.tensor(numbers, type: type), Complex.new(0, -1)) end)
          assert_same(fn -> Nx.dot(Nx.tensor(numbers, type: type), Nx.tensor(numbers, type: type)) end)
        end

        assert_same(fn -> Nx.conjugate(Nx.tensor([1.0, 2.0])) end)
        assert Nx.to_flat_list(Nx.abs(Nx.tensor([Complex.new(3, 4)]))) == [5.0]
      end

      test "several a byte" do
        for type <- @packed do
          assert_same(fn -> Nx.reverse(Nx.tensor([1, 0, 1, 1, 0], type: type)) end)
          assert_same(fn -> Nx.concatenate([Nx.tensor([1, 0, 1], type: type), Nx.tensor([1, 1], type: type)]) end)
          t = Nx.tensor([[1, 0, 1], [0, 1, 1], [1, 1, 1]], type: type)
          rows = t |> Nx.to_batched(1) |> Enum.map(&Nx.to_flat_list/1)
          assert rows == [[1, 0, 1], [0, 1, 1], [1, 1, 1]]
          assert Nx.to_flat_list(Nx.add(t[0], t[1])) == Nx.to_flat_list(Nx.as_type(Nx.tensor([1, 1, 2]), type))
        end

        assert_same(fn -> Nx.bitcast(Nx.tensor([15, 1, 8], type: :u4), :s4) end)
      end
    end

    describe "operands" do
      test "keep their own types" do
        types = [:u8, :u16, :u32, :s8, :s32, :s64, :f32, :f64]

        for a <- types, b <- types do
          assert_same(fn -> Nx.add(Nx.tensor([1, 2, 3], type: a), Nx.tensor([250, 7, 9], type: b)) end)
          assert_same(fn -> Nx.less(Nx.tensor([1, 2, 3], type: a), Nx.tensor([0, 7, 3], type: b)) end)
        end
      end

      test "keep their own ranks" do
        assert_same(fn -> Nx.subtract(Nx.iota({2, 3, 4}), Nx.iota({3, 1})) end)
        assert_same(fn -> Nx.multiply(Nx.iota({4}), Nx.iota({2, 1, 1})) end)
        assert_same(fn -> Nx.select(Nx.tensor(1), Nx.iota({2, 3}), Nx.iota({3})) end)
        assert_same(fn -> Nx.select(Nx.tensor([[1], [0]]), Nx.iota({2, 1}), Nx.tensor(7)) end)
      end

      test "may live on the binary backend" do
        ours = Nx.tensor([[1, 2], [3, 4]])
        theirs = host([[10, 20], [30, 40]])
        number = host(5)
        one = host([5])
        assert_same(fn -> Nx.add(ours, theirs) end)
        assert_same(fn -> Nx.add(theirs, ours) end)
        assert_same(fn -> Nx.add(ours, number) end)
        assert_same(fn -> Nx.add(one, ours) end)
        assert_same(fn -> Nx.concatenate([ours, theirs]) end)
        assert_same(fn -> Nx.stack([theirs, ours]) end)
        assert_same(fn -> Nx.dot(ours, theirs) end)
        assert_same(fn -> Nx.clip(ours, host(2), host(3.0) |> Nx.as_type(:s32)) end)
        assert_same(fn -> Nx.pad(ours, number, [{1, 0, 0}, {0, 1, 1}]) end)
        assert_same(fn -> Nx.put_slice(ours, [number, host(0)], host([[9]])) end)
        assert_same(fn -> Nx.slice(ours, [host(1), host(0)], [1, 2]) end)
        assert_same(fn -> Nx.select(host([[1, 0], [0, 1]]), ours, theirs) end)
      end

      test "that are lazy numbers work as any tensor" do
        wide = Nx.broadcast(Nx.tensor(3), {2, 3})
        assert %Backend{ref: nil} = wide.data
        assert %Backend{ref: nil} = Nx.reshape(wide, {3, 2}).data
        assert %Backend{ref: nil} = Nx.squeeze(Nx.reshape(wide, {3, 1, 2})).data

        for fun <- [
              fn -> Nx.broadcast(Nx.tensor(3), {2, 3}) end,
              fn -> Nx.add(Nx.tensor(3), Nx.tensor(4.5)) end,
              fn -> Nx.sum(Nx.broadcast(Nx.tensor(3), {2, 3}), axes: [0]) end,
              fn -> Nx.transpose(Nx.broadcast(Nx.tensor(3), {2, 3})) end,
              fn -> Nx.concatenate([Nx.broadcast(Nx.tensor(3), {2}), Nx.tensor([1, 2])]) end,
              fn -> Nx.dot(Nx.broadcast(Nx.tensor(3), {2, 3}), Nx.iota({3})) end,
              fn -> Nx.add(Nx.tensor(300, type: :u8), Nx.tensor([1, 2], type: :u8)) end,
              fn -> Nx.add(Nx.tensor(-1, type: :u32), Nx.tensor([1, 2], type: :u32)) end,
              fn -> Nx.multiply(Nx.tensor(0.1), Nx.tensor([1.0, 3.0], type: :f64)) end,
              fn -> Nx.bitcast(Nx.tensor(1.5), :s32) end,
              fn -> Nx.as_type(Nx.broadcast(1.5, {4}), :s32) end,
              fn -> Nx.max(Nx.Constants.infinity(), Nx.tensor([1.0, 2.0])) end
            ] do
          assert_same(fun)
        end
      end

      test "of narrow and complex types are moved, and refused where no kernel computes with them" do
        for type <- [:u2, :s4, :u16, :s8, :bf16, :f16, :c64, :f8_e4m3fn] do
          assert_same(fn -> Nx.reshape(Nx.tensor([1, 0, 1], type: type), {3, 1}) end)
          assert Nx.to_binary(Nx.broadcast(Nx.tensor(1, type: type), {3})) == Nx.to_binary(host([1, 1, 1], type: type))
        end

        error = assert_raise Error, fn -> Nx.population_count(Nx.tensor([1, 1], type: :u4)) end
        assert error.code == :unsupported
      end
    end

    describe "shapes" do
      test "reshape, squeeze and bitcast share the memory" do
        t = Nx.iota({1, 64, 1024})
        before = Nx.Vulkan.memory_info().owners[self()]
        views = [Nx.reshape(t, {1024, 64}), Nx.squeeze(t), Nx.bitcast(t, :u32)]
        assert Nx.Vulkan.memory_info().owners[self()] == before
        assert Nx.backend_deallocate(t) == :ok
        for view <- views, do: assert(Nx.to_flat_list(view) == Enum.to_list(0..65535))
      end

      test "move elements" do
        t = fn -> Nx.iota({2, 3, 4}) end
        assert_same(fn -> Nx.transpose(t.()) end)
        assert_same(fn -> Nx.transpose(t.(), axes: [1, 0, 2]) end)
        assert_same(fn -> Nx.reverse(t.(), axes: [0, 2]) end)
        assert_same(fn -> Nx.broadcast(Nx.iota({3}), {2, 3, 4}, axes: [1]) end)
        assert_same(fn -> Nx.pad(t.(), -1, [{1, -1, 0}, {0, 2, 1}, {-1, 0, 2}]) end)
        assert_same(fn -> Nx.concatenate([t.(), Nx.iota({2, 1, 4}, type: :f32)], axis: 1) end)
        assert_same(fn -> Nx.stack([t.(), Nx.iota({2, 3, 4}, type: :f32)], axis: 2) end)
        assert_same(fn -> Nx.eye({2, 3, 4}) end)
        assert_same(fn -> Nx.iota({2, 3, 4}, axis: 1, type: :f64) end)
        assert_same(fn -> Nx.tile(Nx.iota({2, 2}), [2, 3]) end)
      end

      test "slices take starts as numbers and tensors, and clamp both" do
        t = fn -> Nx.iota({5, 6}) end
        assert_same(fn -> Nx.slice(t.(), [1, 2], [3, 4], strides: [2, 3]) end)
        assert_same(fn -> Nx.slice(t.(), [9, -3], [2, 2]) end)
        assert_same(fn -> Nx.slice(t.(), [Nx.tensor(9), Nx.tensor(1)], [2, 2]) end)
        assert_same(fn -> Nx.slice(t.(), [Nx.sum(Nx.tensor([1, 1])), 3], [2, 2]) end)
        assert_same(fn -> Nx.slice(t.(), [Nx.sum(Nx.tensor([7, 1], type: :u8)), host(3)], [2, 2]) end)
        assert_same(fn -> Nx.put_slice(t.(), [1, 9], Nx.tensor([[100, 200]])) end)
        assert_same(fn -> Nx.put_slice(t.(), [Nx.sum(Nx.tensor([1, 1])), 1], Nx.tensor([[1.5, 2.5]])) end)
      end

      test "batches are views, the last one filled up from the start" do
        t = fn -> Nx.iota({5, 3}) end

        for leftover <- [:repeat, :discard] do
          got = t.() |> Nx.to_batched(2, leftover: leftover) |> Enum.map(&Nx.to_flat_list/1)

          want =
            Nx.with_default_backend(Nx.BinaryBackend, fn ->
              Nx.to_batched(t.(), 2, leftover: leftover) |> Enum.map(&Nx.to_flat_list/1)
            end)

          assert got == want
        end
      end
    end

    describe "indices" do
      test "read slices along any axes" do
        t = fn -> Nx.iota({3, 4, 5}) end
        assert_same(fn -> Nx.gather(t.(), Nx.tensor([[1, 2, 3], [0, 0, 4]])) end)
        assert_same(fn -> Nx.gather(t.(), Nx.tensor([[[1], [3]], [[0], [2]]], type: :u8), axes: [1]) end)
        assert_same(fn -> Nx.gather(t.(), host([[2, 4], [0, 1]]), axes: [0, 2]) end)
        assert_same(fn -> Nx.take(t.(), Nx.tensor([[2, 0], [1, 1]], type: :s64), axis: 1) end)
        assert_same(fn -> Nx.take(t.(), Nx.tensor(1), axis: 2) end)
        assert_same(fn -> Nx.take(Nx.iota({3, 2}, names: [:x, :y]), Nx.tensor([1, 0]), axis: :y) end)
        assert_same(fn -> Nx.take_along_axis(t.(), Nx.broadcast(Nx.tensor(2), {3, 1, 5}), axis: 1) end)
        assert_same(fn -> Nx.take_along_axis(Nx.iota({2, 3}), Nx.tensor([[2, 2, 0, 1], [0, 0, 2, 1]]), axis: -1) end)
        assert_same(fn -> Nx.take(Nx.tensor([1, 0, 3], type: :u4), Nx.tensor([2, 0], type: :u2)) end)
        assert_same(fn -> Nx.take_diagonal(t.()) end)
        assert_same(fn -> Nx.take_diagonal(t.(), offset: -1) end)
        assert_same(fn -> Nx.gather(Nx.vectorize(t.(), :x), Nx.tensor([[1, 2], [0, 4]])) end)
      end

      test "name what updates replace, and what they are added to" do
        t = fn -> Nx.iota({3, 4, 5}) end

        for op <- [:indexed_put, :indexed_add], type <- [:u8, :s32, :s64, :bf16, :f32, :f64, :c64] do
          update = fn shape -> Nx.iota(shape, type: type) end
          assert_same(fn -> apply(Nx, op, [t.(), Nx.tensor([[1, 2, 3], [0, 0, 4]]), update.({2})]) end)
          assert_same(fn -> apply(Nx, op, [t.(), Nx.tensor([[3], [1]]), update.({2, 3, 5}), [axes: [1]]]) end)
          assert_same(fn -> apply(Nx, op, [t.(), Nx.tensor([1, 2, 3]), update.({})]) end)
          assert_same(fn -> apply(Nx, op, [update.({3, 2}), Nx.tensor([[2], [0]], type: :u8), update.({2, 2})]) end)
        end

        assert_same(fn ->
          Nx.indexed_put(t.(), host([[0, 4], [2, 1]]), host([[1, 2, 3, 4], [5, 6, 7, 8]]), axes: [0, 2])
        end)

        assert_same(fn -> Nx.indexed_add(Nx.vectorize(t.(), :x), Nx.tensor([[1, 2], [0, 4]]), Nx.tensor([7, 8])) end)
        assert_same(fn -> Nx.put_diagonal(Nx.iota({3, 4}), Nx.tensor([7, 8, 9])) end)
        assert_same(fn -> Nx.make_diagonal(Nx.tensor([1, 2, 3]), offset: 1) end)
        zeros = Nx.broadcast(0, {100})
        many = Nx.remainder(Nx.iota({10_000, 1}), 7)
        counts = Nx.indexed_add(zeros, many, Nx.broadcast(1, {10_000}))
        assert Nx.to_flat_list(counts[0..7]) == [1429, 1429, 1429, 1429, 1428, 1428, 1428, 0]
        assert Nx.to_flat_list(Nx.indexed_put(zeros, many, Nx.iota({10_000}))[0..3]) == [9996, 9997, 9998, 9999]
      end

      test "outside of an axis are clamped" do
        t = Nx.tensor([10, 20, 30])
        assert Nx.to_flat_list(Nx.take(t, Nx.tensor([-1, 3, 1]))) == [10, 30, 20]
        assert Nx.to_flat_list(Nx.gather(t, Nx.tensor([[-9], [9]]))) == [10, 30]
        assert Nx.to_flat_list(Nx.take_along_axis(t, Nx.tensor([2 ** 40, 1], type: :s64))) == [30, 20]
      end
    end

    test "reductions take any set of axes" do
      t = fn type -> Nx.remainder(Nx.iota({3, 4, 5}, type: type), 7) end

      for op <- [:sum, :product, :reduce_max, :reduce_min, :all, :any],
          type <- [:s32, :u8, :f32],
          opts <- [[], [axes: [1]], [axes: [-1, 0]], [axes: [0, 1, 2], keep_axes: true]] do
        assert_same(fn -> apply(Nx, op, [t.(type), opts]) end)
      end
    end

    test "windows slide with strides, padding and dilations" do
      t = fn type -> Nx.remainder(Nx.iota({2, 5, 6}, type: type), 7) end

      for op <- [:window_sum, :window_product, :window_max, :window_min],
          type <- [:u8, :s32, :bf16, :f32],
          opts <- [
            [],
            [padding: :same, strides: [1, 2, 1]],
            [padding: [{0, 1}, {-1, 2}, {2, 0}], window_dilations: [1, 2, 1]]
          ] do
        assert_same(fn -> apply(Nx, op, [t.(type), {1, 2, 3}, opts]) end)
      end

      assert_same(fn -> Nx.window_mean(t.(:f32), {2, 2, 2}) end)
      assert_same(fn -> Nx.window_sum(Nx.broadcast(Nx.tensor(3), {4}), {2}) end)
      assert_same(fn -> Nx.window_max(Nx.iota({3, 4}, vectorized_axes: []), {1, 2}, strides: [2, 1]) end)
      assert_same(fn -> Nx.window_sum(Nx.tensor([Complex.new(1, 2), Complex.new(3, -1), 4]), {2}) end)
    end

    test "values of windows go to where their extremes are" do
      for op <- [:window_scatter_max, :window_scatter_min], type <- [:s32, :u8, :f32] do
        t = fn -> Nx.remainder(Nx.multiply(Nx.iota({4, 6}, type: type), 5), 7) end
        assert_same(fn -> apply(Nx, op, [t.(), Nx.iota({2, 2}, type: type), 0, {2, 3}, [strides: [2, 3]]]) end)
        opts = [padding: [{1, 1}, {0, 1}]]

        assert_same(fn ->
          apply(Nx, op, [t.(), Nx.iota({5, 6}, type: type), Nx.tensor(2, type: type), {2, 2}, opts])
        end)
      end

      grad = fn -> Nx.Defn.grad(Nx.iota({4, 4}, type: :f32), &Nx.sum(Nx.window_max(&1, {2, 2}, strides: [2, 2]))) end
      assert_same(grad)
    end

    test "convolutions take padding, strides, dilations, groups and permutations" do
      t = fn shape, type ->
        Nx.iota(shape) |> Nx.multiply(5) |> Nx.remainder(7) |> Nx.subtract(3) |> Nx.as_type(type)
      end

      for type <- [:s32, :f32, :bf16, :f64],
          opts <- [
            [],
            [padding: :same, strides: [2, 1]],
            [padding: [{1, -1}, {0, 2}], input_dilation: [2, 1], kernel_dilation: [1, 2]]
          ] do
        assert_same(fn -> Nx.conv(t.({2, 3, 5, 6}, type), t.({4, 3, 2, 2}, type), opts) end)
      end

      assert_same(fn -> Nx.conv(t.({2, 4, 5}, :f32), t.({6, 2, 2}, :f32), feature_group_size: 2) end)
      assert_same(fn -> Nx.conv(t.({4, 3, 5}, :f32), t.({6, 3, 2}, :f32), batch_group_size: 2) end)

      permutations = [
        input_permutation: [0, 3, 1, 2],
        kernel_permutation: [3, 2, 0, 1],
        output_permutation: [0, 3, 1, 2]
      ]

      assert_same(fn -> Nx.conv(t.({2, 5, 6, 3}, :f32), t.({2, 2, 3, 4}, :s32), permutations) end)
    end

    test "argmax and argmin take one axis, or all" do
      for op <- [:argmax, :argmin],
          type <- [:u8, :s64, :bf16, :f32, :f64],
          opts <- [[], [axis: 0], [axis: -1, tie_break: :high], [axis: 1, keep_axis: true, type: :s64]] do
        assert_same(fn -> apply(Nx, op, [Nx.remainder(Nx.iota({3, 4, 5}, type: type), 7), opts]) end)
      end

      assert Nx.to_number(Nx.argmax(Nx.tensor([1.0, :nan, 3.0, :nan]))) == 1
    end

    test "running sums and the like" do
      for op <- [:cumulative_sum, :cumulative_product, :cumulative_max, :cumulative_min],
          type <- [:u8, :s32, :bf16, :f32, :f64],
          opts <- [[], [axis: 1], [axis: -1, reverse: true]] do
        assert_same(fn -> apply(Nx, op, [Nx.remainder(Nx.iota({3, 4, 5}, type: type), 4), opts]) end)
      end
    end

    test "sort, argsort and top_k" do
      for type <- [:u8, :s64, :bf16, :f32, :f64],
          opts <- [[], [axis: 1, direction: :desc], [axis: -1]] do
        t = fn -> Nx.as_type(Nx.remainder(Nx.multiply(Nx.iota({3, 4, 5}), 7), 11), type) end
        assert_same(fn -> Nx.sort(t.(), opts) end)
        assert_same(fn -> Nx.argsort(t.(), [stable: true, type: :s64] ++ opts) end)
        assert_same(fn -> elem(Nx.top_k(t.(), k: 3), 0) end)
      end

      {values, indices} = Nx.top_k(Nx.tensor([1.0, 5.0, :nan, 5.0]), k: 3)
      assert %Backend{} = values.data
      assert Nx.to_flat_list(values) == [:nan, 5.0, 5.0]
      assert Nx.to_flat_list(indices) == [2, 1, 3]
    end

    test "dot contracts and batches any axes" do
      assert_same(fn -> Nx.dot(Nx.iota({3, 4}), Nx.iota({4, 2})) end)
      assert_same(fn -> Nx.dot(Nx.iota({2, 3, 4}), [2], [0], Nx.iota({2, 4, 3}), [1], [0]) end)
      assert_same(fn -> Nx.dot(Nx.iota({2, 3}), [0, 1], Nx.iota({3, 2}), [1, 0]) end)
      assert_same(fn -> Nx.dot(Nx.iota({3}), [], Nx.iota({2}, type: :f32), []) end)
    end

    describe "tensors come and go" do
      test "copies are independent, transfers leave nothing" do
        t = Nx.tensor([1, 2, 3])
        copy = Nx.backend_copy(t, Backend)
        assert Nx.backend_transfer(t, Backend).data == t.data
        there = Nx.backend_transfer(t, Nx.BinaryBackend)
        assert %Nx.BinaryBackend{} = there.data
        assert Nx.to_flat_list(copy) == [1, 2, 3]
        error = assert_raise Error, fn -> Nx.add(t, 1) end
        assert error.message =~ "deallocated"
        assert_raise Error, ~r/deallocated/, fn -> Nx.to_binary(t) end
        assert_raise Error, ~r/deallocated/, fn -> Nx.reshape(t, {3, 1}) end
        assert Nx.backend_deallocate(t) == :already_deallocated
        assert Nx.to_flat_list(Nx.backend_transfer(there, Backend)) == [1, 2, 3]
      end

      test "reading takes as many elements as asked for" do
        t = Nx.iota({1000}, type: :u8)
        assert Nx.to_binary(t, limit: 3) == <<0, 1, 2>>
        assert Backend.to_binary(Nx.tensor([1, 2, 3], type: :u4), 3) == <<1::4, 2::4, 3::4>>
      end

      test "they print as those of Nx do" do
        assert inspect(Nx.tensor([1.5, 2.0])) == inspect(host([1.5, 2.0]))
        assert inspect(Nx.iota({200})) == inspect(Nx.iota({200}, backend: Nx.BinaryBackend))
        assert inspect(Nx.tensor(:nan)) == inspect(host(:nan))
      end

      test "their memory isn't that of pointers" do
        assert_raise ArgumentError, ~r/pointers/, fn -> Nx.to_pointer(Nx.tensor([1])) end
        pointer = %Nx.Pointer{kind: :local, address: 0, data_size: 4}
        assert_raise ArgumentError, ~r/pointers/, fn -> Nx.from_pointer(Backend, pointer, {:s, 32}, {1}) end
      end
    end

    describe "op/3" do
      test "takes and gives tensors of Nx" do
        sum = Nx.Vulkan.op(:add, [Nx.tensor([1, 2]), 0.5])
        assert %Nx.Tensor{type: {:f, 32}, shape: {2}, names: [nil]} = sum
        assert Nx.to_flat_list(sum) == [1.5, 2.5]
        assert Nx.to_number(Nx.Vulkan.op(:sum, [sum], axes: [0])) == 4.0
      end
    end

    describe "errors" do
      test "callbacks that no kernel serves say so" do
        assert Backend.serves?(:add)
        refute Backend.serves?(:fft)

        assert_raise Error, "[fft] is not served by Nx.Vulkan.Backend yet", fn -> Nx.fft(Nx.tensor([1.0, 2.0])) end
      end

      test "options are checked" do
        assert_raise ArgumentError, fn -> Nx.default_backend({Backend, devise: 1}) end
        assert_raise ArgumentError, fn -> Nx.default_backend({Backend, device: :gpu}) end
        error = assert_raise Error, fn -> Nx.iota({2}, backend: {Backend, device: "no such device"}) end
        assert error.message =~ "no such device"
      end
    end

    test "every callback of Nx.Backend is defined" do
      for {name, arity} <- Nx.Backend.behaviour_info(:callbacks) do
        assert function_exported?(Backend, name, arity), "#{name}/#{arity}"
      end
    end

    test "blocks run with our constants" do
      Nx.with_default_backend(Nx.BinaryBackend, fn ->
        t = Nx.tensor([0, 1, 2], backend: Backend)
        assert %Backend{} = Nx.logical_not(t).data
        assert Nx.to_flat_list(Nx.logical_not(t)) == [1, 0, 0]
        assert Nx.to_number(Nx.all_close(t, Nx.tensor([0, 1, 2]))) == 1
      end)
    end

    test "200 processes at once get right answers" do
      work = fn i ->
        Nx.default_backend(Backend)
        a = Nx.tensor([1.0, 2.0, i * 1.0])
        for _ <- 1..5, do: assert(Nx.to_flat_list(Nx.add(a, Nx.tensor([4.0, 5.0, 6.0]))) == [5.0, 7.0, i + 6.0])
        assert Nx.to_number(Nx.sum(a)) == i + 3.0
        assert Nx.to_number(Nx.dot(a, a)) == i * i + 5.0
        :ok
      end

      tasks = for i <- 1..200, do: Task.async(fn -> work.(i) end)
      assert tasks |> Task.await_many(120_000) |> Enum.uniq() == [:ok]
    end
  end
end
