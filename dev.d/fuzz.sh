# usage: fuzz [--full|--seconds N]
# Each fuzzer for 60 s (--full: 10 min), after a canary that has to fail.
dev_fuzz() {
  local seconds=60
  case ${1:-} in
    '') ;;
    --full) seconds=600 ;;
    --seconds) seconds=${2:?seconds} ;;
    *) fail "fuzz takes --full, --seconds N or nothing" ;;
  esac
  need build fuzz
  build_preset fuzz fuzzers
  step "The canary has to fail" canary_fails
  step "Fuzzing, $seconds s each" run_fuzzers "$seconds"
}

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

run_fuzzers() {
  local seconds=$1 bad=0 source name
  while read -r source; do
    name=$(basename "$source" .cc)
    if fuzz_one "$name" "$seconds"; then
      say "    $name: $(awk '/number_of_executed_units/ {print $2}' "$LOGS/$name.log") inputs"
    else
      bad=1
      say "    $name FAILED; the input is in build/fuzz-findings; the end of $LOGS/$name.log:"
      tail -n 40 "$LOGS/$name.log" | sed 's/^/    | /'
    fi
  done < <(find src -name '*_fuzz.cc' | sort)
  return $bad
}
