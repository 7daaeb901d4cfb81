# usage: docs
# Writes docs/reference from the program.
dev_docs() {
  need build
  build_preset release millrace
  step "Writing docs/reference" dev.d/reference.sh build/release/millrace
}
