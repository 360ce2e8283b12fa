defmodule Nx.Vulkan.Backend do
  @moduledoc """
  The Nx backend.

      Nx.default_backend(Nx.Vulkan.Backend)
      Nx.default_backend({Nx.Vulkan.Backend, device: "llvmpipe"})

  Options: `device:`, an index, a name or a part of one, or a UUID; see `Nx.Vulkan`.

  Tensors live in device memory and operations run there; nothing is computed on the host. A callback that no kernel serves
  raises `Nx.Vulkan.Error` and says so.
  """

  @behaviour Nx.Backend

  alias Nx.Tensor, as: T
  alias Nx.Vulkan.Backend, as: B
  alias Nx.Vulkan.Backend.Operand
  alias Nx.Vulkan.{Buffer, Catalog, Device, Error, Native, Runtime, Type}

  # `ref` is a tensor in the memory of `device`. Without it the tensor is lazy: every element is `value`, a number, a
  # non-finite atom, a Complex or the bits of one element, and `device` is what it was asked to live on, if anything.
  defstruct [:ref, :device, :value]

  @type t :: %__MODULE__{ref: reference | nil, device: reference | Nx.Vulkan.select(), value: term}

  # Options

  @impl true
  def init(opts) do
    opts = Keyword.validate!(opts, [:device])
    Device.validate!(opts[:device])
    opts
  end

  # Making tensors

  @impl true
  def constant(out, number, opts), do: lazy(out, number, opts[:device])

  @impl true
  def from_binary(%T{shape: {}, type: {kind, bits}} = out, binary, opts) when kind != :c and bits >= 8 do
    lazy(out, binary, opts[:device])
  end

  def from_binary(out, binary, opts), do: Operand.upload(out, binary, Device.open(opts[:device]))

  @impl true
  def iota(out, axis, opts), do: create(out, :iota, if(axis, do: [axis: axis], else: []), opts)

  @impl true
  def eye(out, opts), do: create(out, :eye, [], opts)

  # Moving tensors

  @impl true
  def to_binary(%T{data: %B{ref: nil}} = t, limit), do: Operand.binary(t, limit)

  def to_binary(%T{data: %B{ref: ref, device: device}, type: {_, bits}}, limit) do
    binary = Runtime.read(device, ref, 0, div(bits * limit + 7, 8))
    if rem(bits * limit, 8) == 0, do: binary, else: binary_to_bits(binary, bits * limit)
  end

  defp binary_to_bits(binary, size) do
    <<bits::bitstring-size(size), _::bitstring>> = binary
    bits
  end

  @impl true
  def backend_copy(t, B, opts), do: copy_to(t, opts[:device])
  def backend_copy(t, Nx.Tensor, opts), do: backend_copy(t, Nx.BinaryBackend, opts)
  def backend_copy(t, backend, opts), do: backend.from_binary(t, to_binary(t, Nx.size(t)), opts)

  @impl true
  def backend_transfer(t, backend, opts) do
    copy = backend_copy(t, backend, opts)

    if backend == B and copy.data.device == t.data.device do
      t
    else
      backend_deallocate(t)
      copy
    end
  end

  @impl true
  def backend_deallocate(%T{data: %B{ref: nil}}), do: :ok
  def backend_deallocate(%T{data: %B{ref: ref}}), do: Native.release(ref)

  defp copy_to(%T{data: %B{ref: nil, value: value}} = t, select), do: lazy(t, value, select)

  defp copy_to(%T{data: %B{device: device}} = t, select) do
    case Device.open(select) do
      ^device -> view(t, t)
      other -> Operand.upload(t, to_binary(t, Nx.size(t)), other)
    end
  end

  @impl true
  def to_batched(out, t, opts) do
    batch = elem(out.shape, 0)
    count = elem(t.shape, 0)
    full = div(count, batch)
    last = if rem(count, batch) != 0 and opts[:leftover] == :repeat, do: [full], else: []
    t = Operand.in_memory(t)

    Stream.map(Enum.concat(0..(full - 1)//1, last), fn
      ^full -> stitched(out, t, full * batch)
      i -> rows(out, t, i * batch)
    end)
  end

  # The rows from `first` on, in the memory of `t`.
  defp rows(out, %T{type: {_, bits}} = t, first) do
    row = div(Nx.size(t) * bits, elem(t.shape, 0))

    if rem(row, 8) == 0 do
      view(out, t, div(row, 8) * first)
    else
      rest = tuple_size(t.shape) - 1
      starts = [first | List.duplicate(0, rest)]
      slice(out, t, starts, Tuple.to_list(out.shape), List.duplicate(1, rest + 1))
    end
  end

  # The rows that are left, then rows from the start.
  defp stitched(out, t, first) do
    [batch | rest] = Tuple.to_list(out.shape)
    left = elem(t.shape, 0) - first
    tail = rows(%{out | shape: List.to_tuple([left | rest])}, t, first)
    head = rows(%{out | shape: List.to_tuple([batch - left | rest])}, t, 0)
    concatenate(out, [tail, head], 0)
  end

  @impl true
  def inspect(t, opts) do
    limit = if opts.limit == :infinity, do: Nx.size(t), else: min(opts.limit + 1, Nx.size(t))
    Nx.Backend.inspect(t, to_binary(t, limit), opts)
  end

  @impl true
  def from_pointer(_pointer, _type, _shape, _backend_opts, _opts) do
    raise ArgumentError, "Nx.Vulkan.Backend does not support pointers to device memory"
  end

  @impl true
  def to_pointer(_t, _opts) do
    raise ArgumentError, "Nx.Vulkan.Backend does not support pointers to device memory"
  end

  # Views: no kernel runs

  @impl true
  def reshape(out, t), do: view(out, t)

  @impl true
  def squeeze(out, t, _axes), do: view(out, t)

  # A lazy number of another type has other bits.
  @impl true
  def bitcast(out, t), do: view(out, Operand.in_memory(t))

  @impl true
  def broadcast(out, %T{data: %B{ref: nil}} = t, _shape, _axes), do: view(out, t)
  def broadcast(out, t, _shape, axes), do: run(:broadcast, out, [{:tensor, t}], axes: axes)

  # Elements move

  @impl true
  def transpose(out, t, axes), do: run(:transpose, out, [{:tensor, t}], axes: axes)

  @impl true
  def reverse(out, t, axes), do: run(:reverse, out, [{:tensor, t}], axes: axes)

  @impl true
  def pad(out, t, value, config) do
    run(:pad, out, [{:tensor, t}, {:number, value}], config: Enum.flat_map(config, &Tuple.to_list/1))
  end

  @impl true
  def slice(out, t, starts, lengths, strides) do
    {attrs, tensors} = starts(starts)
    run(:slice, out, [{:tensor, t} | tensors], attrs ++ [lengths: lengths, strides: strides])
  end

  # Nx gives the starts before the slice, whatever the behaviour's types say.
  @impl true
  def put_slice(out, t, starts, slice) do
    {attrs, tensors} = starts(starts)
    run(:put_slice, out, [{:tensor, t}, {:tensor, slice} | tensors], attrs)
  end

  @impl true
  def concatenate(out, tensors, axis), do: run(:concatenate, out, Enum.map(tensors, &{:tensor, &1}), axis: axis)

  @impl true
  def stack(out, tensors, axis), do: run(:stack, out, Enum.map(tensors, &{:tensor, &1}), axis: axis)

  # Starts that the host knows are attributes; where a device knows one, all are operands. Both are clamped later.
  defp starts(starts) do
    known = Enum.map(starts, &Operand.integer/1)

    if Enum.all?(known) do
      {[starts: known], []}
    else
      {[], Enum.zip_with(starts, known, fn start, number -> {:number, number || start} end)}
    end
  end

  @impl true
  def gather(out, t, indices, opts), do: indexed(:gather, out, [t, indices], opts)

  @impl true
  def indexed_put(out, t, indices, updates, opts), do: indexed(:indexed_put, out, [t, indices, updates], opts)

  @impl true
  def indexed_add(out, t, indices, updates, opts), do: indexed(:indexed_add, out, [t, indices, updates], opts)

  defp indexed(name, out, tensors, opts), do: run(name, out, Enum.map(tensors, &{:tensor, &1}), axes: opts[:axes])

  # Elements are computed

  @impl true
  def as_type(out, t), do: elementwise(:as_type, out, [t])

  @impl true
  def select(out, pred, on_true, on_false), do: elementwise(:select, out, [pred, on_true, on_false])

  @impl true
  def clip(out, t, min, max), do: elementwise(:clip, out, [t, min, max])

  @impl true
  def dot(out, a, contract_a, batch_a, b, contract_b, batch_b) do
    attrs = [contract_a: contract_a, batch_a: batch_a, contract_b: contract_b, batch_b: batch_b]
    run(:dot, out, [{:tensor, a}, {:tensor, b}], attrs)
  end

  @impl true
  def conv(out, t, kernel, opts) do
    run(:conv, out, [{:tensor, t}, {:tensor, kernel}], Keyword.put(opts, :padding, flat_padding(opts)))
  end

  # A family is a pattern of arguments.
  callbacks = Nx.Backend.behaviour_info(:callbacks)

  for %{name: name, family: :map1, nx: callback} <- Catalog.ops(), {callback, 2} in callbacks do
    @impl true
    def unquote(callback)(out, t), do: elementwise(unquote(name), out, [t])
  end

  for %{name: name, family: :map2, nx: callback} <- Catalog.ops(), {callback, 3} in callbacks do
    @impl true
    def unquote(callback)(out, a, b), do: elementwise(unquote(name), out, [a, b])
  end

  # `keep_axes` shows in the shape of `out`.
  for %{name: name, family: :reduce, nx: callback} <- Catalog.ops(), {callback, 3} in callbacks do
    @impl true
    def unquote(callback)(out, t, opts), do: run(unquote(name), out, [{:tensor, t}], axes(opts[:axes]))
  end

  defp axes(nil), do: []
  defp axes(axes), do: [axes: Enum.sort(axes)]

  for %{name: name, family: :window, nx: callback} <- Catalog.ops(), {callback, 4} in callbacks do
    @impl true
    def unquote(callback)(out, t, window, opts) do
      run(unquote(name), out, [{:tensor, t}], window_attrs(window, opts))
    end
  end

  for %{name: name, family: :window_scatter, nx: callback} <- Catalog.ops(), {callback, 6} in callbacks do
    @impl true
    def unquote(callback)(out, t, source, init_value, window, opts) do
      operands = [{:tensor, t}, {:tensor, source}, {:number, init_value}]
      run(unquote(name), out, operands, window_attrs(window, opts))
    end
  end

  defp window_attrs(window, opts) do
    [window: Tuple.to_list(window), padding: flat_padding(opts)] ++ Keyword.take(opts, [:strides, :window_dilations])
  end

  defp flat_padding(opts), do: Enum.flat_map(opts[:padding], &Tuple.to_list/1)

  # `keep_axis` shows in the shape of `out`.
  @impl true
  def argmax(out, t, opts), do: arg(:argmax, out, t, opts)

  @impl true
  def argmin(out, t, opts), do: arg(:argmin, out, t, opts)

  defp arg(name, out, t, opts) do
    axis = if opts[:axis], do: [axis: opts[:axis]], else: []
    run(name, out, [{:tensor, t}], [tie_break: opts[:tie_break] || :low] ++ axis)
  end

  # Sorts are always stable.
  @impl true
  def sort(out, t, opts), do: run(:sort, out, [{:tensor, t}], order(opts))

  @impl true
  def argsort(out, t, opts), do: run(:argsort, out, [{:tensor, t}], order(opts))

  defp order(opts), do: [axis: opts[:axis], direction: opts[:direction]]

  # Everything else

  # The default of a block makes constants of its own, which must be ours.
  @impl true
  def block(%{__struct__: Nx.Block.LogicalNot}, out, [t], _fun), do: elementwise(:logical_not, out, [t])

  def block(%{__struct__: Nx.Block.Take, axis: axis}, out, [t, indices], _fun) do
    run(:take, out, [{:tensor, t}, {:tensor, indices}], axis: axis)
  end

  def block(%{__struct__: Nx.Block.TakeAlongAxis, axis: axis}, out, [t, indices], _fun) do
    run(:take_along_axis, out, [{:tensor, t}, {:tensor, indices}], axis: axis)
  end

  for op <- [:sum, :product, :max, :min] do
    module = Module.concat(Nx.Block, "Cumulative#{op |> Atom.to_string() |> String.capitalize()}")
    name = :"cumulative_#{op}"

    def block(%{__struct__: unquote(module)} = scan, out, [t], _fun) do
      run(unquote(name), out, [{:tensor, t}], axis: scan.axis, reverse: scan.reverse)
    end
  end

  def block(%{__struct__: Nx.Block.TopK, k: k}, {values, indices}, [t], _fun) do
    device = Operand.device([t], nil)
    outs = Enum.map([values, indices], &{Type.name(&1.type), &1.shape})
    refs = Runtime.op(device, :top_k, outs, [Operand.encode(:tensor, t, device)], k: k)

    [values, indices] =
      Enum.zip_with([values, indices], refs, fn out, ref -> %{out | data: %B{ref: ref, device: device}} end)

    {values, indices}
  end

  def block(struct, _output, args, fun) do
    Nx.with_default_backend({B, device_opts(args)}, fn -> apply(fun, [struct | args]) end)
  end

  defp device_opts(args) do
    case Enum.find(args, &match?(%T{data: %B{ref: ref}} when ref != nil, &1)) do
      nil -> Operand.default_opts()
      %T{data: %B{device: device}} -> [device: device]
    end
  end

  @unserved for callback <- callbacks, not Module.defines?(__MODULE__, callback), do: callback

  for {name, arity} <- @unserved do
    @impl true
    def unquote(name)(unquote_splicing(Macro.generate_arguments(arity, __MODULE__))), do: unserved(unquote(name))
  end

  @doc "Whether a callback of `Nx.Backend` is served."
  @spec serves?(atom) :: boolean
  def serves?(callback), do: not List.keymember?(@unserved, callback, 0)

  defp unserved(name) do
    raise Error, code: :unsupported, message: "[#{name}] is not served by Nx.Vulkan.Backend yet"
  end

  @doc false
  # `Nx.Vulkan.op/3` where an operand is a tensor of Nx.
  def op(name, operands, attrs) do
    {select, attrs} = Keyword.pop(attrs, :device)
    name = Nx.Vulkan.known(name)
    operands = Enum.map(operands, &to_tensor/1)
    device = Operand.device(operands, select)
    ins = Enum.map(operands, &Operand.encode(kind(name), &1, device))

    device
    |> Runtime.op(name, ins, attrs)
    |> Enum.map(fn {ref, type, shape} ->
      names = List.duplicate(nil, tuple_size(shape))
      %T{data: %B{ref: ref, device: device}, type: Type.tuple(type), shape: shape, names: names}
    end)
    |> Nx.Vulkan.unwrap()
  end

  defp kind(name), do: if(Catalog.op(name).family in [:map1, :map2, :map3, :cast], do: :number, else: :tensor)

  defp to_tensor(%Buffer{} = buffer) do
    names = List.duplicate(nil, tuple_size(buffer.shape))
    data = %B{ref: buffer.ref, device: buffer.device}
    %T{data: data, type: Type.tuple(buffer.type), shape: buffer.shape, names: names}
  end

  defp to_tensor(other), do: Nx.to_tensor(other)

  # Calls

  defp elementwise(name, out, tensors), do: run(name, out, Enum.map(tensors, &{:number, &1}), [])

  defp create(out, name, attrs, opts), do: run_on(Device.open(opts[:device]), name, out, [], attrs)

  defp run(name, out, operands, attrs) do
    tensors = Enum.map(operands, &elem(&1, 1))
    run_on(Operand.device(tensors, nil), name, out, operands, attrs)
  end

  defp run_on(device, name, out, operands, attrs) do
    ins = Enum.map(operands, fn {kind, tensor} -> Operand.encode(kind, tensor, device) end)
    [ref] = Runtime.op(device, name, [{Type.name(out.type), out.shape}], ins, attrs)
    %{out | data: %B{ref: ref, device: device}}
  end

  defp lazy(out, value, select), do: %{out | data: %B{value: value, device: select}}

  # The memory of `t` under the type and shape of `out`, from a byte on. Each has its own hold on it, so that one can be
  # deallocated without the other.
  defp view(out, t, offset \\ 0)
  defp view(out, %T{data: %B{ref: nil} = data}, _offset), do: %{out | data: data}

  defp view(out, %T{data: %B{ref: ref, device: device}}, offset) do
    bytes = Type.bytes(Type.name(out.type), out.shape)
    %{out | data: %B{ref: Runtime.check(device, Native.view(ref, offset, bytes)), device: device}}
  end
end
