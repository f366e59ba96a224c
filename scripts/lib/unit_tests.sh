# shellcheck shell=bash
# shellcheck disable=SC2154 # setup.sh sets top and venv
# The unit tests of a preset. Sourced after setup.sh.

# unit_tests PRESET [ARGUMENT...]: what ctest finds, or what it selects by the arguments.
unit_tests() {
  local preset=$1
  shift
  with_progress "unit tests ($preset)" "build/$preset-tests.log" ctest_progress \
    ctest --preset "$preset" -j "$(nproc)" --output-junit "$top/build/$preset.xml" "$@" ||
    fail "unit tests ($preset)" "read build/$preset-tests.log; run: ctest --preset $preset --rerun-failed"
  python3 - "$top/build/$preset.xml" <<'PY'
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot()
print(f"   {suite.get('tests')} tests, {suite.get('failures')} failed, {suite.get('skipped')} skipped")
PY
}
