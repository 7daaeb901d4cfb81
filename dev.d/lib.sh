# What the commands of ./dev share. Sourced; the working folder is the project's.

JOBS=${JOBS:-$(nproc)}
LOGS=build/log

# Paths below the project are hashed as relative ones: another clone of the same code finds what this one compiled.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-5G}
# What ccache asks for before it looks at files that use precompiled headers.
export CCACHE_SLOPPINESS=pch_defines,time_macros

say() { printf '%s\n' "$*"; }
fail() {
  printf './dev: %s\n' "$*" >&2
  exit 1
}

# took SECONDS: a duration as people say it.
took() {
  if [ "$1" -ge 60 ]; then printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); else printf '%d s' "$1"; fi
}

# step TEXT COMMAND...: says what it does, runs it, says how long it took; ends ./dev when it fails.
step() {
  local text=$1 begin=$SECONDS status=0
  shift
  say "==> $text"
  "$@" || status=$?
  [ $status -eq 0 ] || fail "$text: failed after $(took $((SECONDS - begin)))"
  say "    done in $(took $((SECONDS - begin)))"
}

# quietly NAME COMMAND...: output goes to a log; it is shown, at its end, when the command fails.
# A line that looks like ninja's progress is passed on twice a minute, so that nobody waits in the dark.
quietly() {
  local log=$LOGS/$1.log status=0 beat
  shift
  mkdir -p "$LOGS"
  : >"$log"
  (
    while sleep 30; do
      grep -aoE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n 1 | sed 's/^/    at step /' || true
    done
  ) &
  beat=$!
  "$@" >>"$log" 2>&1 </dev/null || status=$?
  kill "$beat" 2>/dev/null || true
  wait "$beat" 2>/dev/null || true
  if [ $status -ne 0 ]; then
    say "    the end of $log:"
    tail -n 60 "$log" | sed 's/^/    | /'
  fi
  return $status
}

# as_root COMMAND...: with sudo where we are not root.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo --preserve-env=DEBIAN_FRONTEND "$@"
  else
    fail "this needs root (to run: $*), and there is no sudo"
  fi
}

# packages GROUP...: the Debian packages of these groups, one a line.
packages() {
  local group
  for group in "$@"; do awk -v g="$group" '$1 == g {print $2}' dev.d/packages.txt; done
}

missing_packages() {
  local name
  for name in $(packages "$@"); do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || echo "$name"
  done
}

install_packages() {
  export DEBIAN_FRONTEND=noninteractive
  as_root apt-get update -q && as_root apt-get install -y -q --no-install-recommends "$@"
}

# need GROUP...: installs what is missing of these groups; says nothing when all is there.
need() {
  local missing
  missing=$(missing_packages "$@" | xargs)
  # Names are words without blanks, so the list may be split.
  # shellcheck disable=SC2086
  [ -z "$missing" ] || step "Installing Debian packages: $missing" quietly apt install_packages $missing
}

# build_preset PRESET [target...]: configures once, then builds with ninja.
build_preset() {
  local preset=$1
  shift
  if [ ! -f "build/$preset/build.ninja" ]; then
    step "Configuring build/$preset" quietly "configure-$preset" cmake --preset "$preset"
  fi
  step "Building build/$preset${*:+ ($*)}" run_ninja "$preset" "$@"
}

run_ninja() {
  local preset=$1
  shift
  if [ -t 1 ]; then
    ninja -C "build/$preset" -j"$JOBS" "$@"
  else
    quietly "build-$preset" ninja -C "build/$preset" -j"$JOBS" "$@"
  fi
}

# sources [tool]: the C++ files of the project.
sources() { git ls-files -- 'src/*.cc' 'src/*.h' 'tests/*.cc' 'tests/*.h' 'bench/*.cc' 'bench/*.h'; }

# changed_sources: those that differ from where this branch left main, or, on main itself, from the
# last day's first commit; a file that is not committed counts. None where there is nothing to compare
# with: ./dev lint --full takes all.
changed_sources() {
  local base
  base=$(git merge-base HEAD "${MILLRACE_BASE:-origin/main}" 2>/dev/null || true)
  if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then
    base=$(git rev-list -1 --before='1 day ago' HEAD)
  fi
  if [ -n "$base" ]; then
    { git diff --name-only --diff-filter=d "$base" --; git ls-files --others --exclude-standard; } |
      grep -E '^(src|tests|bench)/.*\.(cc|h)$' | sort -u || true
  fi
}

# report NAME TITLE: keeps what a full run found (standard input) as docs/reports/NAME.md.
report() {
  mkdir -p docs/reports
  {
    echo "# $2"
    echo
    echo "What the last \`./dev $1 --full\` found, on $(date -u +%Y-%m-%d) at commit $(git rev-parse --short HEAD)."
    echo
    cat
  } >"docs/reports/$1.md"
  say "    wrote docs/reports/$1.md"
}
