"""A line between a laptop and a mirror that fails in every way, for tests and measurements."""

import random
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

CHUNK = 4096


@dataclass
class BadLine:
    """Passes connections on to a port, except those that `fails` says otherwise of: "drop" (closed at once), "cut"
    (closed in the middle), "nonsense" (answered by somebody else), "half" (the message arrives, the answer does not).
    `rate` is in bytes a second, which all connections share, None for no limit."""

    port: int
    fails: Callable[[], str] = lambda: ""
    rate: float | None = None
    passed: list[bytes] = field(default_factory=list)
    listening: socket.socket = field(init=False)
    _narrow: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.listening.getsockname()[1]}"

    def close(self) -> None:
        self.listening.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _where = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(near, self.fails()), daemon=True).start()

    def _serve(self, near: socket.socket, fails: str) -> None:
        with near:
            if fails == "drop":
                return
            if fails == "nonsense":
                near.recv(CHUNK)
                near.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nWelcome")
                return
            try:
                with socket.create_connection(("127.0.0.1", self.port)) as far:
                    back = threading.Thread(target=self._pass, args=(far, near, fails == "half"), daemon=True)
                    back.start()
                    self._pass(near, far, False, most=200 if fails == "cut" else None)
                    back.join(0 if fails == "cut" else 10)
            except OSError:
                return

    def _pass(self, source: socket.socket, sink: socket.socket, swallows: bool, most: int | None = None) -> None:
        count = 0
        try:
            while piece := source.recv(CHUNK):
                self.passed.append(piece)
                count += len(piece)
                if self.rate:
                    with self._narrow:
                        time.sleep(len(piece) / self.rate)
                if most is not None and count > most:
                    return
                if not swallows:
                    sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            return


def choose_failures(seed: int, share: float = 0.5) -> Callable[[], str]:
    """Failures of each kind by chance, in that share of the connections."""
    rng = random.Random(seed)
    return lambda: rng.choice(("drop", "cut", "nonsense", "half")) if rng.random() < share else ""
