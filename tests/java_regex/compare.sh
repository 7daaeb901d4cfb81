#!/usr/bin/env bash
# usage: compare.sh
# What Java 17 answers to the corpus of patterns is what the golden file says. Status 77: there is no Java 17 here.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
golden=$here/../golden/java-regex
version=$(java -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
[ "$version" = 17 ] || {
  echo "no Java 17 here (found: ${version:-none}); words have other bounds in others"
  exit 77
}
java "$here/Answers.java" "$golden/corpus.txt" | diff "$golden/answers.txt" -
