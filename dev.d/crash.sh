# usage: crash [--full]
# 20 times kill -9 and 50 power cuts; --full: 200 and 500, and writes docs/reports/crash.md.
dev_crash() {
  need build test
  build_preset release millrace power_cut
  case ${1:-} in
    '') crash_runs 20 50 ;;
    --full)
      local summary=build/crash-summary.md
      rm -f "$summary"
      crash_runs 200 500 --summary "$summary"
      crash_report "$summary" | report crash "Crash tests"
      ;;
    *) fail "crash takes --full or nothing" ;;
  esac
}

# crash_runs KILLS CUTS [option...]
crash_runs() {
  step "$1 times kill -9" python3 tests/crash/kill9.py --millrace build/release/millrace --kills "$1" "${@:3}"
  step "$2 power cuts" power_cuts "$2" "${4:-/dev/null}"
}

# power_cuts CUTS SUMMARY: its line of summary is the last one it prints.
power_cuts() {
  local log=$LOGS/power_cut.log status=0
  mkdir -p "$LOGS"
  build/release/tests/power_cut --cuts "$1" 2>&1 | tee "$log" || status=$?
  echo "- Power cuts of the file channel over a file system that forgets what was not synced: \`$(tail -n 1 "$log")\`" >>"$2"
  return $status
}

crash_report() {
  cat "$1"
  cat <<'END'

A sender counts an event as acknowledged when the agent answered it. `lost` counts acknowledged events that are in no
file; `dups` those that are there more than once, but for copies that the sender itself sent again. Syslog over TCP has
no acknowledgement: what lies in the sockets of a killed agent is lost.
END
}
