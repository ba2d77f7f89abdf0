import APNsSimulator
import Foundation

/// A simulator in this process that can be asked, and its state folder.
struct SimulatorWorld {
    let folder: URL
    let server: SimulatorServer
    let port: UInt16
    let adminPort: UInt16
    let token = String(repeating: "ab", count: 32)

    init(strings: LocalizedStrings = LocalizedStrings()) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "apns-simulator-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let identity = try SimulatorIdentity.kept(
            in: folder.appending(path: "simulator").path, further: [.management, .pass])
        var configuration = SimulatorConfiguration(identity: identity)
        configuration.strings = strings
        server = SimulatorServer(configuration)
        port = try server.start()
        adminPort = try server.startAdministration()
    }

    func remove() {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The part of a connector for this simulator that its notification follows; `more` follows the
    /// bundle identifier. It needs no Kafka.
    func connector(for bundleID: String, apns more: String = "") -> String {
        connector(
            topic: "shop.orders", group: "apns-orders",
            """
              key: ${file:simulator/AuthKey.p8}
              key_id: SIMULATOR1
              team_id: SIMULATEAM
              bundle_id: \(bundleID)\(more)
            """)
    }

    /// The same for the simulator's device management server, which names its own topic.
    func managementConnector() -> String {
        connector(
            topic: "mdm.commands", group: "apns-mdm",
            """
              certificate: simulator/mdm.p12
              passphrase: simulator
            """)
    }

    private func connector(topic: String, group: String, _ credential: String) -> String {
        """
        source: {topics: [\(topic)], group: \(group)}
        kafka: {bootstrap.servers: "${env:NO_SUCH_KAFKA}"}
        apns:
          endpoint: https://localhost:\(port)
          ca_file: simulator/ca.pem
          environment: production
        \(credential)
        results: {outcomes: apns.outcomes, unregistered: apns.gone, dead_letter: apns.dead}

        """
    }

    /// A text in which the usual ports are those of this simulator.
    func adapt(_ text: String) -> String {
        text.replacingOccurrences(of: "localhost:2197", with: "localhost:\(port)")
            .replacingOccurrences(of: "localhost:2198", with: "localhost:\(adminPort)")
    }

    /// Lets a device show something, without a client.
    func push(title: String, body: String = "", to token: String? = nil) {
        var alert = ["title": title]
        if !body.isEmpty { alert["body"] = body }
        let payload = try? JSONSerialization.data(withJSONObject: ["aps": ["alert": alert]])
        push(
            payload: String(decoding: payload ?? Data(), as: UTF8.self), type: "alert",
            topic: "com.example.app", to: token ?? self.token)
    }

    /// Lets a device get the payload of a Live Activity, without a client.
    func push(activity payload: String) {
        push(
            payload: payload, type: "liveactivity",
            topic: "com.example.app.push-type.liveactivity", to: token)
    }

    /// Lets a device get a payload, without a client.
    func push(payload: String, type: String, topic: String, to token: String) {
        let fields = [
            (":method", "POST"), (":path", "/3/device/\(token)"),
            ("apns-topic", topic), ("apns-push-type", type),
        ]
        server.memory?.note(
            JudgedRequest(
                arrivedAt: Int64(Date().timeIntervalSince1970 * 1000),
                fields: fields.map { ([UInt8]($0.0.utf8), [UInt8]($0.1.utf8)) },
                body: [UInt8](payload.utf8), judgement: .accepted,
                identifier: [UInt8](UUID().uuidString.lowercased().utf8)))
    }
}

/// Programs that may be there.
enum Shell {
    static func has(_ program: String) -> Bool { path(program) != nil }

    /// Where a program is, by the PATH.
    static func path(_ program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
