import APNsSimulator
import Foundation
import Testing

/// Clients from other projects, unmodified.
@Suite(.serialized) struct `A third-party client of the simulator` {
    private static let phone = String(repeating: "7", count: 64)
    private static let dead = "dead" + String(repeating: "7", count: 60)

    /// Python with the clients in it, as `make python-clients` leaves it.
    private static let python = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".build/python-clients/bin/python3").path

    private static func has(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: path)
    }

    @Test(.enabled(if: has(python), "make python-clients has no package registry"))
    func `aioapns sends pushes and receives 410 for an unregistered token`() throws {
        let stage = try ForeignStage()
        defer { stage.end() }
        let message = try stage.run(
            Self.python,
            [
                "-c", Self.aioapns, String(stage.port), stage.path("ca.pem"),
                stage.path("AuthKey.p8"), SimulatorIdentity.defaultKeyID,
                SimulatorIdentity.defaultTeamID, Self.phone, Self.dead,
            ])
        #expect(message == "200 \n410 Unregistered\n300\n")
        #expect(stage.server.snapshot.accepted == 301)
    }

    @Test(.enabled(if: has(python), "make python-clients has no package registry"))
    func `httpx with h2 sends pushes and receives 410 and 413`() throws {
        let stage = try ForeignStage()
        defer { stage.end() }
        let message = try stage.run(
            Self.python,
            [
                "-c", Self.httpx, String(stage.port), stage.path("ca.pem"), stage.bearer,
                Self.phone, Self.dead,
            ])
        let lines = message.split(separator: "\n")
        #expect(lines.first == "HTTP/2 200 ")
        #expect(lines.dropFirst().first?.contains(#"410 {"reason":"Unregistered""#) == true)
        #expect(lines.suffix(2) == [#"413 {"reason":"PayloadTooLarge"}"#, "300"])
    }

    @Test(.enabled(if: has("/usr/bin/curl"), "curl is not installed"))
    func `curl pushes over HTTP/2`() throws {
        let stage = try ForeignStage()
        defer { stage.end() }
        let message = try stage.run(
            "/usr/bin/curl",
            ["--silent", "--http2", "--cacert", stage.path("ca.pem"), "--data", "{\"aps\":{}}"]
                + stage.headers("--header")
                + [
                    "--write-out", " %{http_code} %{http_version} %{content_type}",
                    stage.url(Self.dead),
                ])
        #expect(message.hasPrefix(#"{"reason":"Unregistered","timestamp":"#))
        #expect(message.hasSuffix(" 410 2 application/json"))
    }

    @Test(.enabled(if: has("/usr/bin/curl"), "curl is not installed"))
    func `curl gets its apns-id back, or a new one`() throws {
        let stage = try ForeignStage()
        defer { stage.end() }
        func identifier(_ fields: [String], to token: String) throws -> String {
            let message = try stage.run(
                "/usr/bin/curl",
                ["--silent", "--http2", "--cacert", stage.path("ca.pem"), "--data", "{}"]
                    + stage.headers("--header") + fields.flatMap { ["--header", $0] }
                    + ["--dump-header", "-", "--output", "/dev/null", stage.url(token)])
            #expect(!message.contains("apns-unique-id"), "that is of the other environment")
            let field = try #require(message.firstMatch(of: /apns-id: ([0-9a-f-]{36})\r\n/))
            return String(field.output.1)
        }
        let own = "123e4567-e89b-12d3-a456-42665544000a"
        for token in [Self.phone, Self.dead] {
            #expect(try identifier(["apns-id: " + own], to: token) == own)
            let made = try identifier([], to: token)
            #expect(try made != own && made != identifier([], to: token))
        }
    }

    @Test(.enabled(if: has("/usr/bin/curl"), "curl is not installed"))
    func `curl pushes with a certificate, from PEM and from PKCS#12`() throws {
        let stage = try ForeignStage()
        defer { stage.end() }
        for certificate in [
            ["--cert", stage.path("client.pem")],
            ["--cert-type", "P12", "--cert", stage.path("client.p12") + ":simulator"],
        ] {
            for (topic, response) in [
                ("com.example.app", " 200"),
                ("com.example.pay", #"{"reason":"TopicDisallowed"} 400"#),
            ] {
                let message = try stage.run(
                    "/usr/bin/curl",
                    ["--silent", "--http2", "--cacert", stage.path("ca.pem"), "--data", "{}"]
                        + certificate + ["--header", "apns-topic: " + topic]
                        + ["--write-out", " %{http_code}", stage.url(Self.phone)])
                #expect(message == response)
            }
        }
    }

    @Test(.enabled(if: has("/usr/bin/nghttp"), "nghttp is not installed"))
    func `nghttp pushes and shows the frames`() throws {
        let stage = try ForeignStage()
        defer { stage.end() }
        let message = try stage.run(
            "/usr/bin/nghttp",
            ["-v", "-n", "--no-dep", "-H", ":method: POST", "-d", stage.path("body")]
                + stage.headers("-H") + [stage.url(Self.phone)])
        #expect(message.contains(":status: 200"))
        #expect(message.contains("SETTINGS_MAX_CONCURRENT_STREAMS(0x03):1]"))
        #expect(message.contains("SETTINGS_MAX_CONCURRENT_STREAMS(0x03):1000]"))
    }

    @Test(.enabled(if: has("/usr/bin/h2load"), "h2load is not installed"))
    func `h2load pushes thousands, and loses none if streams are allowed at once`() throws {
        let stage = try ForeignStage(scenario: "load")
        defer { stage.end() }
        let message = try stage.run(
            "/usr/bin/h2load",
            ["-n", "5000", "-c", "2", "-m", "50", "-d", stage.path("body")]
                + stage.headers("-H") + [stage.url(Self.phone)])
        #expect(stage.server.snapshot.accepted == 5000, "\(message)")
    }

    private static let aioapns = """
        import asyncio, logging, ssl, sys
        logging.disable()
        from aioapns import APNs, NotificationRequest
        from aioapns.connection import APNsProductionClientProtocol
        port, ca, key, key_id, team_id, *tokens = sys.argv[1:]
        APNsProductionClientProtocol.APNS_SERVER = "localhost"
        APNsProductionClientProtocol.APNS_PORT = int(port)
        async def main():
            client = APNs(key=open(key).read(), key_id=key_id, team_id=team_id,
                          topic="com.example.app", max_connections=2,
                          ssl_context=ssl.create_default_context(cafile=ca))
            async def push(token):
                return await client.send_notification(
                    NotificationRequest(device_token=token, message={"aps": {"alert": "Hello"}}))
            for token in tokens:
                answer = await push(token)
                print(answer.status, answer.description or "")
            answers = await asyncio.gather(*(push(tokens[0]) for _ in range(300)))
            print(sum(answer.is_successful for answer in answers))
        asyncio.run(main())
        """

    private static let httpx = """
        import asyncio, ssl, sys
        import httpx
        port, ca, bearer, *tokens = sys.argv[1:]
        async def main():
            context = ssl.create_default_context(cafile=ca)
            async with httpx.AsyncClient(http2=True, verify=context, timeout=30) as client:
                async def push(token, content):
                    return await client.post(
                        f"https://localhost:{port}/3/device/{token}", content=content,
                        headers={"authorization": f"bearer {bearer}",
                                 "apns-topic": "com.example.app", "apns-push-type": "alert"})
                for token in tokens:
                    answer = await push(token, b'{"aps":{"alert":"Hello"}}')
                    print(answer.http_version, answer.status_code, answer.text)
                answer = await push(tokens[0], b'{"a":"' + b"x" * 60000 + b'"}')
                print(answer.status_code, answer.text)
                answers = await asyncio.gather(*(push(tokens[0], b"{}") for _ in range(300)))
                print(sum(answer.status_code == 200 for answer in answers))
        asyncio.run(main())
        """
}
