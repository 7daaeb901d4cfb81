# usage: lint [--full]
# clang-format on all files, clang-tidy on changed ones; --full: on all, with the static analyzer, and writes
# docs/reports/lint.md.
dev_lint() {
  local which=changed_sources depth=() full=
  case ${1:-} in
    '') ;;
    --full) which=sources depth=(--analyze) full=yes ;;
    *) fail "lint takes --full or nothing" ;;
  esac
  need build test lint
  . dev.d/fmt.sh
  step "Checking the format (./dev fmt mends it)" format_all --dry-run --Werror
  [ -f build/release/compile_commands.json ] ||
    step "Configuring build/release" quietly configure-release cmake --preset release
  step "clang-tidy" tidy_files "$which" "${depth[@]}"
  [ -z "$full" ] || echo "- clang-format and clang-tidy with its static analyzer: no finding in $(sources | wc -l) files" |
    report lint "Lint"
}

# tidy_files LISTER [option...]
tidy_files() {
  local files
  mapfile -t files < <("$1")
  python3 dev.d/tidy.py --jobs "$JOBS" "${@:2}" build/release "${files[@]}"
}
