# shellcheck shell=bash disable=SC2034
# Sourced by the scripts of this folder: where things are, packages, messages.
set -euo pipefail

NXV_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
# "debian12", "debian13": names the build folder, so that two systems never share one.
NXV_SYSTEM=$(. /etc/os-release 2>/dev/null && echo "${ID:-linux}${VERSION_ID:-}")
NXV_BUILD=$NXV_ROOT/build/$NXV_SYSTEM
# Debian's own interpreter: another one on the PATH may lack the packages that apt-get installs.
PYTHON=/usr/bin/python3
export PYTHONDONTWRITEBYTECODE=1
readonly NXV_ROOT NXV_SYSTEM NXV_BUILD PYTHON

readonly BUILD_PACKAGES=(g++ cmake ninja-build libvulkan-dev libzstd-dev libxxhash-dev libcli11-dev nlohmann-json3-dev)
readonly RUN_PACKAGES=(libvulkan1 mesa-vulkan-drivers)
# What the build takes where it is found: nxv verify decides more with it.
readonly OPTIONAL_PACKAGES=(libmpfr-dev libmpc-dev)
readonly ELIXIR_PACKAGES=(elixir erlang-dev erlang-nox)
readonly TEST_PACKAGES=(libgtest-dev vulkan-validationlayers zstd python3 python3-yaml python3-numpy)
readonly STYLE_PACKAGES=(clang-format black flake8 shellcheck)
# The reference toolchain of the pack: only ever installed in the Debian 13 root.
readonly COMPILER_PACKAGES=(glslang-tools glslang-dev spirv-tools spirv-headers)

die() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif have sudo; then
    sudo "$@"
  else
    die "needs root for: $*"
  fi
}

# missing_packages DPKG_DIR PACKAGE…: those not fully installed, one a line.
missing_packages() {
  local admin=$1
  shift
  comm -13 <({ dpkg-query --admindir="$admin" -W -f '${binary:Package} ${db:Status-Abbrev}\n' "$@" 2>/dev/null || true; } |
    sed -n 's/^\([^: ]*\)[^ ]* ii *$/\1/p' | sort -u) <(printf '%s\n' "$@" | sort -u)
}

# need_packages PACKAGE…: installs what is missing; silent when nothing is.
need_packages() {
  local missing
  mapfile -t missing < <(missing_packages /var/lib/dpkg "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  have apt-get || die "install these packages first: ${missing[*]}"
  echo "installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { as_root apt-get -qq update && as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -y --no-install-recommends install "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    die "apt-get could not install ${missing[*]}"
  fi
  rm -f "$log"
}

# nx_deps: the folder of Nx sources (DIR/nx, DIR/complex, DIR/telemetry), or nothing.
nx_deps() {
  local dir=${NX_VULKAN_DEPS:-$HOME/.cache/nx_vulkan/deps}
  if [ -d "$dir/nx" ]; then echo "$dir"; fi
}

# elixir_at_least 1.17
elixir_at_least() {
  have elixir && elixir -e "System.halt(if Version.match?(System.version(), \">= $1.0\"), do: 0, else: 1)" </dev/null
}

debian13_root() { echo "${NXV_DEBIAN13:-$HOME/.cache/nx_vulkan/debian13}"; }

# A compiler cache where there is one; nothing depends on it. Paths below the repository count as relative ones.
if have ccache; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$NXV_ROOT CCACHE_NOHASHDIR=1
fi
