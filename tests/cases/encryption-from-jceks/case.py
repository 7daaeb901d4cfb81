"""A Flume site that encrypts with a JCEKS keystore: refused by name, then the way out that the user guide tells.

Flume's documentation makes such a store with keytool and names it in encryption.keyProvider.keyStoreFile. Needs a JDK.
"""
import pathlib
import shutil
import subprocess

EXPORT = pathlib.Path(__file__).resolve().parents[3] / "examples/ExportKey.java"
LINES = [f"secret-{number:02d}" for number in range(20)]


def keytool(case, alias, bits, password):
    subprocess.run(["keytool", "-genseckey", "-alias", alias, "-keyalg", "AES", "-keysize", str(bits), "-storetype", "jceks",
                    "-keystore", case.out / "store", "-storepass", "keyStorePassword", "-keypass", password],
                   check=True, capture_output=True)


def export(case, alias, *password_file):
    run = subprocess.run(["java", EXPORT, case.out / "store", case.out / "store.password", alias, *password_file],
                         check=True, capture_output=True, text=True)
    path = case.out / alias
    path.touch(0o600)
    path.write_text(run.stdout)
    return path


def refused(case):
    run = subprocess.run([case.millrace, "check", case.render("flume.conf")], capture_output=True, text=True, check=False)
    case.equal("Flume's file is refused", run.returncode, 78)
    said = run.stdout + run.stderr
    case.ok("the fault names the way out", "JCEKSFILE" in said and "ExportKey.java" in said and "keys.key-0.file" in said)


def encrypted(case):
    case.make("data", "checkpoint")
    agent = case.start("nowhere.conf")
    port = case.port("IN_PORT")
    case.listens("listens with the key of the store", agent, port)
    replies = case.send(port, "".join(line + "\n" for line in LINES).encode(), replies=len(LINES))
    case.equal("acknowledged", replies.count(b"OK\n"), len(LINES))
    agent.kill()
    on_disk = b"".join(path.read_bytes() for path in (case.out / "data").glob("*.wal"))
    case.ok("something is on the disk, and nothing of it can be read", on_disk and b"secret" not in on_disk)
    case.make("sink")
    case.start("delivering.conf")
    case.ok("all come back after a kill", case.wait_lines("sink", len(LINES), 60))
    case.equal("as they were sent", sorted(case.lines("sink")), LINES)


def run(case):
    if not shutil.which("keytool") or not shutil.which("java"):
        print("  no JDK here: nothing to do")
        return
    (case.out / "store.password").write_text("keyStorePassword\n")
    (case.out / "key.password").write_text("keyPassword\n")
    keytool(case, "key-0", 128, "keyPassword")
    keytool(case, "key-1", 256, "keyStorePassword")
    refused(case)
    case.equal("a key with a password of its own", len(export(case, "key-0", case.out / "key.password").read_text()), 33)
    case.equal("a key with the store's password", len(export(case, "key-1").read_text()), 65)
    encrypted(case)
