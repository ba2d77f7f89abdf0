import Foundation
import TLS
import Testing

/// What is wrong with Kafka or with APNs when a connector is started.
@Suite struct `A connector whose Kafka or APNs is faulty` {
    @Test func `is not started without its topics`() throws {
        let world = try BadInputWorld()
        world.hide("\(world.topic).gone")
        let ending = try world.run()
        let bootstrap = try #require(
            String(contentsOf: world.folder.appending(path: "orders.yaml"), encoding: .utf8)
                .split(separator: "\n").first { $0.contains("bootstrap.servers: ") }?
                .split(separator: " ").last)
        try world.expect(
            ending, code: 69,
            "orders.yaml:16:17: error: Kafka has no topic '\(world.topic).gone'",
            remedy: "create it: kafka-topics.sh --bootstrap-server \(bootstrap) --create --topic "
                + "\(world.topic).gone --partitions 1 --config cleanup.policy=compact, "
                + "or run 'apns-bridge create-topics' with this file, "
                + "or start with --create-topics")
    }

    @Test func `is not started if Kafka does not respond`() throws {
        let world = try BadInputWorld()
        let peer = try WrongPeer(.refuses)
        let ending = try world.run("  bootstrap", "  bootstrap.servers: 127.0.0.1:\(peer.port)")
        try world.expect(
            ending, code: 69,
            "orders.yaml:5:22: error: no connection to Kafka: 127.0.0.1:\(peer.port): "
                + "Connect to 127.0.0.1:\(peer.port) failed: Connection refused",
            remedy: "start Kafka there, or correct the address in bootstrap.servers")
    }

    @Test func `stops on request while Kafka does not respond`() throws {
        let world = try BadInputWorld()
        let peer = try WrongPeer(.isSilent)
        try world.writeConnector("  bootstrap", "  bootstrap.servers: 127.0.0.1:\(peer.port)")
        let began = ContinuousClock.now
        let ending = try Program.interrupt(
            ["run", "orders.yaml"], in: world.folder, onceItSays: "checking connectivity")
        #expect(ending.code == 0)
        #expect(ending.errors.contains(" info stopped\n"))
        #expect(ContinuousClock.now - began < .seconds(10))
    }

    @Test func `says in its first line which version and commit it runs`() throws {
        let world = try BadInputWorld()
        let peer = try WrongPeer(.isSilent)
        try world.writeConnector("  bootstrap", "  bootstrap.servers: 127.0.0.1:\(peer.port)")
        let ending = try Program.interrupt(
            ["run", "orders.yaml"], in: world.folder, onceItSays: "checking connectivity")
        let line = try #require(ending.errors.split(separator: "\n").first)
        let known = try Program.run("version").output.split(separator: "\n")
        #expect(line.contains(" info starting "))
        #expect(line.contains(" version=\(known[0].dropFirst("apns-bridge ".count))"))
        #expect(line.contains(" commit=\(known[1].dropFirst("commit ".count)) "))
        #expect(line.contains(" librdkafka_lacks="))
    }

    @Test func `is not started if APNs refuses the connection`() throws {
        let world = try BadInputWorld()
        let peer = try WrongPeer(.refuses)
        let ending = try world.run("  endpoint", "  endpoint: https://127.0.0.1:\(peer.port)")
        try world.expect(
            ending, code: 69,
            "orders.yaml:7:13: error: no connection to APNs at 127.0.0.1:\(peer.port): connect: "
                + "connection refused",
            remedy: "start the server there, or correct the address in 'endpoint'")
    }

    @Test(arguments: [
        (
            "HTTP/1.1 400 Bad Request\r\n\r\n",
            "TLS: the handshake with 127.0.0.1: the peer does not speak TLS "
                + "(OpenSSL: wrong version number)"
        ),
        ("", "the peer closed the connection before it spoke HTTP/2"),
    ])
    func `is not started if APNs does not speak TLS`(message: String, finding: String) throws {
        let world = try BadInputWorld()
        let peer = try WrongPeer(.says(message))
        let ending = try world.run("  endpoint", "  endpoint: https://127.0.0.1:\(peer.port)")
        try world.expect(
            ending, code: 69,
            "orders.yaml:7:13: error: no connection to APNs at 127.0.0.1:\(peer.port): \(finding)",
            remedy: "'endpoint' must be the address of an HTTP/2 server with TLS, such as the "
                + "simulator")
    }

    @Test func `is not started if another authority signed the certificate of APNs`() throws {
        let world = try BadInputWorld()
        try world.write(
            CertificateAuthority.generate(name: "Another").certificatePEM, to: "ca.pem")
        let ending = try world.run()
        try world.expect(
            ending, code: 69,
            "orders.yaml:8:12: error: no connection to APNs at localhost:\(world.port) "
                + "(127.0.0.1:\(world.port)): TLS: certificate verify failed: "
                + "unable to get local issuer certificate, for localhost "
                + "(CN = localhost, issued by CN = APNs simulator)",
            remedy: "set 'ca_file' to the authority that signed the certificate; the simulator's "
                + "is ca.pem in its state folder")
    }

    @Test func `is not started if the certificate of APNs is for another host`() throws {
        let world = try BadInputWorld(host: "127.0.0.2")
        let ending = try world.run("  endpoint", "  endpoint: https://127.0.0.2:\(world.port)")
        try world.expect(
            ending, code: 69,
            "orders.yaml:7:13: error: no connection to APNs at 127.0.0.2:\(world.port): "
                + "TLS: certificate verify failed: IP address mismatch: connected to "
                + "127.0.0.2, but its certificate is for DNS:localhost, IP Address:127.0.0.1, "
                + "IP Address:0:0:0:0:0:0:0:1",
            remedy:
                "use a host name of the certificate in 'endpoint'; the simulator adds names with "
                + "--host-name")
    }
}
