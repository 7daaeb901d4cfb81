# usage: bench [channel | sources] [ROW...] [--runs N] [--scale X] [--peers A,B] [--no-write]
# Measures beside Flume 1.11 (from Maven) and rsyslog; channel: the file channel beside its disk; sources: files, datagrams,
# regular expressions. Writes docs/benchmarks.
dev_bench() {
  need build bench
  build_preset release millrace bare_pipe bare_tcp bare_files bare_log bare_avro bare_disk commit_latency paced_udp fill_channel
  step "Fetching Flume 1.11" quietly flume services/services classpath flume
  step "Measuring" python3 bench/run.py --millrace build/release/millrace "$@"
}
