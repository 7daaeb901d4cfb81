"""What a case works with: agents, senders, readers of what the sinks wrote, and checks."""
import pathlib
import re
import select
import shutil
import socket
import tempfile
import time
import urllib.error
import urllib.request

from harness.process import Program, free_port, port_open, wait_until


class Case:
    """One run of a case: its temporary folder, its ports, its agents and its verdict."""

    def __init__(self, folder, millrace, keep=False):
        self.folder = folder
        self.out = pathlib.Path(tempfile.mkdtemp(prefix=f"millrace-{folder.name}-"))
        self.millrace = millrace
        self.keep = keep
        self.failures = 0
        self.agents = []
        self.names = {}  # What @NAME@ in a conf file stands for.

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for agent in self.agents:
            agent.kill()
        if not self.keep and self.failures == 0:
            shutil.rmtree(self.out, ignore_errors=True)

    def verdict(self):
        for agent in self.agents:
            if agent.alive():
                self.ok("the agent ends when asked to", agent.stop(20))
        name = self.folder.name
        print(f"PASS {name}" if self.failures == 0 else f"FAIL {name} ({self.failures}), files in {self.out}")
        return self.failures == 0

    # -- agents

    def port(self, name):
        """The port that @NAME@ in this case's conf files stands for."""
        return self.names.setdefault(name, free_port())

    def make(self, *folders):
        """Fresh folders below the case's temporary one."""
        for folder in folders:
            shutil.rmtree(self.out / folder, ignore_errors=True)
            (self.out / folder).mkdir(parents=True)

    def render(self, conf, change=lambda text: text):
        """Writes the case's file with @OUT@ and every @NAME@ put in; the path of the result."""
        text = (self.folder / conf).read_text()
        for name in re.findall(r"@([A-Z0-9_]+_PORT)@", text):
            self.port(name)
        for name, value in {"OUT": self.out, **self.names}.items():
            text = text.replace(f"@{name}@", str(value))
        path = self.out / conf
        path.write_bytes(change(text).encode())
        return path

    def start(self, conf, *options, name="a1", change=lambda text: text):
        """Starts `millrace agent` on a conf file of the case."""
        path = self.render(conf, change)
        log = self.out / f"agent-{len(self.agents)}.log"
        agent = Program([self.millrace, "agent", "-n", name, "-f", path, *options], log,
                        env={"TZ": "UTC", "LC_ALL": "C.UTF-8"})
        self.agents.append(agent)
        return agent

    # -- senders

    def send(self, port, data, replies=0, seconds=10):
        """Sends bytes over one connection, half-closes it, and returns what came back until the peer
        closed, or `replies` lines had come, or time was up."""
        got, sent, end = b"", 0, time.monotonic() + seconds
        with socket.create_connection(("127.0.0.1", port), 10) as connection:
            connection.setblocking(False)
            try:
                while time.monotonic() < end and (replies == 0 or got.count(b"\n") < replies):
                    wanted = [connection] if sent < len(data) else []
                    readable, writable, _ = select.select([connection], wanted, [], 0.2)
                    if writable:
                        sent += connection.send(data[sent:sent + 65536])
                        if sent == len(data):
                            connection.shutdown(socket.SHUT_WR)
                    if readable:
                        piece = connection.recv(65536)
                        if not piece:
                            break
                        got += piece
            except OSError as error:
                print(f"  .. send: {error}")
        return got

    def get(self, port, path):
        """HTTP GET: (status, body); status 0 when nothing answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, ""
        except OSError:
            return 0, ""

    # -- readers

    def read(self, folder):
        """All bytes that a file_roll sink wrote into a folder, in the order of the file names."""
        files = sorted(p for p in (self.out / folder).iterdir() if p.is_file() and not p.name.startswith("."))
        return b"".join(p.read_bytes() for p in files)

    def lines(self, folder):
        return self.read(folder).decode("utf-8", "surrogateescape").split("\n")[:-1]

    def wait_lines(self, folder, count, seconds=20):
        """True once a folder holds that many lines."""
        return wait_until(lambda: len(self.lines(folder)) >= count, seconds)

    def comes(self, folder, text, seconds=15):
        """True once a folder's files hold these bytes."""
        return wait_until(lambda: text in self.read(folder), seconds)

    def events(self, folder):
        """(headers, body) of each line that the header_and_text serializer wrote."""
        return [split_headers(line) for line in self.lines(folder)]

    # -- checks

    def ok(self, what, holds):
        if holds:
            print(f"  ok   {what}")
        else:
            self.flunk(what)
        return bool(holds)

    def flunk(self, what):
        self.failures += 1
        print(f"  FAIL {what}")

    def equal(self, what, got, want):
        return self.ok(what if got == want else f"{what}: got {got!r}, want {want!r}", got == want)

    def logs(self, what, agent, pattern, seconds=10):
        """The agent's log comes to hold a line like the pattern."""
        found = wait_until(lambda: re.search(pattern, agent.log_text(), re.I | re.M), seconds)
        return self.ok(what if found else f"{what}: nothing like /{pattern}/ in {agent.log}", found)

    def listens(self, what, agent, port, seconds=20):
        return self.ok(what, agent.wait_port(port, seconds))

    def closed(self, what, port):
        return self.ok(what, not port_open(port))


def split_headers(line):
    """'{a=1, b=2} body' -> ({'a': '1', 'b': '2'}, 'body')"""
    match = re.match(r"\{(.*?)\}(?: (.*))?$", line, re.S)
    if not match:
        return {}, line
    pairs = (part.split("=", 1) for part in re.split(r", (?=[^=, ]+=)", match.group(1)) if "=" in part)
    return dict(pairs), match.group(2) or ""
