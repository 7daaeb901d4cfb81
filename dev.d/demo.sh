# usage: demo [--events N] [--keep] | demo hdfs [--events N] [--keep] | demo channel [--kills N] [--keep]
# The main job: ten senders, durable channels, files, and proof that none is lost; hdfs: into an HDFS that it starts;
# channel: the same under kill -9.
dev_demo() {
  local program=demo.py
  if [ "${1:-}" = channel ] || [ "${1:-}" = hdfs ]; then
    program=demo_$1.py
    shift
  fi
  need build demo
  build_preset release millrace
  step "Demo" python3 dev.d/$program --millrace build/release/millrace "$@"
}
