# usage: build [PRESET] [TARGET...]
# Builds build/PRESET: release (default), dev (ASan, UBSan), tsan, fuzz.
dev_build() {
  local preset=${1:-release}
  [ $# -eq 0 ] || shift
  need build
  case $preset in
    release | dev | tsan) need test ;;
    fuzz) need fuzz ;;
    *) fail "no preset '$preset': release, dev, tsan or fuzz" ;;
  esac
  build_preset "$preset" "$@"
}
