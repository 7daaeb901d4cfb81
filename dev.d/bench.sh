# usage: bench [SCENARIO...] [--runs N] [--peers A,B] [--no-write]
# Measures beside Flume 1.11 (from Maven) and rsyslog; writes docs/benchmarks.
dev_bench() {
  need build bench
  build_preset release millrace bare_pipe bare_tcp bare_log
  step "Fetching Flume 1.11" quietly flume services/services classpath flume
  step "Measuring" python3 bench/run.py --millrace build/release/millrace "$@"
}
