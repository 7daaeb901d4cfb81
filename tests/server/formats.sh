#!/usr/bin/env bash
# usage: formats.sh FORMAT_FILES
# What we write in each format of the file sinks, Hadoop's own classes read, record for record; and the other way round.
set -euo pipefail
files=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$files" write "$work" 2000
"$files" read "$work/ours"
java -Dlog4j2.level=ERROR -cp "$("$here/../../services/services" classpath flume)" "$here/Formats.java" "$work"
"$files" read "$work/hadoop"
