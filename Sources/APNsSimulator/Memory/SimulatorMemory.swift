internal import EventLoop
internal import Synchronization

/// The memory of a simulator: the latest requests, and what every device shows.
///
/// Its loops write, any thread reads. The lock is only held for table lookups; payloads are parsed
/// on demand, never when they arrive.
public final class SimulatorMemory: Sendable {
    struct Contents {
        /// The positions of the latest requests in the journal.
        var requests: BoundedRing<RequestJournal.Position>
        var devices: SimulatedDevices
        var reasons = ReasonCounts()
        var number = 0
        var revision = 0
        var recorder: RequestRecorder?
    }

    private let limits: MemoryLimits
    private let strings: LocalizedStrings
    /// The broadcast channels that devices can subscribe to.
    let channels: Channels
    private let clock: @Sendable () -> Int64
    let contents: Mutex<Contents>
    /// Whether any device differs from the default.
    let hasMarks = Atomic<Bool>(false)
    /// How often it was cleared; scenarios restart their counts then.
    let beginnings = Atomic<Int>(0)

    /// Creates an empty memory.
    ///
    /// `clock` returns the current time for queries, by default the system's; it must be the clock
    /// of the requests.
    public init(
        limits: MemoryLimits = MemoryLimits(),
        clock: (@Sendable () -> Int64)? = nil,
        channels: Channels = Channels(), strings: LocalizedStrings = LocalizedStrings()
    ) {
        self.strings = strings
        self.limits = limits
        self.channels = channels
        self.clock = clock ?? { WallClock.milliseconds }
        contents = Mutex(
            Contents(
                requests: BoundedRing(capacity: limits.requests),
                devices: SimulatedDevices(limits: limits, channels: channels, strings: strings)))
    }

    /// The current time in milliseconds since 1970, on the clock of the requests.
    public var now: Int64 { clock() }

    /// A number that increases with everything recorded or changed up to a time.
    public func revision(at now: Int64) -> Int {
        contents.withLock { contents in
            if contents.devices.expire(at: now) { contents.revision += 1 }
            return contents.revision
        }
    }

    // MARK: Calls by the loops

    /// Why a push to a token is rejected because of its device's state; nil when it is not.
    func refusal(of token: ArraySlice<UInt8>) -> Judgement? {
        guard hasMarks.load(ordering: .acquiring), let token = TokenBytes(token)
        else { return nil }
        return contents.withLock { $0.devices.refusal(of: token) }
    }

    /// Records a request that no loop has judged: an accepted push is delivered to its device.
    public func note(_ request: JudgedRequest) {
        let token = TokenBytes(request.deviceToken ?? "")
        var request = request
        note(&request, device: request.judgement?.status == 200 ? token : nil)
    }

    /// Records a request, which is numbered; an accepted push is delivered to its device.
    func note(_ request: inout JudgedRequest, token: ArraySlice<UInt8>) {
        // Whatever the judge accepts has a valid token.
        let isAccepted = request.judgement?.status == 200
        note(&request, device: isAccepted ? TokenBytes(judged: token) : nil)
    }

    private func note(_ request: inout JudgedRequest, device: TokenBytes?) {
        contents.withLock { contents in
            contents.revision += 1
            contents.number += 1
            request.number = contents.number
            contents.reasons.count(request.judgement)
            guard let device else {
                contents.requests.append(contents.devices.keep(request))
                contents.recorder?.write(request, state: nil)
                return
            }
            let (state, position) = contents.devices.take(request, token: device)
            contents.requests.append(position)
            contents.recorder?.write(request, state: state)
        }
    }

    /// Starts appending every request, and everything shown, to a file as lines of JSON.
    public func record(to path: String) throws(SimulatorError) {
        let recorder = try RequestRecorder(path: path, strings: strings)
        contents.withLock { $0.recorder = recorder }
    }

    // MARK: Queries

    /// The latest requests that match, newest first, and the total number since the memory was
    /// cleared.
    public func requests(
        matching filter: RequestFilter = RequestFilter()
    ) -> (requests: [JudgedRequest], total: Int) {
        contents.withLock { contents in
            let journal = contents.devices.journal
            var found: [JudgedRequest] = []
            for position in contents.requests.inOrder.reversed() where found.count < filter.limit {
                guard let request = journal.request(at: position) else { break }
                if filter.matches(request) { found.append(request) }
            }
            return (found, contents.number)
        }
    }

    /// The state of a device; nil when it has received neither pushes nor orders.
    public func device(_ token: String, at now: Int64) throws(DeviceFault) -> Device? {
        let token = try Self.token(token)
        return contents.withLock { contents in
            contents.devices.expire(at: now)
            return contents.devices.device(token)
        }
    }

    /// The same, but for any other token an empty device: every token belongs to one.
    func phone(_ token: String, at now: Int64) throws(DeviceFault) -> Device {
        if let device = try device(token, at: now) { return device }
        return Device(
            token: try Self.token(token).text, isOnline: true, standing: .registered, received: 0,
            channels: [], pushes: [])
    }

    /// The devices that last received a push, newest first.
    public func devices(_ limit: Int, at now: Int64) -> DeviceList {
        contents.withLock { contents in
            contents.devices.expire(at: now)
            return DeviceList(
                revision: contents.revision, count: contents.devices.count,
                forgotten: contents.devices.forgotten, devices: contents.devices.latest(limit))
        }
    }

    /// The number of responses with each status and reason since the memory was cleared.
    public var reasons: [ReasonCounts.Row] { contents.withLock { $0.reasons.rows } }

    // MARK: Orders

    /// Carries out an order to a device at a time in milliseconds since 1970.
    public func apply(
        _ order: DeviceOrder, token: String, at now: Int64
    ) throws(DeviceFault) {
        let token = try Self.token(token)
        var other: TokenBytes?
        if case .change(let text) = order { other = try Self.token(text) }
        let fault = contents.withLock { contents -> DeviceFault? in
            contents.revision += 1
            defer { hasMarks.store(contents.devices.hasMarks, ordering: .releasing) }
            do throws(DeviceFault) {
                let delivered = try contents.devices.apply(order, token, other, at: now)
                for request in delivered {
                    contents.recorder?.writeShown(request, token: token.text, at: now)
                }
                return nil
            } catch {
                return error
            }
        }
        if let fault { throw fault }
    }

    /// Clears all requests, devices and broadcast channels, and the effects of orders.
    public func beginAnew() {
        channels.removeAll()
        contents.withLock { contents in
            contents.revision += 1
            contents.number = 0
            contents.reasons = ReasonCounts()
            contents.requests.removeAll()
            contents.devices = SimulatedDevices(
                limits: limits, channels: channels, strings: strings)
            hasMarks.store(false, ordering: .releasing)
        }
        beginnings.wrappingAdd(1, ordering: .relaxed)
    }

    private static func token(_ text: String) throws(DeviceFault) -> TokenBytes {
        guard let token = TokenBytes(text) else { throw .malformedToken }
        return token
    }
}

/// A selection of the recorded devices.
public struct DeviceList: Sendable {
    /// The memory's revision that the list belongs to.
    public let revision: Int
    /// The number of devices.
    public let count: Int
    /// The number of devices evicted.
    public let forgotten: Int
    /// The requested devices.
    public let devices: [Device]
}
