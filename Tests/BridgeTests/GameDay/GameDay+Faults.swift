import APNs
import BridgeTesting
import Configuration
import Delivery
import EventLoop
import TLS
import Telemetry

@testable import Bridge

/// What goes wrong in incidents, where it takes more than a line.
extension GameDay {
    /// No name is found, and connections are cut, as they are when the network changes.
    func loseNames() {
        world.network.rules = [
            FaultRule { event, _ in
                switch event {
                case .lookup: .failLookup
                case .connect: .refuse
                case .toPeer, .toClient: .cut(after: 0)
                }
            }
        ]
    }

    /// Device tokens are right again, and the guard is released.
    func recoverTokens() {
        tokenPrefix = "ab"
        world.release()
    }

    /// The operator stops reading while retention removes what is not read.
    func loseUnread() {
        world.pause(true)
        world.clock.schedule(after: .seconds(60)) { [unowned world] in
            for partition in 0..<4 as Range<Int32> {
                let end = world.topic.range(of: partition).high
                world.topic.removeRecords(partition: partition, below: end - 1)
            }
            world.pause(false)
        }
    }

    /// The pod is killed, and another one takes its place after retention has removed what was
    /// written meanwhile.
    func replacePod() throws {
        for number in 0..<40 {
            world.topic.append(partition: Int32(number % 4), value: event(8000 + number))
        }
        for partition in 0..<4 as Range<Int32> {
            let end = world.topic.range(of: partition).high
            world.topic.removeRecords(partition: partition, below: end - 1)
        }
        board.clear()
        instance = "b"
        try restart()
    }

    /// The worker ends every ten seconds, so often, and Kafka stores no outcome meanwhile.
    func endUnfinished(times: Int) {
        endsLeft = times
        latency = world.results.latency
        world.results.latency = .seconds(1500)...(.seconds(1500))
    }

    /// The worker ends and is started again; the last time, Kafka stores outcomes again.
    func endOnce() throws {
        endsLeft -= 1
        if endsLeft == 0, let latency { world.results.latency = latency }
        try world.start()
        world.member?.assign([0, 1, 2, 3])
    }

    /// The worker publishes nothing any more, as in a turn that does not end; or it does again.
    func hang(_ isHanging: Bool) throws {
        world.seats[0].board = isHanging ? nil : board
        try world.start()
        world.member?.assign([0, 1, 2, 3])
    }

    /// The worker keeps failing before it has published anything; or it runs again.
    func keepFailing(_ isFailing: Bool) throws {
        try hang(isFailing)
        if isFailing { board.clear() }
    }

    /// Uses a certificate, and opens all connections again after half a minute.
    func reconnectWithCertificate() throws {
        try useCertificate(hours: 365 * 24)
        world.clock.schedule(after: .seconds(30)) { [unowned world] in
            world.network.rules = [
                FaultRule { event, _ in if case .toPeer = event { .cut(after: 0) } else { nil } }
            ]
            world.clock.schedule(after: .seconds(2)) { [unowned world] in
                world.network.rules = []
            }
        }
    }

    /// Offers a certificate that is valid for so many hours.
    func useCertificate(hours: Int) throws { try useCertificate(minutes: hours * 60) }

    /// Offers a certificate that is valid for so many minutes.
    func useCertificate(minutes: Int) throws {
        let issued = try clients.issueClient(
            bundleID: "com.example.shop", apnsTopics: ["com.example.shop"],
            validFor: minutes * 60)
        try world.renew(
            ClientCertificate(pem: issued.certificatePEM, keyPEM: issued.keyPEM))
    }

    /// The kernel kills the process for its memory, and it starts again with a higher limit.
    func killForMemory() throws {
        memory.resident = 100 << 20
        memory.limit = 1 << 30
        try restart()
    }

    /// Reloads a connector file.
    func reload(_ file: LoadedFile) {
        let reading = ReloadSource.Reading(
            connectors: file.connector.map { [$0] } ?? [], diagnostics: file.diagnostics)
        let logger = Logger(label: "orders", level: .info, sink: world.log)
        status.reloaded(isRefused: reading.isRefused(logger))
    }

    /// Kafka stores no outcome, while offsets grow fast.
    func fallBehind() {
        world.results.latency = .seconds(1500)...(.seconds(1500))
        gap = 200
    }

    /// Kafka stores outcomes at once again.
    func catchUp() {
        world.results.latency = .milliseconds(1)...(.milliseconds(10))
        gap = 0
    }

    /// Somebody sets the clock two hours ahead.
    func jumpAhead() {
        world.oracle.hasClockJumped = true
        world.clock.isSynchronized = false
        world.clock.wallClockStart += 7_200_000
    }

    /// The clock is set right, and the time service knows it.
    func setClockRight() {
        world.clock.wallClockStart -= 7_200_000
        world.clock.isSynchronized = true
    }

    /// An operator pauses or resumes the connector.
    func pause(_ isPaused: Bool) {
        world.pause(isPaused)
        connector.isPaused = isPaused
    }
}
