"""A real HDFS for tests: started on free ports, asked, its processes killed, paused and started again."""
import os
import pathlib
import signal
import subprocess

from harness.driver import TOP
from harness.process import free_ports, wait_until

SERVICES = TOP / "services/services"


class Hdfs:
    """A NameNode and three or four DataNodes with their data in a folder. It ends with the with block."""

    def __init__(self, folder, data_nodes=3, settings=""):
        ports = free_ports(2 + 10 * data_nodes)
        self.port = ports[0]
        self.folder = pathlib.Path(folder) / "services"
        self.env = {**os.environ, "SERVICES_HOME": str(self.folder), "HDFS3_PORT": str(self.port),
                    "HDFS3_HTTP_PORT": str(ports[1]), "HDFS3_DN_PORT": str(ports[2]),
                    "HDFS3_DATANODES": str(data_nodes), "HDFS3_EXTRA": settings}

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        for process in self.processes():
            if self._alive(process):
                self._signal(process, signal.SIGCONT)
        self.services("stop", "hdfs3")

    def services(self, *words):
        """What `services` prints; an exception when it fails."""
        run = subprocess.run([SERVICES, *words], env=self.env, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise RuntimeError(f"services {' '.join(words)}: {run.stdout}{run.stderr}")
        return run.stdout

    def start(self):
        """Starts what does not run, and waits until all of it answers."""
        self.services("start", "hdfs3")

    def processes(self):
        return [path.stem for path in (self.folder / "run").glob("*.pid")]

    def kill(self, *processes):
        self.services("kill", *(f"hdfs3-{name}" for name in processes))

    def pid(self, process):
        return int(self.services("pid", f"hdfs3-{process}"))

    def pause(self, process):
        self._signal(f"hdfs3-{process}", signal.SIGSTOP)

    def resume(self, process):
        self._signal(f"hdfs3-{process}", signal.SIGCONT)

    def _alive(self, process):
        return subprocess.run([SERVICES, "pid", process], env=self.env, capture_output=True, check=False).returncode == 0

    def restart_for_upgrade(self, node):
        """The DataNode tells its writers that it will be back, ends, and is started again."""
        self.command("dfsadmin", "-shutdownDatanode", f"127.0.0.1:{self._ipc_port(node)}", "upgrade").communicate()
        if not wait_until(lambda: not self._alive(f"hdfs3-{node}"), 60, 0.2):
            raise RuntimeError(f"{node} does not end")
        self.start()

    def _signal(self, process, number):
        os.kill(int(self.services("pid", process)), number)

    def command(self, *words):
        """Starts a command of Hadoop's own: "dfs", "-cat", "/a"."""
        return subprocess.Popen([SERVICES, "hdfs3", *words], env=self.env, stdout=subprocess.PIPE)

    def contents(self, path):
        """The bytes of a file, as Hadoop's own client reads them."""
        return self.command("dfs", "-cat", path).communicate()[0]

    def nodes_of_newest_block(self):
        """The DataNodes that write the block which was begun last, by name."""
        data = self.folder / "data/hdfs3"
        nodes = {}
        for path in data.glob("dn*/current/*/current/rbw/blk_*[0-9]"):
            nodes.setdefault(int(path.name.removeprefix("blk_")), []).append(path.relative_to(data).parts[0])
        return sorted(nodes[max(nodes)])

    def _ipc_port(self, node):
        return int(self.env["HDFS3_DN_PORT"]) + 10 * (int(node.removeprefix("dn")) - 1) + 2

    def wait_for_live(self, count):
        """Until the NameNode counts so many DataNodes alive."""
        def live():
            report = self.command("dfsadmin", "-report", "-live").communicate()[0].decode()
            return f"Live datanodes ({count})" in report
        return wait_until(live, 60, 0.5)
