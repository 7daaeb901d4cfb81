"""What the drivers of a whole agent share: their options, their folder, their last step."""
import argparse
import pathlib
import shutil
import subprocess
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]


def options_of(doc):
    """A parser that knows what every driver takes; `doc` is the driver's own."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--millrace", type=pathlib.Path, default=TOP / "build/release/millrace")
    parser.add_argument("--keep", action="store_true", help="keep the files")
    return parser


def drive(name, options, run, say=lambda folder: f"The files are in {folder}."):
    """run(options, folder) in a temporary folder, which stays when that is not True; the exit status."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"millrace-{name}-"))
    passed = False
    try:
        passed = run(options, folder)
    finally:
        if passed and not options.keep:
            shutil.rmtree(folder)
        else:
            print(say(folder))
    return 0 if passed else 1


def verify(options, sent, folder):
    """`millrace verify` of what the senders reported and the sinks wrote: (nothing lost, its report)."""
    command = [options.millrace, "verify", "--sent", sent, folder]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    print(run.stdout + run.stderr, end="", flush=True)
    return run.returncode == 0, run.stdout
