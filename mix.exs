Code.require_file("script/mix_folder_scm.exs", __DIR__)

defmodule NxVulkan.MixProject do
  use Mix.Project

  @version "0.1.0"

  def project do
    if dependencies() == :folder, do: Mix.SCM.prepend(NxVulkan.FolderSCM)

    [
      app: :nx_vulkan,
      version: @version,
      elixir: "~> 1.14",
      deps: deps(dependencies()),
      elixirc_paths: elixirc_paths(dependencies()),
      elixirc_options: [warnings_as_errors: System.get_env("CI") not in [nil, ""]],
      compilers: [:nx_vulkan_nif | Mix.compilers()],
      test_paths: ["test/elixir"],
      start_permanent: Mix.env() == :prod,
      name: "Nx.Vulkan",
      description: "Nx on Vulkan: prebuilt SPIR-V kernels behind an Nx backend",
      package: package()
    ]
  end

  # Nothing is started: the first use of a device opens it, and says what is missing where there is none.
  def application, do: [extra_applications: [:logger]]

  # Hex; the folder NX_VULKAN_DEPS; or none of Nx at all.
  defp dependencies do
    cond do
      System.get_env("NX_VULKAN_WITHOUT_NX") == "1" -> :none
      System.get_env("NX_VULKAN_DEPS") not in [nil, ""] -> :folder
      true -> :hex
    end
  end

  defp deps(:none), do: []
  defp deps(:hex), do: [{:nx, "~> 0.12"}]

  # Nx in our own environment: its test environment has the helpers that Nx's own tests need.
  defp deps(:folder) do
    [
      {:nx, ">= 0.0.0", override: true, env: Mix.env()},
      {:complex, ">= 0.0.0", override: true},
      {:telemetry, ">= 0.0.0", override: true}
    ]
  end

  # The files of the backend need Nx; the others build and are tested without it.
  defp elixirc_paths(:none), do: Enum.reject(Path.wildcard("lib/**/*.ex"), &String.contains?(&1, "/backend"))
  defp elixirc_paths(_), do: ["lib"]

  defp package do
    [
      licenses: ["Apache-2.0"],
      files: ~w(lib nif runtime generated script/mix_folder_scm.exs CMakeLists.txt mix.exs README.md LICENSE NOTICE)
    ]
  end
end

defmodule Mix.Tasks.Compile.NxVulkanNif do
  @moduledoc false
  # Builds nx_vulkan.so with CMake, from the committed kernels, and puts it into the application's priv folder by a rename,
  # so that a VM that has the old one mapped keeps it. NX_VULKAN_NIF names a library built elsewhere.
  use Mix.Task.Compiler

  @impl true
  def run(_args) do
    built = prebuilt() || build()
    target = Path.join([Mix.Project.app_path(), "priv", "nx_vulkan.so"])

    if File.read(built) == File.read(target) do
      {:noop, []}
    else
      File.mkdir_p!(Path.dirname(target))
      File.cp!(built, target <> ".new")
      File.rename!(target <> ".new", target)
      {:ok, []}
    end
  end

  defp prebuilt do
    case System.get_env("NX_VULKAN_NIF") do
      empty when empty in [nil, ""] -> nil
      path -> if File.regular?(path), do: path, else: Mix.raise("NX_VULKAN_NIF names no file: #{path}")
    end
  end

  defp build do
    source = File.cwd!()
    folder = Path.join(Mix.Project.build_path(), "cmake")

    unless File.exists?(Path.join(folder, "build.ninja")) do
      cmake(["-S", source, "-B", folder, "-G", "Ninja", "-DNXV_NIF=on"])
    end

    cmake(["--build", folder, "--target", "nx_vulkan"])
    Path.join(folder, "nx_vulkan.so")
  end

  defp cmake(args) do
    unless System.find_executable("cmake"),
      do: Mix.raise("building nx_vulkan.so needs cmake, ninja and a C++20 compiler")

    {_, status} = System.cmd("cmake", args, into: IO.stream(), stderr_to_stdout: true)
    if status != 0, do: Mix.raise("cmake #{Enum.join(args, " ")} failed")
  end
end
