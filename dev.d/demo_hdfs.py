#!/usr/bin/env python3
"""The main job into HDFS: a NameNode and a DataNode, examples/hdfs.conf under ten numbered senders, the files read back.

usage: demo_hdfs.py [--millrace PROGRAM] [--events N] [--keep]
"""
import os
import pathlib
import re
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / "tests"))
sys.path.insert(0, str(TOP / "dev.d"))

from demo import megabytes, parse, send, tell  # noqa: E402  (the path has to be set first)
from harness.driver import drive, verify  # noqa: E402
from server.hdfs import Hdfs  # noqa: E402


def fetch(options, url, env, folder):
    """Copies every file below `url` into the folder, by `millrace fs`; how many there were."""
    def fs(*words, **more):
        return subprocess.run([options.millrace, "fs", *words], env=env, check=True, **more)

    count = 0
    folders = [""]
    while folders:
        path = folders.pop()
        listing = fs("ls", url + path, capture_output=True, text=True).stdout
        for kind, name in re.findall(r"^(.).* (/\S+)$", listing, re.M):
            if kind == "d":
                folders.append(name)
                continue
            with (folder / name.strip("/").replace("/", "_")).open("wb") as out:
                fs("cat", url + name, stdout=out)
            count += 1
    return count


def run(options, folder):
    begin = time.monotonic()
    with Hdfs(folder / "cluster", data_nodes=1, settings="dfs.replication=1") as hdfs:
        print(f"A NameNode and a DataNode run, after {time.monotonic() - begin:.0f} s.", flush=True)
        name_node = f"127.0.0.1:{hdfs.port}"
        env = {"DEMO_NAME_NODE": name_node, "HADOOP_CONF_DIR": str(hdfs.folder / "data/hdfs3/conf"),
               "HADOOP_USER_NAME": "root", "HOME": str(folder)}
        well, seconds, cpu, memory = send(options, folder, "examples/hdfs.conf", env)
        files = folder / "files"
        files.mkdir()
        count = fetch(options, f"hdfs://{name_node}", {**os.environ, **env}, files)
        print(f"Reading {count} Avro files, {megabytes(files):,.0f} MB, back:", flush=True)
        nothing_lost, _ = verify(options, folder / "sent.json", files)
    tell(options.events, "from socket to the disk of a DataNode", seconds, cpu, memory)
    return well and nothing_lost


if __name__ == "__main__":
    sys.exit(drive("demo-hdfs", parse(), run))
