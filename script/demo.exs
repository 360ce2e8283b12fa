# Run by script/demo: Nx on the Vulkan device.
Nx.default_backend(Nx.Vulkan.Backend)
IO.puts("device: #{Nx.Vulkan.device_name()}")

check = fn text, got, want ->
  got = {Nx.type(got), Nx.to_flat_list(got)}
  IO.puts("#{text} = #{inspect(elem(got, 1))}")
  if got != want, do: raise("expected #{inspect(want)}, got #{inspect(got)}")
end

for type <- if(Nx.Vulkan.has_f64?(), do: [:f32, :f64], else: [:f32]) do
  t = fn values -> Nx.tensor(values, type: type) end
  size = {:f, if(type == :f32, do: 32, else: 64)}
  sum = Nx.add(t.([1.0, 2.0, 3.0]), t.([4.0, 5.0, 6.0]))
  check.("#{type}: [1, 2, 3] + [4, 5, 6]", sum, {size, [5.0, 7.0, 9.0]})
  check.("#{type}: its sum", Nx.sum(sum), {size, [21.0]})
  check.("#{type}: its dot product with itself", Nx.dot(sum, sum), {size, [155.0]})
  grid = Nx.add(t.([1, 2, 3]), t.([[1], [2]]))
  check.("#{type}: [1, 2, 3] + [[1], [2]]", grid, {size, [2.0, 3.0, 4.0, 3.0, 4.0, 5.0]})
end

grid = Nx.add(Nx.tensor([1, 2, 3]), Nx.tensor([[1], [2]]))
check.("integers: [1, 2, 3] + [[1], [2]]", grid, {{:s, 32}, [2, 3, 4, 3, 4, 5]})
