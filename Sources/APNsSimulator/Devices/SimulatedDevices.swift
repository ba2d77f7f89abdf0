/// The state of devices: online or offline, delivered and stored pushes, changes of tokens.
///
/// Every well-formed token is an online device until an order changes it. A value without a clock:
/// each call gets the time, in milliseconds since 1970.
struct SimulatedDevices {
    /// How long a push without an expiration is stored: 30 days, in milliseconds.
    static let maxStorage: Int64 = 30 * 86_400_000

    let limits: MemoryLimits
    /// The journal of all requests, including those that are not pushes.
    let journal: RequestJournal
    /// The existing broadcast channels.
    let channels: Channels
    /// The texts of the apps by their keys.
    let strings: LocalizedStrings
    var screens: DeviceScreens
    var marks: [TokenBytes: DeviceMark] = [:]
    /// The latest push of each channel that stores it, for later subscribers.
    var kept: [[UInt8]: JudgedRequest] = [:]

    init(
        limits: MemoryLimits = MemoryLimits(), channels: Channels = Channels(),
        strings: LocalizedStrings = LocalizedStrings()
    ) {
        self.strings = strings
        self.limits = limits
        self.channels = channels
        journal = RequestJournal(limit: limits.bytes)
        screens = DeviceScreens(limits: limits, journal: journal)
    }

    /// Whether any device differs from the default; otherwise no lookups are needed.
    var hasMarks: Bool { !marks.isEmpty }
    /// The number of recorded devices that have received a push.
    var count: Int { screens.count }
    /// The number of devices evicted.
    var forgotten: Int { screens.forgotten }

    /// Why a push to a token is rejected; nil when it is not.
    func refusal(of token: TokenBytes) -> Judgement? { marks[token]?.standing.refusal }

    /// Receives an accepted push, which is delivered, stored, or neither.
    @discardableResult
    mutating func receive(_ request: JudgedRequest, token: TokenBytes) -> DevicePush.State {
        take(request, token: token).state
    }

    /// The same, and its journal position.
    mutating func take(
        _ request: JudgedRequest, token: TokenBytes
    ) -> (state: DevicePush.State, position: RequestJournal.Position) {
        var state = DevicePush.State.delivered(at: request.arrivedAt)
        if hasMarks, marks[token]?.isOnline == false { state = store(request, token) }
        return (state, screens.append(request, state, to: token))
    }

    /// Records a request that is not a push to a device.
    mutating func keep(_ request: JudgedRequest) -> RequestJournal.Position {
        let position = journal.append(request)
        screens.forgetGone()
        return position
    }

    /// Sets a device online or offline; online, it receives stored pushes that have not expired.
    ///
    /// Returns the pushes delivered because of it, oldest first.
    mutating func setOnline(
        _ isOnline: Bool, _ token: TokenBytes, at now: Int64
    ) throws(DeviceFault) -> [JudgedRequest] {
        var mark = try mark(of: token)
        var delivered: [JudgedRequest] = []
        if isOnline {
            for request in mark.stored.values.sorted(by: { $0.number < $1.number }) {
                let isLate = Self.isExpired(request, at: now)
                settle(request, of: token, as: isLate ? .expired : .delivered(at: now))
                if !isLate { delivered.append(request) }
            }
            mark.stored = [:]
        }
        mark.isOnline = isOnline
        keep(mark, token)
        var late: [JudgedRequest] = []
        for request in delivered { late += follow(request, token, at: now) }
        return delivered + late
    }

    /// Removes the apps from a device: its token gets a 410 from now on.
    mutating func unregister(_ token: TokenBytes, at now: Int64) throws(DeviceFault) {
        var mark = try mark(of: token)
        for request in mark.stored.values { settle(request, of: token, as: .expired) }
        mark.stored = [:]
        mark.channels = []
        mark.standing = .unregistered(since: now)
        keep(mark, token)
    }

    /// Makes a token valid again.
    mutating func register(_ token: TokenBytes) throws(DeviceFault) {
        var mark = try mark(of: token)
        mark.standing = .registered
        keep(mark, token)
    }

