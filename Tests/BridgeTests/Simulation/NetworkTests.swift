import BridgeTesting
import Delivery
import EventLoop
import JSON
import Testing

@Suite struct `A simulated network` {
    private let clock = SimulatedClock()
    private let address = SocketAddress(address: [10, 0, 0, 1], port: 443)

    /// A network whose only host echoes everything.
    private func network() -> SimulatedNetwork {
        let network = SimulatedNetwork(clock: clock)
        network.add(host: "echo.test", at: address) {
            ScriptedPeer { peer, bytes in peer.say(bytes) }
        }
        return network
    }

    /// Everything that a client reads within a second after it has sent five bytes.
    private func echo(
        _ rules: [FaultRule]
    ) throws -> (bytes: [UInt8], end: Transfer, time: Int64) {
        let network = network()
        network.rules = rules
        var kernel = SimulatedKernel(network: network, seed: Seed(1))
        let begin = kernel.now
        let socket = try kernel.connect(to: address, token: 7)
        var (bytes, end) = ([UInt8](), Transfer.wouldBlock)
        var hasSent = false
        while kernel.now < begin + .seconds(1) {
            kernel.wait(until: begin + .seconds(1)) { #expect($0.token == 7) }
            if !hasSent {
                let text = [UInt8]("Hello".utf8)
                hasSent = text.withRawSpan { kernel.send($0, to: socket) } == .bytes(5)
            }
            repeat {
                end = kernel.receive(from: socket) { bytes.appendBytes($0) }
            } while end == .bytes(bytes.count)
            if bytes.count == 5 { break }
        }
        return (bytes, end, (kernel.now - begin).wholeMilliseconds)
    }

    @Test func `carries bytes both ways, with latency`() throws {
        let result = try echo([])
        #expect(result.bytes == Array("Hello".utf8))
        #expect(result.time == 20)
    }

    @Test func `delays the packets that a rule names`() throws {
        let rule = FaultRule.times(1, .delay(by: .milliseconds(100))) {
            if case .toPeer = $0 { true } else { false }
        }
        #expect(try echo([rule]).time == 120)
    }

    @Test func `cuts a connection in the middle of bytes`() throws {
        let rule = FaultRule { event, _ in
            if case .toClient = event { .cut(after: 2) } else { nil }
        }
        let result = try echo([rule])
        #expect(result.bytes == Array("He".utf8))
        guard case .failed(let error) = result.end else {
            Issue.record("the connection still stands")
            return
        }
        #expect(error.description == "connection reset by peer")
    }

    @Test func `refuses a connection`() throws {
        let rule = FaultRule { event, _ in
            if case .connect = event { .refuse } else { nil }
        }
        let result = try echo([rule])
        guard case .failed(let error) = result.end else {
            Issue.record("the connection stands")
            return
        }
        #expect(error.operation == "connect")
    }

    @Test func `stalls forever`() throws {
        let rule = FaultRule { event, _ in
            if case .toPeer = event { .stall } else { nil }
        }
        let result = try echo([rule])
        #expect(result.bytes.isEmpty)
        #expect(result.end == .wouldBlock)
    }

    @Test func `applies the first of its rules that matches`() throws {
        let cut = FaultRule { event, _ in
            if case .toPeer = event { .cut(after: 0) } else { nil }
        }
        #expect(try echo([.peace(from: .distantPast), cut]).bytes.count == 5)
        #expect(try echo([cut, .peace(from: .distantPast)]).bytes.isEmpty)
    }

    @Test func `resolves host names, unless that is switched off`() {
        let network = network()
        var kernel = SimulatedKernel(network: network, seed: Seed(1))
        func look(_ name: String) -> [SocketAddress]? {
            kernel.resolve(host: name, port: 443, token: 3)
            kernel.wait(until: kernel.now + .seconds(1)) { _ in }
            return try? kernel.resolved(3)?.get()
        }
        #expect(look("echo.test") == [address])
        #expect(look("nobody.test") == nil)
        network.rules = [FaultRule.times(1, .failLookup) { $0 == .lookup(host: "echo.test") }]
        #expect(look("echo.test") == nil)
        #expect(look("echo.test") == [address])
    }

    @Test func `lets a full socket wait for room`() throws {
        let network = network()
        network.sendBuffer = 3
        var kernel = SimulatedKernel(network: network, seed: Seed(1))
        let socket = try kernel.connect(to: address, token: 7)
        kernel.wait(until: nil) { #expect($0.writable) }
        let text = [UInt8]("Hello".utf8)
        #expect(text.withRawSpan { kernel.send($0, to: socket) } == .bytes(3))
        #expect(text.withRawSpan { kernel.send($0, to: socket) } == .wouldBlock)
        var isWritable = false
        kernel.wait(until: nil) { isWritable = $0.writable }
        #expect(isWritable)
        #expect(text.withRawSpan { kernel.send($0, to: socket) } == .bytes(3))
    }
}

@Suite struct `A simulated clock` {
    @Test func `lets no participant sleep past another's next event`() {
        let clock = SimulatedClock()
        let network = SimulatedNetwork(clock: clock)
        var first = SimulatedKernel(network: network, seed: Seed(1))
        var second = SimulatedKernel(network: network, seed: Seed(2))
        let begin = clock.now
        var times: [Duration] = []
        var deadlines = [begin + .seconds(30), begin + .seconds(20)]
        for _ in 0..<12 {
            first.wait(until: deadlines[0]) { _ in }
            if clock.now >= deadlines[0] {
                times.append(clock.now - begin)
                deadlines[0] += .seconds(30)
            }
            second.wait(until: deadlines[1]) { _ in }
            if clock.now >= deadlines[1] {
                times.append(clock.now - begin)
                deadlines[1] += .seconds(20)
            }
        }
        #expect(times.count >= 5)
        #expect(times == times.sorted())
        #expect(times.prefix(4) == [.seconds(20), .seconds(30), .seconds(40), .seconds(60)])
    }

    @Test func `runs events of one moment in the order they were scheduled`() {
        let clock = SimulatedClock()
        var kernel = SimulatedKernel(network: SimulatedNetwork(clock: clock), seed: Seed(1))
        let order = Order()
        for number in 0..<5 { clock.schedule(after: .seconds(10)) { order.numbers.append(number) } }
        clock.schedule(after: .seconds(5)) { order.numbers.append(9) }
        kernel.wait(until: clock.now + .seconds(20)) { _ in }
        #expect(order.numbers == [9, 0, 1, 2, 3, 4])
    }

    private final class Order {
        var numbers: [Int] = []
    }
}
