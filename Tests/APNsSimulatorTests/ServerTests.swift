import Delivery
import EventLoop
import Testing

@testable import APNsSimulator

@Suite struct `A simulator on sockets` {
    private func server() throws -> SimulatorServer {
        SimulatorServer(SimulatorConfiguration(identity: try SimulatorIdentity.generate()))
    }

    @Test func `reports an address that it cannot use`() throws {
        let first = try server()
        let port = try first.start()
        defer { first.stop() }
        let second = try server()
        let error = #expect(throws: SimulatorError.self) { try second.start(port: port) }
        #expect(error?.code == .addressUnavailable)
        #expect(error?.description.contains("127.0.0.1:\(port)") == true)
    }

    @Test func `reports that the system has no thread for it, and starts later`() throws {
        let server = try server()
        let error = #expect(throws: SimulatorError.self) {
            try LoopThread.$isLimitReached.withValue(true) { try server.start() }
        }
        #expect(error?.code == .resources)
        #expect(error?.description.hasPrefix("cannot start a thread: ") == true)
        #expect(try server.start() > 0)
        server.stop()
    }

    @Test func `stops on request and frees its port`() throws {
        let first = try server()
        let port = try first.start()
        first.stop()
        first.stop()
        let second = try server()
        #expect(try second.start(port: port) == port)
        second.stop()
    }

    @Test func `accepts a connection and closes it when it stops`() throws {
        let server = try server()
        let port = try server.start()
        var kernel = try LinuxKernel()
        let socket = try kernel.connect(to: .loopback(port: port), token: 1)
        var isWritable = false
        while !isWritable {
            kernel.wait(until: kernel.now + .seconds(10)) { isWritable = $0.writable }
        }
        server.stop()
        var transfer = Transfer.wouldBlock
        while transfer == .wouldBlock {
            transfer = kernel.receive(from: socket) { _ in }
            if transfer == .wouldBlock { kernel.wait(until: kernel.now + .seconds(10)) { _ in } }
        }
        if case .bytes = transfer { Issue.record("bytes came from a server that has stopped") }
    }

    /// What happens to a connection to a simulator with this scenario.
    private func transfer(_ scenario: String) throws -> Transfer {
        var configuration = SimulatorConfiguration(identity: try SimulatorIdentity.generate())
        configuration.scenario = try Scenario.parse([UInt8](scenario.utf8), file: "s.yaml")
        let server = SimulatorServer(configuration)
        let port = try server.start()
        defer { server.stop() }
        var kernel = try LinuxKernel()
        let socket = try kernel.connect(to: .loopback(port: port), token: 1)
        var isWritable = false
        while !isWritable {
            kernel.wait(until: kernel.now + .seconds(10)) { isWritable = $0.writable }
        }
        var transfer = Transfer.wouldBlock
        while transfer == .wouldBlock {
            transfer = kernel.receive(from: socket) { _ in }
            if transfer == .wouldBlock { kernel.wait(until: kernel.now + .seconds(10)) { _ in } }
        }
        return transfer
    }

    @Test func `closes a connection cleanly if a scenario says so`() throws {
        #expect(try transfer("faults: [{from: 10ms, period: 20ms, cut: end}]") == .ended)
    }

    @Test func `resets a connection if a scenario says so`() throws {
        let transfer = try transfer("faults: [{from: 10ms, period: 20ms, cut: reset}]")
        if case .failed(let error) = transfer {
            #expect(error.description.contains("reset"))
        } else {
            Issue.record("the connection was not reset: \(transfer)")
        }
    }

    @Test func `refuses connections as long as a scenario says so`() throws {
        var configuration = SimulatorConfiguration(identity: try SimulatorIdentity.generate())
        let text = "faults: [{refuse: true}]"
        configuration.scenario = try Scenario.parse([UInt8](text.utf8), file: "s.yaml")
        let server = SimulatorServer(configuration)
        let port = try server.start()
        defer { server.stop() }
        #expect(try isRefused(port))
        try server.begin(.acceptsAll)
        while try isRefused(port) {}
    }

    private func isRefused(_ port: UInt16) throws -> Bool {
        var kernel = try LinuxKernel()
        let socket = try kernel.connect(to: .loopback(port: port), token: 1)
        defer { kernel.close(socket) }
        var wakeup: Wakeup?
        while wakeup == nil { kernel.wait(until: kernel.now + .seconds(10)) { wakeup = $0 } }
        if case .failed(let error) = kernel.receive(from: socket, { _ in }) {
            return error.description.contains("refused")
        }
        return false
    }
}
