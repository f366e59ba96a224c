# shellcheck shell=bash
# From a bare machine to a built program. Sourced by scripts/demo, scripts/test, scripts/bench and scripts/soak; every
# step does nothing when its work is done.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$top" || exit 1
venv="$top/build/venv"

# shellcheck source=scripts/lib/progress.sh
source "$top/scripts/lib/progress.sh"

# missing_packages LIST: the Debian packages of the list that are not installed yet.
missing_packages() {
  local name
  while read -r name; do
    case $name in '' | '#'*) continue ;; esac
    dpkg-query -W -f='${db:Status-Abbrev}' "$name" 2>/dev/null | grep -q '^ii' || printf '%s\n' "$name"
  done <"$1"
}

# ensure_packages LIST
ensure_packages() {
  local as_root=() missing list=$1 title
  if ! command -v apt-get >/dev/null; then
    say "no apt-get on this machine; what is needed, by Debian's names:"
    grep -vE '^(#|$)' "$list"
    return
  fi
  mapfile -t missing < <(missing_packages "$list")
  [ "${#missing[@]}" -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "installing Debian packages" "become root, or install: ${missing[*]}"
    as_root=(sudo)
    sudo true || fail "sudo" "become root, or install: ${missing[*]}" # asks for a password before the progress line does
  fi
  title="installing Debian packages (${#missing[@]})"
  with_progress "$title" build/apt.log apt_progress apt_install "${missing[@]}" ||
    fail "$title" "read build/apt.log; check the network and /etc/apt/sources.list"
}

# apt_install PACKAGE...: as ${as_root[@]}, with apt's own account of its progress among the output. The account has a
# descriptor of its own: apt closes it for packages' scripts, and those that print something fail without their output.
apt_install() {
  "${as_root[@]}" apt-get update -q &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c 'exec apt-get "$@" 3>&1' sh install -y -q \
      --no-install-recommends -o APT::Status-Fd=3 -o Dpkg::Use-Pty=0 "$@"
}

# ensure_python [--no-deps] LIST: the virtual environment with what the list names. A stamp per list holds its text,
# so pip is called only when a list has changed.
ensure_python() {
  local flags=() list stamp title
  if [ ! -x "$venv/bin/pip" ]; then
    title="making a Python environment in ${venv#"$top/"}"
    with_progress "$title" build/venv.log no_progress python3 -m venv "$venv" ||
      fail "$title" "read build/venv.log; install python3-venv"
  fi
  if [ "$1" = --no-deps ]; then
    flags=(--no-deps)
    shift
  fi
  list=$1
  stamp="$venv/${list//\//-}.done"
  cmp -s "$list" "$stamp" && return
  title="installing what $list names"
  case $list in
    scripts/requirements.txt) title="installing LibTorch (a large download)" ;;
    scripts/requirements-cuda.txt) title="installing LibTorch with CUDA (a download of several GB)" ;;
  esac
  with_progress "$title" build/pip.log pip_progress \
    "$venv/bin/pip" install --disable-pip-version-check --progress-bar off "${flags[@]}" -r "$list" ||
    fail "$title" "read build/pip.log; check the network; for torch, LIBTORCH may name an unpacked official LibTorch 2.13.0"
  cp "$list" "$stamp"
}

# What tests/package.json names, from npm: the gallery's accessibility check and the type checker. Debian's npm where
# there is none; another one is left alone.
ensure_node() {
  command -v npm >/dev/null || { printf 'npm\n' >build/npm.txt && ensure_packages build/npm.txt; }
  cmp -s tests/package.json build/node/package.json && [ -d build/node/node_modules/axe-core ] && return
  mkdir -p build/node
  cp tests/package.json build/node/
  with_progress "installing what tests/package.json names" build/npm.log no_progress \
    npm install --prefix build/node --no-audit --no-fund --no-package-lock --loglevel=error ||
    { rm -f build/node/package.json; fail "npm install" "read build/npm.log; check the network"; }
}

# ensure_wheels LIST: the wheels of the list in build/wheels, downloaded and not installed: the tests read them as archives.
ensure_wheels() {
  local list=$1 stamp="$top/build/wheels/${1//\//-}.done" title="downloading what $1 names"
  cmp -s "$list" "$stamp" && return
  rm -rf build/wheels
  with_progress "$title" build/pip.log pip_progress \
    "$venv/bin/pip" download --disable-pip-version-check --progress-bar off --no-deps --dest build/wheels -r "$list" ||
    fail "$title" "read build/pip.log; check the network"
  cp "$list" "$stamp"
}

# LIBTORCH=/path (an official LibTorch) instead of the wheel.
ensure_libtorch() {
  if [ -n "${LIBTORCH:-}" ]; then
    [ -e "$LIBTORCH/lib/libtorch.so" ] || fail "LIBTORCH=$LIBTORCH" "it must hold lib/libtorch.so; unpack an official LibTorch there"
    return
  fi
  ensure_python scripts/requirements.txt
}

# build PRESET [TARGET...]: all of it, or the targets alone; incremental.
build() {
  local preset=$1 log="build/$1.log" only=() what
  shift
  what="building ($preset)"
  [ $# -eq 0 ] || { only=(--target "$@"); what="building $* ($preset)"; }
  if [ ! -f "build/$preset/build.ninja" ] || [ "${LIBTORCH:-}" != "$(cat "build/$preset/libtorch" 2>/dev/null)" ]; then
    with_progress "configuring ($preset)" "$log" no_progress cmake --preset "$preset" -DLIBTORCH="${LIBTORCH:-}" ||
      fail "configuring ($preset)" "read $log; the libraries it wants are in scripts/packages.txt"
    printf '%s' "${LIBTORCH:-}" >"build/$preset/libtorch"
  fi
  with_progress "$what" "$log" ninja_progress env NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset" "${only[@]}" ||
    fail "$what" "read $log"
}

set_up() {
  mkdir -p build
  ensure_packages scripts/packages.txt
  ensure_libtorch
  ensure_python --no-deps scripts/requirements-features.txt
}
