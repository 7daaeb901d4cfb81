#!/usr/bin/env python3
"""Measures raw writing to HDFS by our client and by Hadoop's own, in turn: one DataNode, one replica.

usage: hdfs_write.py [--runs N] [--mib N] [--files N]

CPU is that of the writing process, without its start and its first file. The servers share the cores with it.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / "tests"))
from server.hdfs import SERVICES, Hdfs  # noqa: E402


def rates(words, env=None):
    """(MB/s, MB per CPU-second) of one run."""
    out = subprocess.run([str(word) for word in words], env=env, capture_output=True, text=True, check=True).stdout
    count, seconds, cpu = map(float, out.split()[-3:])
    return count / seconds / 1e6, count / cpu / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--mib", type=int, default=256, help="of a file")
    parser.add_argument("--files", type=int, default=4, help="that count, of a run")
    options = parser.parse_args()
    size = options.mib << 20
    found = {"millrace": [], "java": []}
    with tempfile.TemporaryDirectory() as folder, Hdfs(folder, data_nodes=1) as hdfs:
        commands = {
            "millrace": ([TOP / "build/release/bench/hdfs_write", "127.0.0.1", hdfs.port], None),
            "java": ([SERVICES, "hdfs3", "../../bench/HdfsWrite.java"], hdfs.env)}
        for number in range(options.runs):
            for name, (words, env) in commands.items():
                target = f"/{name}-{number}"
                found[name].append(rates([*words, target, size, options.files], env))
                print(f"  {name} run {number + 1}: {found[name][-1][0]:.0f} MB/s, {found[name][-1][1]:.0f} MB per CPU-second",
                      flush=True)
                hdfs.command("dfs", "-rm", "-r", "-skipTrash", target).communicate()
    ours, java = ([statistics.median(column) for column in zip(*found[name])] for name in ("millrace", "java"))
    print(f"millrace ÷ java: {ours[0] / java[0]:.2f} of the bytes a second, {ours[1] / java[1]:.2f} of the bytes a CPU-second")
    return 0 if ours[0] >= 0.9 * java[0] and ours[1] >= 2 * java[1] else 1


if __name__ == "__main__":
    sys.exit(main())
