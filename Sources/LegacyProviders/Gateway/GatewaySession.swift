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
        enum State { case waiting, stored, refused }

        var ticket: UInt64
        var identifier: UInt32?
        var isSimple: Bool
        var state = State.waiting
    }

    let app: Int
    var reader: PacketReader
    var ending: Ending?
    /// The connection was told to end.
    var isEnded = false
    /// When bytes last came, or could not come because nothing was read.
    var lastHeard: UInt64
    /// Since when a packet is unfinished; nil when none is.
    var unfinishedSince: UInt64?
    private var pushes: [Push] = []
    /// The first of the pushes that counts.
    private var head = 0
    /// The last push of those that Kafka has without a gap.
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
            Push(
                ticket: ticket, identifier: packet.identifier,
                isSimple: packet.command == .simple))
    }

    /// Kafka has a push, or refuses it for good: then it and what follows it does not count.
    mutating func end(ticket: UInt64, isStored: Bool) {
        guard let index = index(of: ticket) else { return }
        pushes[index].state = isStored ? .stored : .refused
        while head < pushes.count, pushes[head].state == .stored {
            lastStored = pushes[head].identifier ?? lastStored
            head += 1
        }
        if head < pushes.count, pushes[head].state == .refused {
            let push = pushes[head]
            let response = LegacyStatus.processingError.response(push.identifier ?? 0)
            ending = .fault(.processingError, response: push.isSimple ? nil : response)
            forget()
        } else if head == pushes.count || head >= 1024 {
            pushes.removeSubrange(..<head)
            head = 0
        }
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
