/// Old providers, written in Python.
enum LegacyScripts {
    /// Sends `count` pushes with command 1; what a gateway that stops has not taken, and what one
    /// that breaks off may not have taken, it sends again. On its first connection it listens for
    /// `timeout` seconds after the last push, afterwards for one.
    static let resending =
        connecting + """

            port_file, certificate = sys.argv[1:3]
            count, timeout = map(int, sys.argv[3:])

            def packet(number):
                payload = b'{"aps":{"alert":"%d"}}' % number
                return struct.pack("!BIIH32sH", 1, number, 0, 32, b"%032d" % number,
                                   len(payload)) + payload

            def send(number, wait):
                start, stream = number, connect(port_file, certificate)
                try:
                    while number < count:
                        end = min(number + 200, count)
                        stream.sendall(b"".join(packet(n) for n in range(number, end)))
                        if number < count // 2 <= end: print("half", flush=True)
                        number = end
                        if select.select([stream], [], [], 0)[0]: break
                except OSError: pass
                said = answer(stream, wait)
                if said is None: return count
                if not said:
                    print("broken", flush=True)
                    return start
                print("answer", *said, flush=True)
                return said[2] + 1

            sent = 0
            while sent < count: sent, timeout = send(sent, timeout), 1
            print("done", flush=True)
            """

    /// Sends each argument, a packet in hexadecimal digits, on a connection of its own, and prints
    /// what it receives.
    static let saying =
        connecting + """

            for packet in sys.argv[3:]:
                stream = connect(sys.argv[1], sys.argv[2])
                stream.sendall(bytes.fromhex(packet))
                said = answer(stream, 1)
                print("nothing" if said is None else " ".join(map(str, said)) or "end", flush=True)
            """

    /// Fetches what the feedback service has to say, and prints the device tokens.
    static let feedback =
        connecting + """

            sys.argv[1] = None
            stream = connect(int(sys.argv[2]), sys.argv[3])
            data = b""
            while more := stream.recv(4096): data += more
            while data:
                seconds, length = struct.unpack("!IH", data[:6])
                print(seconds, data[6:6 + length].hex(), flush=True)
                data = data[6 + length:]
            stream.close()
            """

    /// Fetches what the feedback service has to say, prints each device token, and then how it
    /// ended: `end` as it should, `reset`, or `silent` when nothing came for a minute. With a
    /// number of bytes it breaks off once it has read so many.
    static let fetching =
        connecting + """

            stream = connect(int(sys.argv[1]), sys.argv[2])
            limit = int(sys.argv[3]) if len(sys.argv) > 3 else None
            data, ending = b"", "end"
            try:
                while more := stream.recv(4096):
                    data += more
                    if limit and len(data) >= limit:
                        stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                          struct.pack("ii", 1, 0))
                        ending = "broken"
                        break
            except TimeoutError: ending = "silent"
            except OSError: ending = "reset"
            while len(data) >= (end := 6 + int.from_bytes(data[4:6], "big")):
                print(data[6:end].hex())
                data = data[end:]
            print(ending)
            stream.close()
            """

    private static let connecting = """
        import select, socket, ssl, struct, sys, time

        def connect(port, certificate):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            context.load_cert_chain(certificate)
            end = time.monotonic() + 60
            while True:
                try:
                    number = port if isinstance(port, int) else int(open(port).read())
                    raw = socket.create_connection(("127.0.0.1", number), 60)
                    # By default Python takes a reset for an end.
                    return context.wrap_socket(raw, suppress_ragged_eofs=False)
                except (ConnectionError, ValueError):
                    if time.monotonic() > end: raise
                    select.select([], [], [], 0.05)

        def answer(stream, seconds):
            # None: nothing came; (): it was closed without a word.
            stream.settimeout(seconds)
            data = b""
            try:
                while len(data) < 6:
                    more = stream.recv(6 - len(data))
                    if not more: return ()
                    data += more
            except TimeoutError: return None
            except OSError: return ()
            return struct.unpack("!BBI", data)
        """
}
