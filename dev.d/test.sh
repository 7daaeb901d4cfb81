# usage: test [CTEST-OPTION...]
# Everything: unit tests, cases, crash tests and fuzzers in their short forms.
dev_test() {
  need build test fuzz
  build_preset release
  step "All tests" run_ctest release "$@"
  [ $# -eq 0 ] || return 0
  . dev.d/fuzz.sh
  dev_fuzz --seconds 10
}

# run_ctest PRESET [option...]: the closing line of each run is kept for those who sum up.
run_ctest() {
  local preset=$1 status=0
  shift
  mkdir -p "$LOGS"
  ctest --test-dir "build/$preset" -j"$JOBS" --output-on-failure --no-tests=error "$@" 2>&1 |
    tee "$LOGS/ctest-$preset.log" | ctest_digest || status=$?
  return $status
}

# ctest_digest: a dot for each test that passed would say as much as its line; what failed is shown whole.
ctest_digest() {
  if [ -n "${VERBOSE:-}" ]; then cat; else grep -avE '^ *(Start +[0-9]+:|[0-9]+/[0-9]+ Test +#.* Passed )' || true; fi
}
