/// One provider's connection: what it has sent, what of it Kafka has, and how it ends.
///
/// The order of the protocol is kept: a response about a push says that all pushes before it were
/// taken, so that it waits until Kafka has acknowledged each of them.
struct GatewaySession {
    /// How the connection is to end once Kafka has all that was taken.
    enum Ending: Equatable {
        /// Because of what it sent: with this response, or without a word.
        case fault(LegacyStatus, response: [UInt8]?)
        /// It has sent nothing for too long.
        case silence
        /// The gateway stops.
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
    /// The connection was told to end.
    var isEnded = false
    /// The provider has ended its side, and may have gone.
    var peerHasEnded = false
    /// When bytes last came, or could not come because nothing was read.
    var lastHeard: UInt64
    /// Since when a packet is unfinished; nil when none is.
    var unfinishedSince: UInt64?
    private var pushes: [Push] = []
    /// The first of the pushes that counts.
    private var head = 0
    /// What the provider calls the last push of those that Kafka has without a gap: 0 where all of
    /// them are frames without an identifier; nil where there is none that is ever answered.
    private(set) var lastStored: UInt32?

    init(app: Int, limits: PacketLimits, now: UInt64) {
        self.app = app
        reader = PacketReader(limits: limits)
        lastHeard = now
    }

    /// Pushes that Kafka has not acknowledged.
    var isWaiting: Bool { head < pushes.count }

    /// Adds a push that goes to Kafka under a ticket; tickets grow.
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

    /// Kafka refuses a push for good: the connection ends with it, once Kafka has those before it.
    /// Returns the tickets of those after it, which are to be discarded.
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
    mutating func excuse(at now: UInt64) {
        lastHeard = now
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
