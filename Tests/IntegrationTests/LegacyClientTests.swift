import Foundation
import Kafka
import Testing

/// Clients of Apple's old interface that nobody here wrote, unmodified but for host and port.
@Suite(.serialized) struct `A legacy client from PyPI` {
    /// Where `make python-clients` puts them.
    private static let position = ComposeFile.root.appending(path: ".build/python-clients")
    private static let hasClients: Bool = {
        let library = position.appending(path: "lib").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        return names.contains {
            FileManager.default.fileExists(atPath: "\(library)/\($0)/site-packages/apns3.py")
        }
    }()
    private static let phone = String(repeating: "7", count: 64)
    private static let dead = "dead" + String(repeating: "7", count: 60)

    /// Runs a client against a gateway and a feedback service that has one unregistered token to
    /// report.
    private func run(_ script: String, _ body: (String, [LegacyEvent]) throws -> Void) throws {
        let world = try LegacyWorld(.embedded(try EmbeddedCluster()))
        let gateway = try world.startGateway()
        let feedback = try world.startFeedback()
        var writer = try RecordWriter(properties: world.world.properties)
        let value =
            #"{"device_token":"\#(Self.dead)","bundle_id":"com.example.shop","#
            + #""environment":"production","reason":"Unregistered","timestamp":1700000000000}"#
        try writer.write(
            world.world.unregistered, key: Array("k".utf8), value: Array(value.utf8))
        try writer.flush()
        let message = try world.provider(
            script, "\(gateway.port)", "\(feedback.port)", world.path("client.pem"), Self.phone,
            python: Self.position.appending(path: "bin/python3").path
        ).finish()
        #expect(gateway.terminate() == 0)
        try body(message, try world.events())
    }

