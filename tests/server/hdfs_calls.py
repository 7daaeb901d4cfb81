#!/usr/bin/env python3
"""Makes the calls of a real NameNode, kills it meanwhile, and uses `millrace fs` on it.

usage: hdfs_calls.py --calls PROGRAM [--millrace PROGRAM] [--keep]
"""
import os
import pathlib
import random
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness.driver import drive, options_of  # noqa: E402
from server.hdfs import Hdfs  # noqa: E402

SETTINGS = "dfs.ls.limit=5 dfs.replication=3"
SECONDS = 40  # Under which the NameNode is killed twice.
KILLED = "HdfsCallsTest.DISABLED_MakesEachCallOnceWhileTheNameNodeIsKilled"


def prepare(hdfs):
    for words in (["dfs", "-mkdir", "/ec", "/quota"], ["dfsadmin", "-setQuota", "2", "/quota"],
                  ["ec", "-enablePolicy", "-policy", "XOR-2-1-1024k"],
                  ["ec", "-setPolicy", "-path", "/ec", "-policy", "XOR-2-1-1024k"]):
        if hdfs.command(*words).wait() != 0:
            raise SystemExit(f"hdfs {' '.join(words)} failed")


def environment(hdfs):
    return {**os.environ, "HDFS_URL": f"hdfs://127.0.0.1:{hdfs.port}/", "HDFS_PORT": str(hdfs.port),
            "HDFS_HTTP_PORT": hdfs.env["HDFS3_HTTP_PORT"], "HDFS_SECONDS": str(SECONDS), "HADOOP_USER_NAME": "root"}


def calls_while_killed(options, hdfs):
    run = subprocess.Popen([options.calls, f"--gtest_filter={KILLED}", "--gtest_also_run_disabled_tests"],
                           env=environment(hdfs))
    for _ in range(2):
        time.sleep(random.uniform(2, 4))
        hdfs.kill("nn")
        hdfs.start()
    return run.wait() == 0


class Fs:
    """`millrace fs`, with Hadoop's own configuration of the cluster."""

    def __init__(self, options, hdfs):
        self.command = [options.millrace, "fs"]
        self.env = {**environment(hdfs), "HADOOP_CONF_DIR": str(hdfs.folder / "data/hdfs3/conf")}

    def run(self, *words, status=0, text=b""):
        run = subprocess.run([*self.command, *words], env=self.env, input=text, capture_output=True, check=False)
        if run.returncode != status:
            raise SystemExit(f"fs {' '.join(words)}: status {run.returncode}: {run.stdout}{run.stderr}")
        return (run.stdout + run.stderr).decode(errors="replace") if words[0] != "cat" else run.stdout


def commands(options, hdfs):
    fs = Fs(options, hdfs)
    text = random.randbytes(3_000_000)
    fs.run("put", "--block-size", "1048576", "-", "/fs/a", text=text)
    refused = fs.run("put", "-", "/fs/a", text=b"x", status=1)
    url = f"hdfs://127.0.0.1:{hdfs.port}"
    fs.run("truncate", "--length", "2000001", "/fs/a")
    return [fs.run("cat", "/fs/a") == text[:2000001], hdfs.contents("/fs/a") == text[:2000001],
            "already exists" in refused, "/fs/a" in fs.run("ls", f"{url}/fs"),
            "closed" in fs.run("stat", "/fs/a"),
            "is closed, with 2000001 bytes" in fs.run("recover-lease", "/fs/a"),
            "No such file" in fs.run("ls", "/none", status=1),
            "fail-over" not in fs.run("ls", "viewfs://a/", status=78)]


def run_all(options, folder):
    with Hdfs(folder, settings=SETTINGS) as hdfs:
        prepare(hdfs)
        calls = subprocess.run([options.calls, "--gtest_brief=1"], env=environment(hdfs), check=False).returncode == 0
        held = commands(options, hdfs)
        print(f"millrace fs: {held.count(True)} of {len(held)} hold: {held}")
        return calls_while_killed(options, hdfs) and calls and all(held)


def main():
    parser = options_of(__doc__)
    parser.add_argument("--calls", type=pathlib.Path, required=True)
    options = parser.parse_args()
    return drive("hdfs-calls", options, lambda opts, folder: run_all(opts, folder))


if __name__ == "__main__":
    sys.exit(main())
