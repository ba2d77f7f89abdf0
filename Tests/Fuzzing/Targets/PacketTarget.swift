internal import Delivery
internal import JSON
internal import LegacyProviders

/// A legacy provider's stream: however it is split, it has the same packets, and each one taken
/// becomes an event.
enum PacketTarget {
    private static let app = EventWriter.App(
        name: "a", bundleID: "com.example", environment: "production")

    static func run(_ bytes: [UInt8]) {
        let whole = read(bytes, pieces: bytes.count)
        let cut = read(bytes, pieces: 1 + bytes.count % 7)
        precondition(cut == whole, "cut otherwise, read otherwise")
        for case .packet(let packet) in whole { check(packet) }
        checkGateway(bytes, whole)
    }

    private static func read(_ bytes: [UInt8], pieces: Int) -> [PacketReader.Finding] {
        var reader = PacketReader(limits: PacketLimits())
        var findings: [PacketReader.Finding] = []
        for start in stride(from: 0, to: bytes.count, by: max(1, pieces)) {
            let piece = Array(bytes[start..<min(start + max(1, pieces), bytes.count)])
            unsafe reader.receive(piece.span.bytes)
            while let finding = reader.next() { findings.append(finding) }
            precondition(reader.pending <= 65_541, "more is kept than one frame")
        }
        return findings
    }

    private static func check(_ packet: PushPacket) {
        precondition((1...100).contains(packet.deviceToken.count), "no device token")
        let limit = packet.command == .frame ? 2048 : 256
        precondition((1...limit).contains(packet.payload.count), "no payload")
        var writer = EventWriter()
        guard let event = writer.event(of: packet, for: app) else { return }
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(unsafe event.span.bytes)
        } catch {
            preconditionFailure("an event that is not JSON: \(error)")
        }
        let span = event.span
        guard let payload = tape.member("payload", of: 0, in: unsafe span.bytes) else {
            preconditionFailure("an event without a payload")
        }
        precondition(tape[payload].kind == .object, "a payload that is not an object")
        precondition(tape.next(after: payload) == tape.count, "the payload does not end the event")
    }

    /// A gateway accepts the packets before the first invalid one, and responds once at most.
    private static func checkGateway(_ bytes: [UInt8], _ findings: [PacketReader.Finding]) {
        var core = GatewayCore(apps: [app], limits: GatewayLimits(inFlight: 1_000_000))
        core.opened(1, app: 0, at: .distantPast)
        unsafe core.received(bytes.span.bytes, from: 1, at: .distantPast)
        var tickets: [UInt64] = []
        var responses = 0
        func count(_ commands: [GatewayCore.Command]) {
            for command in commands {
                switch command {
                case .publish(let ticket, _, _): tickets.append(ticket)
                case .link(_, .send): responses += 1
                case .link: break
                }
            }
        }
        count(core.takeCommands())
        precondition(tickets.count <= findings.count, "more was taken than was sent")
        for ticket in tickets.reversed() { _ = core.ended(ticket: ticket, .stored) }
        core.stop()
        count(core.takeCommands())
        precondition(responses <= 1 && core.inFlight == 0, "answered twice, or something is left")
    }
}
