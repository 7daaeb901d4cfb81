"""The programs that are measured: how each is started, and how it tells how far it is."""
import json
import pathlib
import subprocess
import urllib.request

TOP = pathlib.Path(__file__).resolve().parents[1]


class Agent:
    """Millrace or Flume: the same configuration, the same metrics."""

    def __init__(self, name, command):
        self.name = name
        self.command = command  # From options to a list; those of an agent follow.

    def template(self, scenario):
        return scenario.template(self.name)

    def start_command(self, conf, rig, *options):
        monitoring = ["-Dflume.monitoring.type=http", f"-Dflume.monitoring.port={rig.metrics_port}"]
        return self.command([*options, *monitoring]) + ["-n", "a", "-f", str(conf)]

    def taken(self, rig):
        """Events that sinks have committed. Flume's null sink has no counters of its own."""
        return self.counted(rig, "EventTakeSuccessCount")

    def put(self, rig):
        """Events that sources have committed."""
        return self.counted(rig, "EventPutSuccessCount")

    @staticmethod
    def counted(rig, attribute):
        """Of all channels together."""
        with urllib.request.urlopen(f"http://127.0.0.1:{rig.metrics_port}/metrics", timeout=10) as answer:
            parts = json.load(answer)
        return sum(int(part.get(attribute, 0)) for part in parts.values())


class Rsyslog:
    """Debian's rsyslog; counts the bytes of its one output file."""
    name = "rsyslog"

    @staticmethod
    def template(scenario):
        return (TOP / "bench/conf/rsyslog.conf").read_text()

    def start_command(self, conf, rig):
        return ["rsyslogd", "-n", "-f", str(conf), "-i", str(conf.parent / "rsyslog.pid")]

    def taken(self, rig):
        output = rig.folder / "out" / "log"
        return output.stat().st_size // (rig.scenario.event_bytes + 1) if output.exists() else 0


class BareLoop:
    """The system calls of a scenario and nothing else: a program of bench/ reads the scenario's own command, ports or files."""
    name = "bare loop"

    def __init__(self, folder):
        self.folder = folder

    def template(self, scenario):
        return scenario.template(self.name)

    def start_command(self, conf, rig):
        program, *options = rig.scenario.bare.split()
        return [str(self.folder / program), str(rig.metrics_port), str(rig.folder / "taken"), self.input(conf, rig),
                *(option.replace("@DIR@", str(rig.folder)) for option in options)]

    @staticmethod
    def input(conf, rig):
        if rig.scenario.load == "hammer":
            return ",".join(map(str, rig.ports))
        if rig.scenario.load == "files":
            return str(rig.folder / "in")
        return next(line.split("=", 1)[1].strip() for line in conf.read_text().splitlines() if ".command" in line)

    def taken(self, rig):
        counts = (rig.folder / "taken").read_text()
        return int(counts or 0) // (rig.scenario.event_bytes + 1)


class Millrace(Agent):
    """Under another name it is another variant of the scenario, which the scenario's template knows."""

    def __init__(self, program, name="millrace"):
        super().__init__(name, lambda options: [str(program), "agent", *options])


def flume():
    """Flume 1.11 with its own defaults but the heap: from Maven, through services/."""
    classpath = subprocess.run([TOP / "services/services", "classpath", "flume"], capture_output=True, text=True, check=True)
    quiet = TOP / "bench" / "conf"
    java = ["java", "-Xmx2g"]
    tail = ["-cp", f"{quiet}:{classpath.stdout.strip()}", "org.apache.flume.node.Application", "--no-reload-conf"]
    return Agent("flume", lambda options: java + options + tail)
