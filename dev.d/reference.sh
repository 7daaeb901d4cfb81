#!/usr/bin/env bash
# usage: reference.sh [--compare] MILLRACE
# Writes docs/reference from what the program knows of its components; --compare changes nothing and
# fails when the pages differ from it.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

compare=
if [ "$1" = --compare ]; then
  compare=yes
  shift
fi
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$1" components --doc --into "$fresh"
if [ -n "$compare" ]; then
  diff -ru docs/reference "$fresh" || {
    echo "docs/reference is not what the program says: ./dev docs writes it anew." >&2
    exit 1
  }
else
  rm -rf docs/reference
  mkdir -p docs/reference
  cp -r "$fresh"/. docs/reference
fi
