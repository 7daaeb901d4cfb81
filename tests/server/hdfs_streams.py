#!/usr/bin/env python3
"""Writes files to a real HDFS while its servers are killed, stopped and full, and compares every byte.

usage: hdfs_streams.py --user PROGRAM [--keep] [SCENARIO...]

Each scenario ends with the file read back twice: by our reader, and by Hadoop's own.
"""
import itertools
import pathlib
import random
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness.driver import TOP, drive, options_of  # noqa: E402
from harness.process import wait_until  # noqa: E402
from server.hdfs import Hdfs  # noqa: E402

MIB = 1 << 20
SOCKET_TIMEOUT_MS = 4000  # Of ours and of the DataNodes'.
MASK = (1 << 64) - 1


def word(place):
    value = (place + 0x9E3779B97F4A7C15) & MASK
    value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ value >> 27) * 0x94D049BB133111EB) & MASK
    return struct.pack("<Q", value ^ value >> 31)


class Writer:
    """hdfs_user: one command, one answer."""

    def __init__(self, options, hdfs, policy="default", call_timeout_ms=60_000):
        words = [options.user, "127.0.0.1", hdfs.port, SOCKET_TIMEOUT_MS, call_timeout_ms, policy]
        self.process = subprocess.Popen([str(word) for word in words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, bufsize=1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def send(self, command):
        self.process.stdin.write(command + "\n")

    def answer(self):
        status, _, text = self.process.stdout.readline().strip().partition(" ")
        return status == "ok", text

    def tries(self, command):
        """(done, its answer or what went wrong)."""
        self.send(command)
        return self.answer()

    def does(self, command):
        done, text = self.tries(command)
        if not done:
            raise AssertionError(f"{command}: {text}")
        return text

    def create(self, path, block_size=16 * MIB, durability="hflush", replication=3):
        self.does(f"create {path} {block_size} {replication} {durability}")


def same_bytes(hdfs, writer, path, length):
    """Whether both readers give the pattern of so many bytes; all words of the first and last KiB and a sample are held
    against it here, every one by hdfs_user."""
    ours = int(writer.does(f"read {path}"))
    theirs = hdfs.contents(path)
    places = {*range(0, 1024, 8), *range(max(0, length - 1024) // 8 * 8, length - 7, 8),
              *(random.randrange(max(1, length // 8)) * 8 for _ in range(2000))}
    wrong = [place for place in places if place + 8 <= length and theirs[place:place + 8] != word(place)]
    print(f"    {path}: {ours} bytes by ours, {len(theirs)} by Hadoop's, {length} written, {len(wrong)} wrong")
    return ours == len(theirs) == length and not wrong


def timed(what, begin):
    print(f"    {what} after {time.monotonic() - begin:.1f} s", flush=True)


def killed_while_writing(options, hdfs):
    """One of three DataNodes is killed in the middle of a block that no reader saw: the block goes on with two."""
    with Writer(options, hdfs) as writer:
        writer.create("/killed")
        writer.does(f"write {5 * MIB + 100}")
        writer.send(f"write_slowly {8 * MIB} 10")
        time.sleep(0.3)
        hdfs.kill("dn2")
        done, text = writer.answer()
        live = writer.does("live")
        writer.does("hflush")
        writer.does(f"write {20 * MIB}")
        writer.does("close")
        hdfs.start()
        return done and live in ("2", "3") and same_bytes(hdfs, writer, "/killed", 33 * MIB + 100) or print(text)


def killed_after_a_flush(options, hdfs):
    """With the default policy a block that readers saw is not written on with two; with best-effort it is."""
    passed = True
    for policy, goes_on in (("default", False), ("best-effort", True), ("never", True)):
        with Writer(options, hdfs, policy) as writer:
            path = begin_on_three(writer, f"/flushed-{policy}", 3 * MIB + 77)
            hdfs.kill("dn1")
            writer.tries(f"write {MIB}")
            done, text = writer.tries("hflush")
            print(f"    {policy}: {'goes on with ' + writer.does('live') if done else text}")
            passed &= done == goes_on
            if done:
                writer.does("close")
                hdfs.start()
                passed &= same_bytes(hdfs, writer, path, 4 * MIB + 77)
            else:
                hdfs.start()
                hdfs.wait_for_live(3)
                writer.does("abandon")
                writer.does(f"recover {path}")
                length = int(writer.does(f"read {path}"))
                passed &= length >= 3 * MIB + 77 and same_bytes(hdfs, writer, path, length)
        hdfs.wait_for_live(3)
    return passed


def begin_on_three(writer, path, size):
    """Begins a file of so many bytes that three DataNodes hold, and readers see; gives its path. One that has just come
    back is not always given to a new block."""
    attempts = itertools.count(1)
    begun = []

    def begin():
        begun.append(f"{path}-{next(attempts)}")
        writer.create(begun[-1])
        writer.does(f"write {size}")
        writer.does("hflush")
        whole = writer.does("live") == "3"
        if not whole:
            writer.does("close")
        return whole
    if not wait_until(begin, 60, 0.5):
        raise AssertionError(f"no block of {path} is on three DataNodes")
    return begun[-1]


def stopped(options, hdfs):
    """A DataNode that is stopped is found by its silence, whichever it is."""
    passed = True
    for node in ("dn1", "dn2", "dn3"):
        with Writer(options, hdfs, "never") as writer:
            path = begin_on_three(writer, f"/stopped-{node}", MIB + 5)
            hdfs.pause(node)
            begin = time.monotonic()
            writer.does(f"write {MIB}")
            writer.does("hflush")
            timed(f"{node} stopped: flushed", begin)
            live = writer.does("live")
            writer.does("close")
            hdfs.resume(node)
            hdfs.wait_for_live(3)
            print(f"    {live} of 3 DataNodes left")
            passed &= live == "2" and same_bytes(hdfs, writer, path, 2 * MIB + 5)
    return passed


def all_killed(options, hdfs):
    """All DataNodes are killed: an error; when they are back the lease is recovered and what was flushed is there."""
    with Writer(options, hdfs, "never") as writer:
        writer.create("/all", durability="hsync")
        writer.does(f"write {20 * MIB + 3}")
        writer.does("hsync")
        hdfs.kill("dn1", "dn2", "dn3")
        writer.tries(f"write {MIB}")
        done, text = writer.tries("hflush")
        print(f"    {text}")
        hdfs.start()
        hdfs.wait_for_live(3)
        writer.does("abandon")
        writer.does("recover /all")
        length = int(writer.does("read /all"))
        return not done and length >= 20 * MIB + 3 and same_bytes(hdfs, writer, "/all", length)


def name_node_restarted(options, hdfs):
    """The NameNode is killed and started in the middle of a file: writing goes on."""
    with Writer(options, hdfs) as writer:
        writer.create("/restart")
        writer.does(f"write {10 * MIB + 1}")
        writer.does("hflush")
        hdfs.kill("nn")
        writer.send(f"write {20 * MIB}")
        hdfs.start()
        done, text = writer.answer()
        writer.does("hsync")
        writer.does("close")
        return done and same_bytes(hdfs, writer, "/restart", 30 * MIB + 1) or print(text)


def disk_full(options, hdfs):
    """The disk of a DataNode takes nothing beyond the middle of a block: the block goes on without it."""
    with Writer(options, hdfs, "best-effort") as writer:
        writer.create("/full", block_size=32 * MIB)
        writer.does(f"write {2 * MIB}")
        writer.does("hflush")
        node = hdfs.nodes_of_newest_block()[-1]
        before = int(writer.does("live"))
        limit = ["prlimit", "--pid", str(hdfs.pid(node)), f"--fsize={5 * MIB}:"]
        subprocess.run(limit, check=True)
        writer.does(f"write {8 * MIB}")
        writer.does("hflush")
        live = int(writer.does("live"))
        writer.does("close")
        subprocess.run([*limit[:3], "--fsize=unlimited:"], check=True)
        print(f"    {node} full: {live} of {before} DataNodes left")
        return live == before - 1 and same_bytes(hdfs, writer, "/full", 10 * MIB)


def lease_taken(options, hdfs):
    """Another client recovers the lease: the writer is told, and what it flushed is there."""
    with Writer(options, hdfs) as writer, Writer(options, hdfs) as other:
        writer.create("/taken")
        writer.does(f"write {3 * MIB + 9}")
        writer.does("hflush")
        other.does("recover /taken")
        writer.tries(f"write {MIB}")
        done, text = writer.tries("close")
        print(f"    {text}")
        return not done and same_bytes(hdfs, other, "/taken", 3 * MIB + 9)


def appended(options, hdfs):
    """A file is opened again and again at any byte of its chunks, and read while it is written."""
    seed = random.randrange(1 << 32)
    print(f"    seed {seed}")
    rng = random.Random(seed)
    length = 0
    with Writer(options, hdfs) as writer:
        writer.create("/appended", block_size=MIB)
        writer.does("close")
        for _ in range(12):
            writer.does("append /appended")
            for _ in range(rng.randrange(1, 5)):
                count = rng.choice((1, 3, 511, 512, 513, 1000, 64512, 200_000, 600_001))
                writer.does(f"write {count}")
                length += count
                writer.does(rng.choice(("hflush", "hsync")))
                assert int(writer.does("read /appended")) == length
            writer.does("close")
        return same_bytes(hdfs, writer, "/appended", length)


def idle(options, hdfs):
    """A file is left alone for longer than every time-out, and written on."""
    with Writer(options, hdfs) as writer:
        writer.create("/idle")
        writer.does(f"write {MIB}")
        writer.does("hflush")
        time.sleep(6 * SOCKET_TIMEOUT_MS / 1000)
        live = writer.does("live")
        writer.does(f"write {MIB}")
        writer.does("close")
        return live == "3" and same_bytes(hdfs, writer, "/idle", 2 * MIB)


def restarted(options, hdfs):
    """The only DataNode of a block says that it restarts, and does: writing waits for it, and goes on there."""
    with Writer(options, hdfs) as writer:
        writer.create("/restarted", replication=1)
        writer.does(f"write {3 * MIB + 1}")
        writer.does("hflush")
        node, = hdfs.nodes_of_newest_block()
        writer.send(f"write_slowly {2 * MIB} 20")
        hdfs.restart_for_upgrade(node)
        done, text = writer.answer()
        writer.does("hflush")
        live = writer.does("live")
        writer.does("close")
        return done and live == "1" and same_bytes(hdfs, writer, "/restarted", 5 * MIB + 1) or print(text)


def replaced(options, hdfs):
    """A fourth DataNode takes the place of one that is killed, with a copy of what readers saw."""
    with Writer(options, hdfs) as writer:
        writer.create("/replaced")
        writer.does(f"write {3 * MIB + 77}")
        writer.does("hflush")
        nodes = hdfs.nodes_of_newest_block()
        hdfs.kill(nodes[1])
        writer.does(f"write {MIB}")
        writer.does("hsync")
        live = writer.does("live")
        print(f"    {', '.join(nodes)} without {nodes[1]}: {live} DataNodes")
        writer.does("close")
        return len(nodes) == 3 and live == "3" and same_bytes(hdfs, writer, "/replaced", 4 * MIB + 77)


# Of a cluster with so many DataNodes.
SCENARIOS = {3: (appended, idle, killed_while_writing, killed_after_a_flush, stopped, all_killed, name_node_restarted,
                 disk_full, lease_taken, restarted),
             4: (replaced,)}


def run(options, folder):
    passed = True
    for nodes, scenarios in SCENARIOS.items():
        wanted = [scenario for scenario in scenarios if not options.scenarios or scenario.__name__ in options.scenarios]
        if not wanted:
            continue
        settings = f"dfs.client.socket-timeout={SOCKET_TIMEOUT_MS}"
        with Hdfs(folder / str(nodes), data_nodes=nodes, settings=settings) as hdfs:
            for scenario in wanted:
                begin = time.monotonic()
                print(f"{scenario.__name__}: {scenario.__doc__}", flush=True)
                done = bool(scenario(options, hdfs))
                print(f"  {'ok' if done else 'FAILED'}, {time.monotonic() - begin:.0f} s", flush=True)
                passed &= done
                hdfs.start()
    return passed


def main():
    parser = options_of(__doc__)
    parser.add_argument("--user", type=pathlib.Path, default=TOP / "build/release/tests/hdfs_user")
    parser.add_argument("scenarios", nargs="*")
    return drive("hdfs-streams", parser.parse_args(), run)


if __name__ == "__main__":
    sys.exit(main())
