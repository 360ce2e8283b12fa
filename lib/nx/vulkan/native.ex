defmodule Nx.Vulkan.Native do
  @moduledoc false
  # The functions of nif/module.cc. None of them waits: what cannot be done at once answers {:wait, waiter}, and
  # `Nx.Vulkan.Runtime` awaits the message {ref, reply} and calls again.

  @on_load :load

  def load do
    path = System.get_env("NX_VULKAN_NIF") || Path.join(:code.priv_dir(:nx_vulkan), "nx_vulkan.so")
    :erlang.load_nif(String.to_charlist(Path.rootname(path, ".so")), 0)
  end

  def device_list(_ref), do: missing()
  def device_open(_select, _memory_limit, _ref), do: missing()
  def device_info(_device), do: missing()
  def device_forget(_device), do: missing()
  def device_memory(_device), do: missing()
  def device_synchronize(_device, _timeout, _ref), do: missing()
  def hold_times, do: missing()
  def op(_device, _name, _outs, _ins, _attrs, _ref), do: missing()
  def upload(_device, _binary, _ref), do: missing()
  def view(_buffer, _offset, _bytes), do: missing()
  def release(_buffer), do: missing()
  def read_start(_buffer, _offset, _bytes, _ref), do: missing()
  def read_fetch(_read), do: missing()
  def cancel(_waiter), do: missing()

  defp missing, do: :erlang.nif_error(:nif_not_loaded)
end
