# usage: crash [--full]
# Kills and power cuts, 10,000 runs against a model and every crash point; --full: 10 min of kills, 200 of readers, docs/reports/crash.md.
dev_crash() {
  need build test
  build_preset release millrace channel_crash
  case ${1:-} in
    '') crash_runs /dev/null 20 --kills 20 ;;
    --full)
      local summary=build/crash-summary.md
      rm -f "$summary"
      crash_runs "$summary" 200 --minutes 10
      crash_report "$summary" | report crash "Crash tests"
      ;;
    *) fail "crash takes --full or nothing" ;;
  esac
}

# crash_runs SUMMARY KILLS-OF-READERS KILL-OPTION...
crash_runs() {
  local summary=$1 kills=$2 source
  shift 2
  step "A disk in memory: crash points, and 10,000 runs" crash_on_a_fake_disk "$summary"
  step "kill -9 ($*)" python3 tests/crash/kill9.py --millrace build/release/millrace --summary "$summary" "$@"
  step "kill -9, delivery exactly once" python3 tests/crash/kill9.py --millrace build/release/millrace --kills "$kills" \
    --delivery exactly-once --summary "$summary"
  for source in TAILDIR spooldir; do
    step "kill -9 of $source" python3 tests/crash/kill9_files.py --millrace build/release/millrace --source "$source" \
      --kills "$kills" --summary "$summary"
  done
}

# What it prints but the seed are lines of summary.
crash_on_a_fake_disk() {
  local log=$LOGS/channel_crash.log status=0
  mkdir -p "$LOGS"
  build/release/tests/channel_crash --runs 10000 --save build/crash 2>&1 | tee "$log" || status=$?
  sed '1d; s/.*/- `&`/' "$log" >>"$1"
  return $status
}

crash_report() {
  cat "$1"
  cat <<'END'

**Kills.** A sender counts an event as acknowledged when the agent answered it. `lost` counts acknowledged events that are in
no file. An event may be in the files more than once for two reasons, which are counted apart. By sinks: one had written it,
and the channel had not yet noted that durably; then it was in the channel at the next start. By senders: a source had stored
it, and its answer was lost with the connection, so that it was sent again. A run with more repeats than that fails. Syslog
over TCP has no acknowledgement: what lies in the sockets of a killed agent is lost.

**Kills of readers.** Each event gets a name of its own before the channel takes it, so that a line which the source put twice is told
from one that the sink wrote twice. A source may put again, after each kill, one batch (spooldir), or the lines behind the positions
that it had written (TAILDIR). More, or a line that is in no file, fails.

**Crash points.** A script makes a channel, puts, takes, rolls segments, writes checkpoints, recycles and unlinks segments,
stops, and starts behind a stop and behind a kill. Before each operation that changes the disk the power is lost, keeping
every first part of what was not synced, sector by sector, every last part, each change alone, all but it, and some drawn at
random. Each operation of the start that follows is a point too, where the power is lost a second time.

**Runs.** From a seed: several sources, 1 to 3 data dirs, fsyncPerTransaction on and off, small and large memory; puts, takes,
commits, roll backs, held and dropped events, rolls, checkpoints, recycled segments; EIO, ENOSPC and EROFS on any call, in
one dir or in all, for once or for good, a failed fsync included; a full disk; damaged, lost and outdated checkpoints; orderly
stops, kills, power losses, several in a row. Checked: what was acknowledged comes out; nothing else does; a source's events
come in their order; only what had not durably left comes again, or what a checkpoint that was then damaged alone knew to have
left; the counters are right, across restarts too.
END
}
