# usage: demo [--events N] [--keep]
# The main job: ten numbered senders, durable channels, Avro files, and proof that none is lost.
dev_demo() {
  need build demo
  build_preset release millrace
  step "Demo" python3 dev.d/demo.py --millrace build/release/millrace "$@"
}
