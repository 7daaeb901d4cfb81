# usage: setup [GROUP...]
# Installs what is missing: groups build, test, fuzz and lint of dev.d/packages.txt; bench when named.
dev_setup() {
  [ $# -gt 0 ] || set -- build test fuzz lint
  local before
  before=$(missing_packages "$@")
  need "$@"
  [ -n "$before" ] || say "Everything is installed ($*)."
}