    @Test(.enabled(if: hasClients, "make python-clients has no package registry"))
    func `apns3 pushes with all three commands, receives an error, and fetches`() throws {
        try run(Self.apns3) { message, events in
            #expect(
                message == "{'status': 7, 'identifier': 301}\n"
                    + "b'\(Self.dead)' 2023-11-14 22:13:20\n")
            #expect(events.count == 8)
            #expect(events.filter { $0.command == 0 }.count == 1)
            let enhanced = events.filter { $0.command == 1 }.compactMap(\.identifier)
            #expect(enhanced.sorted() == [100, 101, 102, 300])
            let framed = events.filter { $0.command == 2 }
            #expect(framed.compactMap(\.identifier).sorted() == [200, 201, 202])
            #expect(framed.allSatisfy { $0.object["priority"] as? Int == 10 })
            #expect(events.allSatisfy { $0.key == Self.phone })
        }
    }

    @Test(.enabled(if: hasClients, "make python-clients has no package registry"))
    func `pushjack pushes, continues after a token that is wrong, and fetches`() throws {
        try run(Self.pushjack) { message, events in
            #expect(
                message == "300 0\n4 [2] APNSInvalidTokenSizeError\n\(Self.dead) 1700000000\n")
            #expect(events.count == 304)
        }
    }

    @Test(.enabled(if: hasClients, "make python-clients has no package registry"))
    func `apns-clerk pushes, receives an error, and fetches`() throws {
        try run(Self.clerk) { message, events in
            #expect(
                message
                    == "{} [] False\n{} [(1, 'Processing error')] True\n\(Self.dead) 1700000000\n"
            )
            #expect(events.count == 200)
            #expect(events.allSatisfy { $0.object["priority"] as? Int == 5 })
        }
    }

    @Test(.enabled(if: hasClients, "make python-clients has no package registry"))
    func `pushjack fetches the dead token of a push as the article shows`() throws {
        let world = try LegacyWorld(.embedded(try EmbeddedCluster()))
        let gateway = try world.startGateway()
        let feedback = try world.startFeedback()
        let bridge = try world.world.start()
        func session(_ port: Int, _ lines: [String]) throws -> [String] {
            try ProviderProcess(
                Self.session, ["\(port)", world.path("client.pem")] + lines,
                python: Self.position.appending(path: "bin/python3").path
            ).finish().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        _ = try session(
            gateway.port,
            Self.beginning + [
                #"client.host, client.port = "localhost", PORT"#,
                #"client.send(["\#(Self.phone)", "\#(Self.dead)"], "Hello").failures"#,
            ])
        try world.waitFor(1, in: world.world.unregistered)
        let lines = try session(
            feedback.port,
            Self.beginning + [
                #"client.feedback_host, client.feedback_port = "localhost", PORT"#,
                "for token, time in client.get_expired_tokens():", "    print(token, time)", "",
                "client.get_expired_tokens()",
            ]
        ).map { $0.replacing("PORT", with: "2196") }
        try #require(lines.count == 10, "\(lines)\(gateway.said)\(feedback.said)")
        #expect(lines[5] == "... ")
        #expect(lines[6].wholeMatch(of: /dead7{60} \d{10}/) != nil, "\(lines[6])")
        #expect(lines.suffix(3) == [">>> client.get_expired_tokens()", "[]", ""])
        for service in [gateway, feedback] { #expect(service.terminate() == 0) }
        #expect(bridge.terminate() == 0)
        try TerminalPicture(lines: ["$ python3"] + lines.dropLast()).write(
            to: "legacy-feedback.svg")
    }

    private static let beginning = [
        "from pushjack import APNSClient",
        #"client = APNSClient(certificate="simulator/client.pem")"#,
    ]

    /// A session in Python's own console, with everything that is typed. The port and the
    /// certificate are replaced as it is read.
    private static let session = """
        import code, sys
        port, certificate, *lines = sys.argv[1:]
        class Session(code.InteractiveConsole):
            def raw_input(self, prompt=""):
                if not lines: raise EOFError
                line = lines.pop(0)
                print(prompt + line)
                return line.replace("PORT", port).replace("simulator/client.pem", certificate)
        sys.ps1, sys.ps2 = ">>> ", "... "
        Session().interact(banner="", exitmsg="")
        """

    private static let apns3 = """
        import sys, threading, time
        from apns3 import APNs, Frame, Payload
        # Its own thread trips over itself when it wants to send again.
        threading.excepthook = lambda *_: None
        port, feedback_port, certificate, token = sys.argv[1:]
        def at(connection, port):
            connection.server, connection.port = "localhost", int(port)
            return connection
        simple = APNs(cert_file=certificate, key_file=certificate)
        at(simple.gateway_server, port).send_notification(token, Payload(alert="simple", badge=1))
        received = []
        gateway = at(APNs(cert_file=certificate, key_file=certificate, enhanced=True)
                     .gateway_server, port)
        gateway.register_response_listener(received.append)
        for number in range(3):
            gateway.send_notification(token, Payload(alert="enhanced"), identifier=100 + number)
        frame = Frame()
        for number in range(3):
            frame.add_item(token, Payload(alert="frame"), 200 + number, int(time.time()) + 60, 10)
        gateway.send_notification_multiple(frame)
        gateway.send_notification(token, Payload(alert="last"), identifier=300)
        gateway.send_notification(token, Payload(alert="x" * 300), identifier=301)
        end = time.monotonic() + 30
        while not received and time.monotonic() < end: threading.Event().wait(0.05)
        print(*received)
        gateway.force_close()
        for dead, when in at(simple.feedback_server, feedback_port).items(): print(dead, when)
        """

    private static let pushjack = """
        import sys
        from pushjack import APNSClient
        port, feedback_port, certificate, token = sys.argv[1:]
        client = APNSClient(certificate=certificate, default_error_timeout=1)
        client.host, client.port = "localhost", int(port)
        client.feedback_host, client.feedback_port = "localhost", int(feedback_port)
        result = client.send(["%064x" % number for number in range(300)], "Hello", badge=2)
        print(len(result.successes), len(result.failures))
        tokens = ["%064x" % number for number in range(5)]
        tokens[2] = "ab" * 101
        result = client.send(tokens, "Hello")
        print(len(result.successes), [tokens.index(one) for one in result.failures],
              *(type(error).__name__ for error in result.errors))
        for one in client.get_expired_tokens(): print(one.token, one.timestamp)
        """

    private static let clerk = """
        import sys
        import OpenSSL
        # It asks pyOpenSSL for TLS 1.0 alone, which today's OpenSSL does not even offer.
        OpenSSL.SSL.TLSv1_METHOD = OpenSSL.SSL.TLS_METHOD
        from apns_clerk import APNs, Message, Session
        port, feedback_port, certificate, token = sys.argv[1:]
        def at(port):
            session = Session(read_tail_timeout=1)
            return APNs(session.new_connection(("localhost", int(port)), cert_file=certificate))
        def push(message):
            result = at(port).send(message)
            print(result.failed, result.errors, result.needs_retry())
        push(Message(["%064x" % number for number in range(200)], alert="Hello", priority=5))
        push(Message([token], payload={"x": 1}))
        for dead, when in at(feedback_port).feedback():
            dead = dead if isinstance(dead, str) else dead.decode()
            print(dead, int(when.timestamp()))
        """
}
