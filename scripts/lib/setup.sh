# shellcheck shell=bash
# From a bare machine to a built program. Sourced by scripts/demo, scripts/test and scripts/bench; every step does
# nothing when its work is done.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$top" || exit 1
venv="$top/build/venv"

say() { printf '== %s\n' "$*"; }
fail() {
  printf 'failed: %s\n  what to do: %s\n' "$1" "$2" >&2
  exit 1
}

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
  local as_root=() missing list=$1
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
  fi
  say "installing ${#missing[@]} Debian packages"
  "${as_root[@]}" apt-get update -qq || fail "apt-get update" "check the network and /etc/apt/sources.list"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    >build/apt.log 2>&1 || { tail -n 5 build/apt.log >&2; fail "apt-get install" "read build/apt.log"; }
}

# ensure_python [--no-deps] LIST: the virtual environment with what the list names. A stamp per list holds its text,
# so pip is called only when a list has changed.
ensure_python() {
  local flags=() list stamp
  if [ ! -x "$venv/bin/pip" ]; then
    say "making a Python environment in build/venv"
    python3 -m venv "$venv" || fail "python3 -m venv build/venv" "install python3-venv"
  fi
  if [ "$1" = --no-deps ]; then
    flags=(--no-deps)
    shift
  fi
  list=$1
  stamp="$venv/${list//\//-}.done"
  cmp -s "$list" "$stamp" && return
  say "installing what $list names"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "${flags[@]}" -r "$list" ||
    fail "pip install -r $list" "check the network; for torch, LIBTORCH may name an unpacked official LibTorch 2.13.0"
  cp "$list" "$stamp"
}

# axe-core from npm, for the gallery's accessibility check. Debian's npm where there is none; another one is left alone.
ensure_node() {
  command -v npm >/dev/null || { printf 'npm\n' >build/npm.txt && ensure_packages build/npm.txt; }
  cmp -s tests/package.json build/node/package.json && [ -d build/node/node_modules/axe-core ] && return
  say "installing what tests/package.json names"
  mkdir -p build/node
  cp tests/package.json build/node/
  npm install --prefix build/node --no-audit --no-fund --no-package-lock --loglevel=error >build/npm.log 2>&1 ||
    { rm -f build/node/package.json; tail -n 5 build/npm.log >&2; fail "npm install" "check the network; read build/npm.log"; }
}

# LIBTORCH=/path (an official LibTorch) instead of the wheel.
ensure_libtorch() {
  if [ -n "${LIBTORCH:-}" ]; then
    [ -e "$LIBTORCH/lib/libtorch.so" ] || fail "LIBTORCH=$LIBTORCH" "it must hold lib/libtorch.so; unpack an official LibTorch there"
    return
  fi
  ensure_python scripts/requirements.txt
}

# build PRESET: incremental.
build() {
  local preset=$1 log="build/$1.log"
  if [ ! -f "build/$preset/build.ninja" ] || [ "${LIBTORCH:-}" != "$(cat "build/$preset/libtorch" 2>/dev/null)" ]; then
    say "configuring ($preset)"
    cmake --preset "$preset" -DLIBTORCH="${LIBTORCH:-}" >"$log" 2>&1 ||
      { tail -n 20 "$log" >&2; fail "cmake --preset $preset" "read $log; the libraries it wants are in scripts/packages.txt"; }
    printf '%s' "${LIBTORCH:-}" >"build/$preset/libtorch"
  fi
  say "building ($preset)"
  cmake --build --preset "$preset" >"$log" 2>&1 ||
    { grep -E 'error|FAILED' "$log" | head -n 20 >&2; fail "building ($preset)" "read $log"; }
}

set_up() {
  mkdir -p build
  ensure_packages scripts/packages.txt
  ensure_libtorch
}
