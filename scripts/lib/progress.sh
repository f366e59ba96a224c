# shellcheck shell=bash
# Long steps: their output goes into a log, the reader sees one line that says how far they are. On a terminal the line
# is redrawn every second; elsewhere there is one at the start, one every 30 seconds, and one at the end.

say() { printf '== %s\n' "$*"; }
fail() {
  printf 'failed: %s\n  what to do: %s\n' "$1" "$2" >&2
  exit 1
}

# with_progress TITLE LOG PARSER COMMAND...: runs the command, a function or a program, and returns its status. PARSER is
# a function that is given the log and prints how far the command is, or nothing. When the command fails, the lines of
# the log that say why are shown; the caller names the step and the log. Ctrl-C ends the script.
with_progress() {
  local title=$1 log=$2 parser=$3 start=$SECONDS status=0 reporter
  shift 3
  mkdir -p "$(dirname "$log")"
  : >"$log"
  on_terminal || say "$title"
  report_progress "$title" "$log" "$parser" &
  reporter=$!
  # The command is in the foreground and sees Ctrl-C itself; the trap runs when it has ended.
  # shellcheck disable=SC2064 # the reporter's number is known now
  trap "stop_reporter $reporter; printf '\nstopped; run the script again to go on\n' >&2; exit 130" INT
  "$@" >"$log" 2>&1 || status=$?
  stop_reporter "$reporter"
  trap - INT
  end_progress "$title" $((SECONDS - start)) "$status"
  [ "$status" -eq 0 ] || telling_lines "$log" >&2
  return "$status"
}

on_terminal() { [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; }

# report_progress TITLE LOG PARSER: runs beside the command until it is stopped or the script is gone.
report_progress() {
  local title=$1 log=$2 parser=$3 start=$SECONDS next=30 seconds far
  while kill -0 $$ 2>/dev/null; do
    seconds=$((SECONDS - start))
    if on_terminal; then
      far=$("$parser" "$log") || far=
      redraw "== $title: ${far:+$far, }$(duration "$seconds")"
    elif [ "$seconds" -ge "$next" ]; then
      far=$("$parser" "$log") || far=
      printf '   %s\n' "${far:+$far, }$(duration "$seconds")"
      next=$((seconds + 30))
    fi
    sleep 1 >/dev/null 2>&1 # without the script's output, which it would hold open
  done
}

stop_reporter() {
  kill "$1" 2>/dev/null || true
  wait "$1" 2>/dev/null || true
}

# end_progress TITLE SECONDS STATUS: steps that had nothing to do are not timed.
end_progress() {
  local took=
  if [ "$3" -ne 0 ]; then
    took="failed after $(duration "$2")"
  elif [ "$2" -ge 2 ]; then
    took="done in $(duration "$2")"
  fi
  if on_terminal; then
    redraw "== $1${took:+: $took}"
    printf '\n'
  elif [ -n "$took" ]; then
    printf '   %s\n' "$took"
  fi
}

# redraw TEXT: in place of the line before, cut to the width of the terminal.
redraw() {
  local width=$((${COLUMNS:-80} - 1))
  printf '\r\033[K%s' "${1:0:width}"
}

duration() {
  if [ "$1" -lt 60 ]; then
    printf '%d s' "$1"
  else
    printf '%d min %d s' $(($1 / 60)) $(($1 % 60))
  fi
}

# telling_lines LOG: ctest's list of what failed, or the first errors; without any, the end.
telling_lines() {
  local errors
  if grep -q '^The following tests FAILED:' "$1"; then
    grep -E ': Failure$|WARNING: ThreadSanitizer|ERROR: AddressSanitizer|runtime error:' "$1" | cut -c1-200 | head -n 10 || true
    sed -n '/^The following tests FAILED:/,/^$/p' "$1" | cut -c1-200 | head -n 30
    return
  fi
  errors=$(grep -vE '^(dl|pm)status:' "$1" | grep -iE '(error|failed|fatal|not found|no space)|^E: ' | cut -c1-200 | head -n 15) || true
  if [ -n "$errors" ]; then
    printf '%s\n' "$errors"
  else
    grep -vE '^(dl|pm)status:' "$1" | cut -c1-200 | tail -n 10 || true
  fi
}

# Parsers: a log in, how far its command is out.

no_progress() { :; }

# last_match LOG PATTERN: the newest line of the log that matches, of what the end of it holds.
last_match() { tail -c 20000 "$1" | tr '\r' '\n' | grep -E "$2" | tail -n 1; }

# "[12/85] Building ..."
ninja_progress() {
  local line
  line=$(last_match "$1" '^\[[0-9]+/[0-9]+\]') || return 0
  line=${line%%]*}
  line=${line#[}
  printf '%s of %s' "${line%/*}" "${line#*/}"
}

# " 12/345 Test  #12: ..."
ctest_progress() {
  local line
  line=$(last_match "$1" '^ *[0-9]+/[0-9]+ Test ') || return 0
  line=${line%% Test *}
  line=${line// /}
  printf '%s of %s' "${line%/*}" "${line#*/}"
}

# "dlstatus:3:41.5:Retrieving file 3 of 40", "pmstatus:libvips-dev:80.1:Unpacking libvips-dev": apt's own percentages of
# the download and of the installation.
apt_progress() {
  local line kind name percent
  line=$(last_match "$1" '^(dl|pm)status:') || return 0
  IFS=: read -r kind name percent _ <<<"$line"
  case $kind in
    dlstatus) printf 'downloading %s %%' "${percent%.*}" ;;
    pmstatus) printf 'installing %s %%, %s' "${percent%.*}" "$name" ;;
  esac
}

# "Collecting numpy==2.4.6", "  Downloading numpy-2.4.6-....whl (16.6 MB)", "Installing collected packages: ..."
pip_progress() {
  local line name count
  line=$(last_match "$1" '^ *(Collecting|Downloading|Installing collected) ') || return 0
  count=$(grep -cE '^Collecting ' "$1") || true
  line=${line#"${line%%[! ]*}"}
  case $line in
    Collecting*) printf 'package %s' "$count" ;;
    Downloading*)
      name=${line#Downloading }
      printf 'package %s, %s %s' "$count" "$(basename "${name%% *}" | cut -d- -f1)" "${name#* }"
      ;;
    Installing*) printf 'unpacking %s packages' "$count" ;;
  esac
}
