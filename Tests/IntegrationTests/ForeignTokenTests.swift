import APNsSimulator
import EventLoop
import Foundation
import Testing

/// Python clients whose provider tokens say in a form of their own when they were issued: a number
/// with a fraction, or a number as a string. APNs accepts both.
@Suite struct `A third-party client with an unusual provider token` {
    /// Python with the clients in it, as `make python-clients` leaves it.
    private static let python = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".build/python-clients/bin/python3").path
    private static let hasClients =
        (try? ChildProcess.run(python, ["-c", "import pyapns_client, apns2.client, kalyke"]))?
        .exitCode == 0

    @Test(
        .enabled(if: hasClients, "make python-clients has no package registry"),
        arguments: [
            ("pyapns_client", pyapnsClient, "410 UnregisteredException"),
            ("mopyapns", mopyapns, "Unregistered"),
            ("kalyke-apns", kalyke, "Unregistered"),
        ])
    func `has its push accepted, and learns of an unregistered token`(
        client: String, script: String, response: String
    ) throws {
        let stage = try ForeignStage()
        defer { stage.end() }
        let message = try stage.run(
            Self.python,
            [
                "-c", script, String(stage.port), stage.path("ca.pem"), stage.path("AuthKey.p8"),
                SimulatorIdentity.defaultKeyID, SimulatorIdentity.defaultTeamID,
                String(repeating: "7", count: 64), "dead" + String(repeating: "7", count: 60),
            ])
        #expect(message == "accepted\n\(response)\n", "\(client)")
        #expect(stage.server.snapshot.accepted == 1)
    }

    private static let pyapnsClient = """
        import sys, warnings
        warnings.simplefilter("ignore")
        import pyapns_client
        port, ca, key, key_id, team_id, *tokens = sys.argv[1:]
        pyapns_client.APNSClient.BASE_URLS["prod"] = f"https://localhost:{port}"
        client = pyapns_client.APNSClient("prod", ca, key, key_id, team_id)
        alert = pyapns_client.IOSPayloadAlert(body="Hello")
        payload = pyapns_client.IOSPayload(alert=alert)
        notification = pyapns_client.IOSNotification(payload, topic="com.example.app")
        for token in tokens:
            try:
                client.push(notification, token)
                print("accepted")
            except pyapns_client.APNSDeviceException as error:
                print(error.status_code, type(error).__name__)
        """

    private static let mopyapns = """
        import os, sys
        port, ca, key, key_id, team_id, *tokens = sys.argv[1:]
        os.environ["SSL_CERT_FILE"] = ca
        from apns2.client import APNsClient
        from apns2.credentials import TokenCredentials
        from apns2.errors import APNsException
        from apns2.payload import Payload
        APNsClient.LIVE_SERVER, APNsClient.DEFAULT_PORT = "localhost", int(port)
        client = APNsClient(TokenCredentials(key, key_id, team_id))
        for token in tokens:
            try:
                client.send_notification(token, Payload(alert="Hello"), "com.example.app")
                print("accepted")
            except APNsException as error:
                print(type(error).__name__)
        """

    private static let kalyke = """
        import asyncio, os, sys
        port, ca, key, key_id, team_id, *tokens = sys.argv[1:]
        os.environ["SSL_CERT_FILE"] = ca
        import kalyke
        from kalyke.exceptions import ApnsProviderException
        class Client(kalyke.ApnsClient):
            _base_url = f"https://localhost:{port}"
        async def main():
            client = Client(False, team_id, key_id, key)
            for token in tokens:
                try:
                    await client.send_message(
                        token, kalyke.Payload(alert="Hello"), kalyke.ApnsConfig("com.example.app"))
                    print("accepted")
                except ApnsProviderException as error:
                    print(type(error).__name__)
        asyncio.run(main())
        """
}
