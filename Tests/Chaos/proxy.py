"""A TCP proxy on loopback that delays what passes, cuts connections, and forgets quiet ones."""

import contextlib
import queue
import socket
import threading
import time


class Flow:
    """What a firewall knows of a connection."""

    def __init__(self):
        self.last, self.is_gone = time.monotonic(), False

    def is_forgotten(self, proxy):
        """Notes that bytes came; true if they are dropped."""
        now = time.monotonic()
        if not self.is_gone and proxy.forget_after and now - self.last >= proxy.forget_after:
            self.is_gone = True
            proxy.forgotten += 1
        self.last = now
        return self.is_gone


class Proxy:
    """Listens on a port of its own, and forwards to `target`, an address with a port."""

    def __init__(self, target):
        host, port = target.rsplit(":", 1)
        self.target = (host, int(port))
        # Seconds by which every byte is late, in both directions.
        self.delay = 0.0
        # The seconds of quiet after which a connection is forgotten, as a firewall does: what comes
        # then is dropped without a word, in both directions. None for never.
        self.forget_after = None
        self.forgotten = 0
        self.connections = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                threading.Thread(target=self.connect, args=[near], daemon=True).start()

    def connect(self, near):
        try:
            far = socket.create_connection(self.target)
        except OSError:
            near.close()
            return
        self.connections |= {near, far}
        flow = Flow()
        for source, sink in [(near, far), (far, near)]:
            source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            late = queue.Queue(maxsize=1000)
            threading.Thread(target=self.read, args=[source, late, flow], daemon=True).start()
            threading.Thread(target=self.write, args=[source, sink, late], daemon=True).start()

    def read(self, source, late, flow):
        data = b"-"
        while data:
            try:
                data = source.recv(65536)
            except OSError:
                data = b""
            if flow.is_forgotten(self):
                continue
            late.put((time.monotonic() + self.delay, data))

    def write(self, source, sink, late):
        data = b"-"
        while data:
            due, data = late.get()
            time.sleep(max(0, due - time.monotonic()))
            with contextlib.suppress(OSError):
                sink.sendall(data) if data else sink.shutdown(socket.SHUT_WR)
        self.connections.discard(source)

    def cut(self):
        """Cuts every connection."""
        for one in list(self.connections):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self.connections.clear()

    def close(self):
        self.listener.close()
        self.cut()
