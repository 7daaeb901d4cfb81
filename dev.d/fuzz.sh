# usage: fuzz [--full|--seconds N]
# Each fuzzer for 60 s, after a canary that has to fail; --full: 10 min, and writes docs/reports/fuzz.md.
dev_fuzz() {
  local seconds=60 full=
  case ${1:-} in
    '') ;;
    --full) seconds=600 full=yes ;;
    --seconds) seconds=${2:?seconds} ;;
    *) fail "fuzz takes --full, --seconds N or nothing" ;;
  esac
  need build fuzz
  build_preset fuzz fuzzers
  step "The canary has to fail" canary_fails
  step "Fuzzing, $seconds s each" run_fuzzers "$seconds"
  [ -z "$full" ] || fuzz_report "$seconds" | report fuzz "Fuzzers"
}

fuzz_report() {
  local name
  echo "Each ran $1 s under ASan and UBSan, on what earlier runs had kept. None failed but the canary, which has to."
  echo
  for name in $(fuzzers); do echo "- \`$name\`: $(inputs_of "$name") inputs"; done
}

fuzzers() { find src -name '*_fuzz.cc' -exec basename -s .cc {} + | sort; }

inputs_of() { awk '/number_of_executed_units/ {print $2}' "$LOGS/$1.log"; }

# What a fuzzer found in earlier runs stays in build/corpus; golden files are the seeds.
fuzz_one() {
  local name=$1 seconds=$2 corpus=build/corpus/$1 found=build/fuzz-findings/
  mkdir -p "$corpus" "$found" "$LOGS"
  build/fuzz/tests/fuzz/"$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$found$name-" "$corpus" $(golden_folders "$name") >"$LOGS/$name.log" 2>&1
}

# golden_folders FUZZER: folders of tests/golden that hold something; each fuzzer takes all, bad input is its job.
golden_folders() {
  [ ! -d tests/golden ] || find tests/golden -type d
}

canary_fails() {
  ! fuzz_one canary_fuzz 120
}

# As many at once as there are cores.
run_fuzzers() {
  local seconds=$1 bad=0 name
  export LOGS
  export -f fuzz_one golden_folders
  fuzzers | xargs -P "$JOBS" -I{} bash -c "fuzz_one {} $seconds && touch $LOGS/{}.passed || rm -f $LOGS/{}.passed" || true
  for name in $(fuzzers); do
    if [ -f "$LOGS/$name.passed" ]; then
      say "    $name: $(inputs_of "$name") inputs"
      rm "$LOGS/$name.passed"
    else
      bad=1
      say "    $name FAILED; the input is in build/fuzz-findings; the end of $LOGS/$name.log:"
      tail -n 40 "$LOGS/$name.log" | sed 's/^/    | /'
    fi
  done
  return $bad
}
