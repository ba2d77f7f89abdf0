import Foundation
import Testing

@testable import APNsSimulator

/// What node-apn and APNSwift send for the same things. Their requests are in `Clients`, as their
/// public source writes them.
@Suite final class `A request on the wire` {
    private let world: SimulatorWorld
    private let channel: String

    init() throws {
        world = try SimulatorWorld()
        channel = String(
            decoding: world.server.channels.make(
                for: "com.example.shop", storesLatest: false, at: 0), as: UTF8.self)
    }

    deinit { world.remove() }

    /// The requests of another client, by what they are for.
    private struct Golden {
        let client: String
        let requests: [String: WireRequest]

        init(_ name: String) throws {
            let path = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "Clients/\(name).json")
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: path))
            let members = try #require(json as? [String: Any])
            client = try #require(members["client"] as? String)
            let list = try #require(members["requests"] as? [[String: Any]])
            requests = try Dictionary(
                uniqueKeysWithValues: list.map {
                    (
                        try #require($0["what"] as? String),
                        try WireRequest(
                            headers: try #require($0["headers"] as? [String: String]),
                            body: try #require($0["body"]))
                    )
                })
        }
    }

    /// The bridge's request for one of the things.
    private func sent(_ what: String, _ notification: String) throws -> WireRequest {
        let start =
            what == "mdm" ? world.managementConnector() : world.connector(for: "com.example.shop")
        let target = what == "broadcast" ? "" : "device_token: \"${token}\", "
        try Data("\(start)notification: {\(target)\(notification)}\n".utf8)
            .write(to: world.folder.appending(path: "\(what).yaml"))
        try Data(#"{"token":"\#(world.token)","channel":"\#(channel)"}"#.utf8)
            .write(to: world.folder.appending(path: "event.json"))
        let ending = try Program.run(
            Program.path, ["send", "\(what).yaml", "event.json"], in: world.folder)
        #expect(ending.code == 0, "\(what): \(ending.output)\(ending.errors)")
        let request = try #require(world.server.memory?.requests().requests.first)
        #expect(request.field("authorization")?.hasPrefix("bearer ") != (what == "mdm"))
        return try WireRequest(request, world)
    }

    /// Where the bridge differs from all clients: each push has an ID that is derived from its
    /// record, and APNs needs neither of the other two.
    private static let always: Set<String> = [
        "apns-id", "apns-request-id", "content-type", "user-agent",
    ]

    /// Where it differs besides, and why.
    private static let differences: [String: [String: (fields: Set<String>, reason: String)]] = [
        "node-apn": [
            "mdm": (["apns-priority"], "Apple names no priority for it; node-apn sends 10 always")
        ],
        "APNSwift": [
            "voip": (["body"], ownFields), "location": (["body"], ownFields),
            "complication": (["body"], ownFields), "fileprovider": (["body"], ownFields),
            "pushtotalk": (["body"], ownFields),
            "widgets": (["apns-priority"], "10 is what APNs assumes where there is none"),
        ],
    ]

    /// APNSwift says that the payload is the root of the JSON, but writes its own properties there.
    private static let ownFields = "the payload of APNSwift is a member beside topic and priority"

    @Test func `is that of node-apn and APNSwift, but for what is listed`() throws {
        let clients = try ["node-apn", "apnswift"].map { try Golden($0) }
        for (what, notification) in ClientThings.notifications {
            let own = try sent(what, notification)
            #expect(clients.contains { $0.requests[what] != nil }, "\(what)")
            for golden in clients {
                guard let other = golden.requests[what] else { continue }
                let found = own.differences(from: other).subtracting(Self.always)
                let known = Self.differences[golden.client]?[what]?.fields ?? []
                #expect(
                    found == known, "\(what): the bridge sends\n\(own)\n\(golden.client)\n\(other)")
            }
        }
    }

    @Test func `has the payload at the root where APNSwift says that it is`() throws {
        let golden = try Golden("apnswift")
        for (what, notification) in ClientThings.notifications {
            guard Self.differences["APNSwift"]?[what]?.reason == Self.ownFields,
                let other = golden.requests[what]
            else { continue }
            let body = try JSONSerialization.jsonObject(with: Data(other.body.utf8))
            let payload = (body as? [String: Any])?["payload"] ?? [String: Any]()
            let own = try sent(what, notification)
            #expect(own.body == (try WireRequest(headers: [:], body: payload).body), "\(what)")
        }
    }

    /// Python with kalyke in it, as `make python-clients` leaves it.
    private static let python = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".build/python-clients/bin/python3").path
    private static let hasKalyke = (try? Program.run(python, ["-c", "import kalyke"]))?.code == 0

    /// Where the bridge differs from kalyke 1.5 besides, and why.
    private static let differencesOfKalyke: [String: (fields: Set<String>, reason: String)] = [
        "liveactivity-start": (["body"], "kalyke leaves out attributes and attributes-type"),
        "mdm": (
            ["apns-priority", "apns-expiration"],
            "Apple names no priority for it, and kalyke always writes an expiration"
        ),
        "location": (["apns-expiration"], "kalyke always writes an expiration"),
    ]

    @Test(.enabled(if: hasKalyke, "make python-clients has no package registry"))
    func `is that of kalyke, but for what is listed`() throws {
        let script = world.folder.appending(path: "client.py")
        try Data(Self.kalyke.utf8).write(to: script)
        let ending = try Program.run(
            Self.python,
            [
                "-W", "ignore", script.path, String(world.port), world.token,
                FurtherCertificate.management.topic,
            ], in: world.folder)
        #expect(ending.code == 0, "\(ending.output)\(ending.errors)")
        let names = ending.output.split(separator: "\n").map(String.init)
        let requests = try #require(world.server.memory?.requests().requests).reversed()
        #expect(names.count == 10 && requests.count == names.count)
        for (what, request) in zip(names, requests) {
            #expect(request.judgement?.status == 200, "\(what)")
            let other = try WireRequest(request, world)
            let notification = try #require(
                ClientThings.notifications.first { $0.what == what }?.notification)
            let own = try sent(what, notification)
            let found = own.differences(from: other).subtracting(Self.always)
            let known = Self.differencesOfKalyke[what]?.fields ?? []
            #expect(found == known, "\(what): the bridge sends\n\(own)\nkalyke\n\(other)")
        }
    }

    private static let kalyke = """
        import asyncio, os, sys
        from datetime import datetime
        os.environ["SSL_CERT_FILE"] = "simulator/ca.pem"
        import kalyke
        from kalyke import ApnsPriority, ApnsPushType, LiveActivityEvent, PayloadAlert
        port, token, management = sys.argv[1:]
        url, app, now = f"https://localhost:{port}", "com.example.shop", 1767261600
        class Client(kalyke.ApnsClient):
            _base_url = url
        class Activities(kalyke.LiveActivityClient):
            _base_url = url
        class Management(kalyke.VoIPCertificateClient):
            _base_url = url
        key = (False, "SIMULATEAM", "SIMULATOR1", "simulator/AuthKey.p8")
        def config(suffix, kind, priority=ApnsPriority.IMMEDIATELY, **more):
            return kalyke.ApnsConfig(app + suffix, push_type=kind, priority=priority, **more)
        def activity(priority=ApnsPriority.IMMEDIATELY):
            return kalyke.LiveActivityApnsConfig(
                app + ".push-type.liveactivity", priority=priority, expiration=0)
        def state(event, **more):
            return kalyke.LiveActivityPayload(
                timestamp=datetime.fromtimestamp(now), event=event, **more)
        stale = datetime.fromtimestamp(now + 600)
        low = ApnsPriority.BASED_ON_POWER
        things = [
            ("alert", Client(*key), kalyke.Payload(
                alert=PayloadAlert(title="Shipped", body="Hi"), badge=1, sound="default",
                custom={"order": "42"}),
             config("", ApnsPushType.ALERT, expiration=2114433300, collapse_id="order-42")),
            ("background", Client(*key), kalyke.Payload(
                content_available=True, custom={"mailbox": "inbox"}),
             config("", ApnsPushType.BACKGROUND, low, expiration=0)),
            ("liveactivity-start", Activities(*key), state(
                LiveActivityEvent.START, content_state={"minutes": 9}, stale_date=stale,
                attributes_type="Ride", attributes={"to": "Rua A"},
                alert=PayloadAlert(title="Ride", body="9 minutes")), activity()),
            ("liveactivity-update", Activities(*key), state(
                LiveActivityEvent.UPDATE, content_state={"minutes": 3}, stale_date=stale),
             activity(low)),
            ("liveactivity-end", Activities(*key), state(
                LiveActivityEvent.END, content_state={"minutes": 0},
                dismissal_date=datetime.fromtimestamp(0)), activity()),
            ("voip", Client(*key), {"caller": "Ana"},
             config(".voip", ApnsPushType.VOIP, expiration=0)),
            ("mdm", Management(False, "simulator/mdm.pem"), {"mdm": "8A4F6C1E"},
             kalyke.ApnsConfig(management, push_type=ApnsPushType.MDM)),
            ("location", Client(*key), {}, config(".location-query", ApnsPushType.LOCATION)),
            ("complication", Client(*key), {"steps": 9000},
             config(".complication", ApnsPushType.COMPLICATION, expiration=0)),
            ("fileprovider", Client(*key), {"container-identifier": "home"},
             config(".pushkit.fileprovider", ApnsPushType.FILE_PROVIDER, low, expiration=0)),
        ]
        async def main():
            for name, client, payload, settings in things:
                await client.send_message(token, payload, settings)
                print(name)
        asyncio.run(main())
        """
}
