internal import Delivery

/// One provider's connection: what it has sent, how much of it Kafka has, and how it ends.
///
/// Responses preserve the protocol's order: a response about a push implies that all pushes before
/// it were accepted, so it waits until Kafka has acknowledged each of them.
struct GatewaySession {
    /// Why the connection ends once Kafka has everything accepted.
    enum Ending: Equatable {
        /// It sent an invalid packet: ends with this response, or without one.
        case fault(LegacyStatus, response: [UInt8]?)
        /// It was idle for too long.
        case silence
        /// The gateway is stopping.
        case shutdown
    }

    private struct Push {
        var ticket: UInt64
        var command: PushPacket.Command
        var identifier: UInt32?
        var isStored = false
    }

    let app: Int
    var reader: PacketReader
    var ending: Ending?
    /// The connection is to end.
    var isEnded = false
    /// The provider has ended its side, and may have gone.
    var peerHasEnded = false
    /// When bytes last came, or could not come because nothing was read.
    var lastReceived: Instant
    /// When the unfinished packet started; nil without one.
    var unfinishedSince: Instant?
    private var pushes: [Push] = []
    /// The first push that Kafka has not acknowledged.
    private var head = 0
    /// The provider's identifier of the last push up to which Kafka has all of them: 0 if they are
    /// all frames without an identifier; nil if none of them can get a response.
    private(set) var lastStored: UInt32?

    init(app: Int, limits: PacketLimits, now: Instant) {
        self.app = app
        reader = PacketReader(limits: limits)
        lastReceived = now
    }

    /// True when Kafka has not acknowledged all pushes.
    var isWaiting: Bool { head < pushes.count }

    /// Adds a push that is published with a ticket; tickets are ascending.
    mutating func add(_ packet: borrowing PushPacket, ticket: UInt64) {
        pushes.append(
            Push(ticket: ticket, command: packet.command, identifier: packet.identifier))
    }

    /// Kafka has a push.
    mutating func store(ticket: UInt64) {
        guard let index = index(of: ticket) else { return }
        pushes[index].isStored = true
        while head < pushes.count, pushes[head].isStored {
            let push = pushes[head]
            lastStored = push.identifier ?? lastStored ?? (push.command == .frame ? 0 : nil)
            head += 1
        }
        if head == pushes.count || head >= 1024 {
            pushes.removeSubrange(..<head)
            head = 0
        }
    }

    /// Kafka rejects a push permanently: the connection ends with it, once Kafka has those before
    /// it. Returns the tickets of those after it, which must be discarded.
    mutating func refuse(ticket: UInt64) -> [UInt64] {
        guard let index = index(of: ticket) else { return [] }
        let push = pushes[index]
        let response = LegacyStatus.processingError.response(push.identifier ?? 0)
        ending = .fault(
            .processingError, response: push.command == .simple ? nil : response)
        defer { pushes.removeSubrange(index...) }
        return pushes[(index + 1)...].map(\.ticket)
    }

    /// Counts no silence from a provider that is not read.
    mutating func excuse(at now: Instant) {
        lastReceived = now
        if unfinishedSince != nil { unfinishedSince = now }
    }

    /// Waits for nothing any more.
    mutating func forget() {
        pushes = []
        head = 0
    }

    private func index(of ticket: UInt64) -> Int? {
        var low = head
        var high = pushes.count
        while low < high {
            let middle = (low + high) / 2
            if pushes[middle].ticket < ticket { low = middle + 1 } else { high = middle }
        }
        return low < pushes.count && pushes[low].ticket == ticket ? low : nil
    }
}
