public import Delivery

/// The gateway as a state machine without sockets or clock: events of links and Kafka go in, and
/// actions come out of ``takeCommands()``.
public struct GatewayCore: ~Copyable {
    /// An action to take.
    public enum Command: Equatable, Sendable {
        /// Publish a record; its result is reported with the ticket.
        case publish(ticket: UInt64, key: [UInt8], value: [UInt8])
        /// An action on a link.
        case link(Int, LinkCommand)
    }

    /// The result of a record.
    public enum RecordEnd: Equatable, Sendable {
        /// Kafka has acknowledged it.
        case stored
        /// Kafka has rejected it permanently.
        case refused
        /// It was discarded before Kafka had it.
        case discarded
    }

    /// A packet that ended its connection.
    public struct Fault: Equatable, Sendable {
        /// The connection.
        public var link: Int
        /// The index of the app.
        public var app: Int
        /// What was wrong.
        public var status: LegacyStatus
        /// The provider's identifier of the push; nil if there was no response.
        public var identifier: UInt32?
    }

    /// Totals so far.
    public struct Counts: Equatable, Sendable {
        /// Pushes that Kafka has acknowledged.
        public var taken = 0
        /// Connections that ended because of invalid packets.
        public var faults = 0
    }

    private let apps: [EventWriter.App]
    private let limits: GatewayLimits
    private var writer = EventWriter()
    private var sessions: [Int: GatewaySession] = [:]
    private var commands: [Command] = []
    private var faults: [Fault] = []
    /// The links of the records that Kafka has not acknowledged.
    private var owners: [UInt64: Int] = [:]
    private var lastTicket: UInt64 = 0
    private var isStopping = false
    /// Totals so far.
    public private(set) var counts = Counts()

    /// Creates a gateway for some apps.
    public init(apps: [EventWriter.App], limits: GatewayLimits) {
        self.apps = apps
        self.limits = limits
    }

    /// The number of records that wait for Kafka.
    public var inFlight: Int { owners.count }
    /// True when reading is paused because too many records wait for Kafka.
    public var isFull: Bool { owners.count >= limits.inFlight }
    /// True while any link may still get a response.
    public var isBusy: Bool { !sessions.isEmpty }

    /// The actions since the last call.
    public mutating func takeCommands() -> [Command] {
        let all = commands
        commands.removeAll(keepingCapacity: true)
        return all
    }

    /// The packets that ended their connections since the last call.
    public mutating func takeFaults() -> [Fault] {
        defer { faults.removeAll() }
        return faults
    }

    /// Bytes of a link may be read.
    public func wantsInput(_ link: Int) -> Bool {
        guard !isFull, !isStopping, let session = sessions[link] else { return false }
        return session.ending == nil
    }

    /// A provider of an app has connected.
    public mutating func opened(_ link: Int, app: Int, at now: Instant) {
        guard !isStopping else { return command(link, .reset) }
        sessions[link] = GatewaySession(app: app, limits: limits.packets, now: now)
    }

    /// A provider has sent something.
    public mutating func received(_ bytes: RawSpan, from link: Int, at now: Instant) {
        guard var session = sessions.removeValue(forKey: link) else { return }
        defer { sessions[link] = session }
        guard session.ending == nil else { return }
        session.lastReceived = now
        session.reader.receive(bytes)
        while session.ending == nil, let finding = session.reader.next() {
            switch finding {
            case .packet(let packet): take(packet, link, &session)
            case .fault(let status, let response):
                session.ending = .fault(status, response: response)
            }
        }
        let isUnfinished = session.reader.pending > 0
        session.unfinishedSince = isUnfinished ? session.unfinishedSince ?? now : nil
        settle(link, &session)
    }

    private mutating func take(
        _ packet: borrowing PushPacket, _ link: Int, _ session: inout GatewaySession
    ) {
        session.unfinishedSince = nil
        guard let event = writer.event(of: packet, for: apps[session.app]) else {
            session.ending = .fault(
                .processingError, response: packet.response(.processingError))
            return
        }
        lastTicket += 1
        owners[lastTicket] = link
        session.add(packet, ticket: lastTicket)
        commands.append(
            .publish(ticket: lastTicket, key: EventWriter.key(of: packet), value: event))
    }

