"""How events reach a peer: over TCP by hammer, by the command of an exec source, as files that appear in a folder."""
import os
import shutil
import subprocess


class ByHand:
    """Nothing is offered by the rig: the row sends what it wants to."""

    @staticmethod
    def values(rig):
        """What stands in the configuration for @NAME@."""
        del rig
        return {}

    @staticmethod
    def port(rig):
        """Open when the peer is ready."""
        return rig.ports[-1]

    @staticmethod
    def offer(rig, events, first):
        """Starts to offer events; the process that does, or None where the peer reads them by itself."""


class Datagrams(ByHand):
    """By hand, to a port that does not answer."""

    @staticmethod
    def port(rig):
        return rig.metrics_port


class Hammer(ByHand):
    @staticmethod
    def offer(rig, events, first):
        scenario = rig.scenario
        command = [str(rig.millrace), "hammer", "--ports", ",".join(map(str, rig.ports)), "--count",
                   str(events // scenario.ports), "--size", str(scenario.event_bytes), "--pad", scenario.padding,
                   "--connections", str(scenario.connections)]
        if scenario.rate:
            command += ["--rate", str(scenario.rate)]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=open(rig.folder / "hammer.log", "w"))


class Exec(ByHand):
    """cat of the warm-up's files, a wait for the go, cat of the measured part's: the files repeat. Each of several sources
    prints its share."""

    @staticmethod
    def values(rig):
        warm_up, events = (rig.inputs.files(n // rig.scenario.sources, rig.scenario.event_bytes)
                           for n in (rig.warm_up_events, rig.events))
        go = rig.folder / "go"
        return {"COMMAND": f"cat {warm_up}; while [ ! -e {go} ]; do sleep 0.01; done; exec cat {events}"}

    @staticmethod
    def port(rig):
        return rig.metrics_port

    @staticmethod
    def offer(rig, events, first):
        if not first:
            (rig.folder / "go").touch()


class Files(ByHand):
    """Files that appear, whole, in the folder `in`: the warm-up's, then those of the measured part."""

    @staticmethod
    def values(rig):
        (rig.folder / "in").mkdir()
        for name, events in (("warm-up", rig.warm_up_events), ("measured", rig.events)):
            (rig.folder / name).mkdir()
            for path in rig.inputs.folder(rig.scenario.files, events // rig.scenario.files, rig.scenario.event_bytes):
                link_or_copy(path, rig.folder / name / f"{name}-{path.name}")
        return {}

    @staticmethod
    def port(rig):
        return rig.metrics_port

    @staticmethod
    def offer(rig, events, first):
        for path in sorted((rig.folder / ("warm-up" if first else "measured")).iterdir()):
            path.rename(rig.folder / "in" / path.name)


def link_or_copy(path, to):
    """Afterwards the page cache holds the file: a disk is not what is measured."""
    with open(path, "rb") as file:
        while file.read(1 << 20):
            pass
    try:
        os.link(path, to)
    except OSError:  # Another file system.
        shutil.copyfile(path, to)


LOADS = {"hammer": Hammer, "exec": Exec, "files": Files, "by hand": ByHand, "datagrams": Datagrams}
