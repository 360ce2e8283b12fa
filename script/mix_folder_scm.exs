defmodule NxVulkan.FolderSCM do
  @moduledoc false
  # Dependencies from a folder of source trees, DIR/APP/APP (a clone of a repository of several projects) or DIR/APP, where
  # DIR is NX_VULKAN_DEPS. It takes every name, of any version, so neither Hex nor the network is asked.
  @behaviour Mix.SCM

  @impl true
  def fetchable?, do: false

  @impl true
  def format(opts), do: opts[:dest]

  @impl true
  def format_lock(_opts), do: nil

  @impl true
  def accepts_options(app, opts) do
    root = Path.expand(System.fetch_env!("NX_VULKAN_DEPS"))
    nested = Path.join([root, "#{app}", "#{app}"])
    dest = if File.regular?(Path.join(nested, "mix.exs")), do: nested, else: Path.join(root, "#{app}")
    Keyword.merge(opts, dest: dest, folder: dest)
  end

  @impl true
  def checked_out?(opts), do: File.dir?(opts[:dest])

  @impl true
  def checkout(opts), do: Mix.raise("#{opts[:dest]} is not there; NX_VULKAN_DEPS names the folder of dependencies")

  @impl true
  def update(opts), do: opts[:lock]

  @impl true
  def lock_status(_opts), do: :ok

  @impl true
  def equal?(a, b), do: a[:dest] == b[:dest]

  @impl true
  def managers(_opts), do: []
end
