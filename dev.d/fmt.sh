# usage: fmt
# Formats every C++ file in place.
dev_fmt() {
  need lint
  step "Formatting" format_all -i
}
format_all() { sources | xargs -r -P"$JOBS" -n16 clang-format-14 "$@"; }