    /// Gives a device another token; the old one gets a 410 from now on.
    mutating func change(
        _ token: TokenBytes, to other: TokenBytes, at now: Int64
    ) throws(DeviceFault) {
        guard token != other else { throw .sameToken }
        var old = try mark(of: token)
        guard old.standing == .registered else { throw .notRegistered }
        var new = try mark(of: other)
        guard new.standing == .registered else { throw .otherNotRegistered }
        (new.isOnline, new.stored, new.channels) = (old.isOnline, old.stored, old.channels)
        new.dismissed = old.dismissed
        old = DeviceMark(standing: .changed(to: other.text, since: now))
        screens.move(token, to: other)
        keep(old, token)
        keep(new, other)
    }

    /// Expires every push stored for too long; returns true if there was any.
    @discardableResult
    mutating func expire(at now: Int64) -> Bool {
        var hasExpired = false
        for (token, mark) in marks {
            for (app, request) in mark.stored where Self.isExpired(request, at: now) {
                settle(request, of: token, as: .expired)
                marks[token]?.stored[app] = nil
                hasExpired = true
            }
        }
        return hasExpired
    }

    /// The state of a device; nil when it has received neither pushes nor orders.
    func device(_ token: TokenBytes) -> Device? {
        let mark = marks[token]
        let screen = screens.screen(of: token)
        guard mark != nil || screen != nil else { return nil }
        return Device(
            token: token.text, isOnline: mark?.isOnline ?? true,
            standing: mark?.standing ?? .registered, received: screen?.received ?? 0,
            channels: mark?.channels.map { String(decoding: $0, as: UTF8.self) } ?? [],
            pushes: screen.map { screens.pushes(of: $0) } ?? [], strings: strings,
            dismissed: mark?.dismissed ?? [:])
    }

    /// The devices that last received a push, then those that received only orders.
    func latest(_ limit: Int) -> [Device] {
        var tokens = screens.latest(limit)
        if tokens.count < limit {
            let known = Set(tokens)
            let others = marks.keys.filter { !known.contains($0) && screens.screen(of: $0) == nil }
            tokens += others.sorted { $0.text < $1.text }.prefix(limit - tokens.count)
        }
        return tokens.compactMap { device($0) }
    }

    /// Stores a push for an offline device: one per app, and one per channel.
    mutating func store(_ request: JudgedRequest, _ token: TokenBytes) -> DevicePush.State {
        if let expiresAt = request.expiresAt, expiresAt <= request.arrivedAt { return .notStored }
        let app = [UInt8]((request.broadcastChannel ?? request.app ?? "").utf8)
        guard var stored = marks[token]?.stored else { return .notStored }
        if let earlier = stored[app] {
            settle(earlier, of: token, as: .replaced)
        } else if stored.count >= limits.storedPerDevice,
            let oldest = stored.min(by: { $0.value.number < $1.value.number })
        {
            settle(oldest.value, of: token, as: .replaced)
            stored[oldest.key] = nil
        }
        stored[app] = request
        marks[token]?.stored = stored
        return .stored
    }

    mutating func settle(
        _ request: JudgedRequest, of token: TokenBytes, as state: DevicePush.State
    ) {
        if !screens.settle(request.number, of: token, as: state), case .delivered = state {
            screens.append(request, state, to: token)
        }
    }

    func mark(of token: TokenBytes) throws(DeviceFault) -> DeviceMark {
        if let mark = marks[token] { return mark }
        guard marks.count < limits.marks else { throw .tooMany(limits.marks) }
        return DeviceMark()
    }

    mutating func keep(_ mark: DeviceMark, _ token: TokenBytes) {
        marks[token] = mark.isOrdinary ? nil : mark
    }

    static func isExpired(_ request: JudgedRequest, at now: Int64) -> Bool {
        let isBroadcast = request.broadcastChannel != nil
        let expiry =
            request.arrivedAt + (isBroadcast ? maxBroadcastStorage : maxStorage)
        return min(request.expiresAt ?? expiry, expiry) <= now
    }
}
