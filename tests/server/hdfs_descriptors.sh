#!/usr/bin/env bash
# usage: hdfs_descriptors.sh PROTOC SOURCE_FOLDER
# The messages in src/client/hdfs/proto are those in Hadoop's jars, as far as they go.
set -euo pipefail
protoc=$1 source=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$protoc" --proto_path="$source" --descriptor_set_out="$work/ours" "$source"/client/hdfs/proto/*.proto
java -cp "$("$here/../../services/services" classpath hadoop)" "$here/Descriptors.java" "$work/ours"
