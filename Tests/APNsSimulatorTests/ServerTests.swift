import EventLoop
import Testing

@testable import APNsSimulator

@Suite struct `A simulator over sockets` {
    private func server() throws -> SimulatorServer {
        SimulatorServer(SimulatorConfiguration(identity: try SimulatorIdentity.generate()))
    }

    @Test func `says which address it cannot have`() throws {
        let first = try server()
        let port = try first.start()
        defer { first.stop() }
        let second = try server()
        let error = #expect(throws: SimulatorError.self) { try second.start(port: port) }
        #expect(error?.code == .addressUnavailable)
        #expect(error?.description.contains("127.0.0.1:\(port)") == true)
    }

    @Test func `stops when it is told to and frees its port`() throws {
        let first = try server()
        let port = try first.start()
        first.stop()
        first.stop()
        let second = try server()
        #expect(try second.start(port: port) == port)
        second.stop()
    }

    @Test func `takes a connection and closes it when it stops`() throws {
        let server = try server()
        let port = try server.start()
        var kernel = LinuxKernel()
        let socket = try kernel.connect(to: .loopback(port: port), token: 1)
        var isWritable = false
        while !isWritable {
            kernel.wait(until: kernel.now + 10_000_000_000) { isWritable = $0.writable }
        }
        server.stop()
        var transfer = Transfer.wouldBlock
        while transfer == .wouldBlock {
            transfer = kernel.receive(from: socket) { _ in }
            if transfer == .wouldBlock { kernel.wait(until: kernel.now + 10_000_000_000) { _ in } }
        }
        if case .bytes = transfer { Issue.record("bytes came from a server that has stopped") }
    }
}