    /// A record has finished. Returns the tickets of the following records on the same connection,
    /// which must be discarded unless Kafka already has them.
    ///
    /// A provider that has gone receives no refusal, and would send nothing again: what it sent
    /// after a push that is refused still goes to Kafka. The same holds for one that has ended its
    /// side: it may have gone.
    public mutating func ended(ticket: UInt64, _ end: RecordEnd) -> [UInt64] {
        guard let link = owners.removeValue(forKey: ticket) else { return [] }
        if end == .stored { counts.taken += 1 }
        guard var session = sessions.removeValue(forKey: link) else { return [] }
        var discarded: [UInt64] = []
        switch end {
        case .stored: session.store(ticket: ticket)
        case .refused:
            let following = session.refuse(ticket: ticket)
            if !session.peerHasEnded { discarded = following }
        case .discarded: break
        }
        settle(link, &session)
        sessions[link] = session
        return discarded
    }

    /// A provider has ended its side: its link ends once Kafka has all that it sent, after the
    /// response that is due.
    public mutating func finished(_ link: Int) {
        guard var session = sessions.removeValue(forKey: link) else { return }
        session.peerHasEnded = true
        session.ending = session.ending ?? .silence
        settle(link, &session)
        sessions[link] = session
    }

    /// A link is gone; what it has sent still goes to Kafka.
    public mutating func ended(_ link: Int) { sessions[link] = nil }

    /// Closes links that have been silent for too long.
    public mutating func expire(at now: Instant) {
        // Nobody is silent who is not read.
        if isFull { return excuse(at: now) }
        var silent: [Int] = []
        for (link, session) in sessions where session.ending == nil {
            let isSlow = session.unfinishedSince.map { now >= $0 + limits.packetTime } ?? false
            let isIdle = !session.isWaiting && now >= session.lastReceived + limits.idle
            if isSlow || isIdle { silent.append(link) }
        }
        for link in silent {
            guard var session = sessions.removeValue(forKey: link) else { continue }
            session.ending = .silence
            settle(link, &session)
            sessions[link] = session
        }
    }

    private mutating func excuse(at now: Instant) {
        var index = sessions.startIndex
        while index != sessions.endIndex {
            sessions.values[index].excuse(at: now)
            sessions.formIndex(after: &index)
        }
    }

    /// Takes nothing more: each link is notified of its last push once Kafka has all that was
    /// taken.
    public mutating func stop() {
        isStopping = true
        for (link, var session) in sessions {
            if session.ending == nil { session.ending = .shutdown }
            settle(link, &session)
            sessions[link] = session
        }
    }

    /// Stops waiting for Kafka: the last push that Kafka has is reported to each link.
    public mutating func abandon() {
        for (link, var session) in sessions where session.isWaiting {
            session.forget()
            session.ending = .shutdown
            settle(link, &session)
            sessions[link] = session
        }
    }

    /// Closes a link that is due to end once Kafka has its pushes.
    private mutating func settle(_ link: Int, _ session: inout GatewaySession) {
        guard let ending = session.ending, !session.isWaiting, !session.isEnded else { return }
        session.isEnded = true
        switch ending {
        case .fault(let status, let response):
            counts.faults += 1
            let identifier = response.map { UInt32(bigEndian: $0.suffix(4)) }
            faults.append(
                Fault(link: link, app: session.app, status: status, identifier: identifier))
            guard let response else { return command(link, .close) }
            command(link, .send(response))
            command(link, .finish)
        case .silence: command(link, .close)
        case .shutdown:
            guard let last = session.lastStored else {
                // A reset shows that pushes are lost; a regular close would not.
                return command(link, .reset)
            }
            command(link, .send(LegacyStatus.shutdown.response(last)))
            command(link, .finish)
        }
    }

    private mutating func command(_ link: Int, _ command: LinkCommand) {
        commands.append(.link(link, command))
    }
}

extension GatewayCore: LinkOwner {
    mutating func linkOpened(_ link: Int, app: Int, at now: Instant) {
        opened(link, app: app, at: now)
    }

    mutating func link(_ link: Int, received bytes: RawSpan, at now: Instant) {
        received(bytes, from: link, at: now)
    }

    mutating func linkFinished(_ link: Int) { finished(link) }

    mutating func linkDrained(_ link: Int) {}

    mutating func linkEnded(_ link: Int, isClean: Bool) { ended(link) }
}
