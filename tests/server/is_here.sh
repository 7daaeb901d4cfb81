#!/usr/bin/env bash
# usage: is_here.sh flume|hadoop
# Brings a server onto the machine, once: its jars come from Maven and stay in Maven's own folder.
set -u
services=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../services" && pwd)/services
for program in java mvn; do
  command -v "$program" >/dev/null || {
    echo "there is no $program: ./dev setup test installs it" >&2
    exit 1
  }
done
for attempt in 1 2 3; do
  "$services" classpath "$1" >/dev/null && exit 0
  echo "attempt $attempt failed" >&2
  sleep $((attempt * 5))
done
exit 1
