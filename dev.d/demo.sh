# usage: demo [--events N] [--keep] | demo channel [--kills N] [--keep]
# The main job: ten senders, durable channels, files, and proof that none is lost; channel: the same under kill -9.
dev_demo() {
  local program=demo.py
  if [ "${1:-}" = channel ]; then
    program=demo_channel.py
    shift
  fi
  need build demo
  build_preset release millrace
  step "Demo" python3 dev.d/$program --millrace build/release/millrace "$@"
}
