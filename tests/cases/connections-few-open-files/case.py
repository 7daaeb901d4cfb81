"""More connections than files may be open: the log names the limit and one that would do, those that are open are served, and the
others as soon as there is room.
"""
import resource
import socket

from harness.process import Program

CONNECTIONS = 200
SOFT, HARD = 60, 120  # Open files of the agent's process.


def run(case):
    case.make("sink")
    agent = Program([case.millrace, "agent", "-n", "a1", "-f", case.render("agent.conf")], case.out / "agent.log",
                    preexec=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (SOFT, HARD)))
    case.agents.append(agent)
    port = case.port("IN_PORT")
    case.listens("listens", agent, port)
    clients = []
    for number in range(CONNECTIONS):
        clients.append(socket.create_connection(("127.0.0.1", port), 10))
        clients[-1].sendall(f"<13>1 2026-01-05T10:22:33Z h line {number}\n".encode())
    case.logs("the log names the limit, raised to the hard one, and one that would do", agent,
              rf"the limit of open files is {HARD}: twice as many need at least {2 * HARD} \(LimitNOFILE=")
    case.ok("more are served than the soft limit allows", case.wait_lines("sink", SOFT))
    for client in clients:
        client.close()
    case.ok("all come when there is room", case.wait_lines("sink", CONNECTIONS))
    wanted = sorted(f"line {number}" for number in range(CONNECTIONS))
    case.ok("each once", sorted(case.lines("sink")) == wanted)
