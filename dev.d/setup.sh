# usage: setup [GROUP...]          install what is missing (dev.d/packages.txt: build test fuzz lint; bench only when asked)
dev_setup() {
  [ $# -gt 0 ] || set -- build test fuzz lint
  local before
  before=$(missing_packages "$@")
  need "$@"
  [ -n "$before" ] || say "Everything is installed ($*)."
}
