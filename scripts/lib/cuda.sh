# shellcheck shell=bash
# shellcheck disable=SC2154 # setup.sh sets top and venv
# The preset cuda: LibTorch for CUDA in an environment of its own, without a CUDA toolkit. Sourced by scripts/test after
# setup.sh and unit_tests.sh.

# Everything that is compiled, and pytest, which comes from the CPU's environment. LIBTORCH names a LibTorch with CUDA here.
build_cuda() {
  set_up_for_cuda
  build cuda
  export NOWHERE_PROGRAM="$top/build/cuda/nowhere"
}

set_up_for_cuda() {
  mkdir -p build
  ensure_packages scripts/packages.txt
  LIBTORCH='' ensure_libtorch
  ensure_python --no-deps scripts/requirements-features.txt
  ensure_python scripts/requirements-test.txt
  if [ -n "${LIBTORCH:-}" ]; then
    [ -e "$LIBTORCH/lib/libtorch_cuda.so" ] || fail "LIBTORCH=$LIBTORCH" "give one with CUDA, or leave it out"
  else
    venv="$top/build/venv-cuda" ensure_python scripts/requirements-cuda.txt
    venv="$top/build/venv-cuda" ensure_python --no-deps scripts/requirements-features.txt
  fi
}

# cuda_finding: what doctor says of CUDA; its exit code is about other findings.
cuda_finding() {
  { "$NOWHERE_PROGRAM" doctor --json || true; } |
    python3 -c 'import json, sys; print(next(line["value"] for line in json.load(sys.stdin) if line["what"] == "CUDA"))'
}

# All that a program with CUDA does on a machine without a GPU, or with one left alone.
test_cuda() {
  build_cuda
  export CUDA_VISIBLE_DEVICES=
  say "CUDA: $(cuda_finding)"
  unit_tests cuda
  say "end to end (cuda)"
  "$venv/bin/python" -m pytest tests/test_devices.py tests/test_gpu.py tests/test_checkpoints.py tests/test_samples.py \
    -q -rs -p no:cacheprovider
}

test_gpu() {
  build_cuda
  local found
  found=$(cuda_finding)
  case $found in
    *device*) say "CUDA: $found" ;;
    *) fail "no GPU ($found)" "run this where nvidia-smi lists one" ;;
  esac
  unit_tests cuda -R 'Gpu|OpenDevice'
  say "end to end (gpu)"
  "$venv/bin/python" -m pytest tests -m gpu -q -rs -p no:cacheprovider
}
