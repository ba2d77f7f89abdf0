import Foundation
import Synchronization
import Testing

@testable import AdminServer

@Suite struct `A response that takes a while` {
    /// Holds responses back until it is opened.
    private final class Gate: Sendable {
        private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>(
            (false, []))
        private let arrivals = Atomic(0)

        var arrived: Int { arrivals.load(ordering: .relaxed) }

        func pass() async {
            arrivals.add(1, ordering: .relaxed)
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }

        func close() { state.withLock { $0.isOpen = false } }
    }

    private let gate = Gate()

    private func server() -> AdminServer {
        AdminServer(
            settings: AdminSettings(),
            routes: [
                AdminRoute("GET", "/health") { _ in .text("well\n") },
                AdminRoute("POST", "/echo", slow: { [gate] request in
                    await gate.pass()
                    return .text(String(decoding: request.body, as: UTF8.self))
                }),
            ])
    }

    private static let question =
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 4\r\n\r\n"
        + "slow"

    @Test func `does not keep others waiting`() async throws {
        let server = server()
        let port = try server.start()
        let slow = try RawClient(port: port)
        slow.send(Self.question)
        while gate.arrived == 0 { await Task.yield() }
        #expect(try RawClient.ask(port, "GET /health").hasSuffix("well\n"))
        gate.open()
        let response = slow.response()
        #expect(response.hasPrefix("HTTP/1.1 200 ") && response.hasSuffix("\r\n\r\nslow"))
        server.stop()
    }

    @Test func `is a 503 when the server stops meanwhile`() async throws {
        let server = server()
        let port = try server.start()
        let slow = try RawClient(port: port)
        slow.send(Self.question)
        while gate.arrived == 0 { await Task.yield() }
        server.stop()
        gate.open()
        let response = slow.response()
        #expect(response.isEmpty || response.hasPrefix("HTTP/1.1 503 "))
    }

    @Test func `survives a client that does not wait for it`() async throws {
        let server = server()
        let port = try server.start()
        do {
            let impatient = try RawClient(port: port)
            impatient.send(Self.question)
            while gate.arrived == 0 { await Task.yield() }
        }
        gate.open()
        #expect(try RawClient.ask(port, "GET /health").hasSuffix("well\n"))
        server.stop()
    }

    /// libmicrohttpd aborts if its daemon is stopped while a connection is suspended.
    @Test func `is resumed before the server stops`() async {
        let stopping = Mutex<DeferredReplies?>(nil)
        let hasStopped = DispatchSemaphore(value: 0)
        let isResumed = Atomic(false)
        let replies = DeferredReplies(
            library: DeferredReplies.Library(
                suspend: { _ in },
                resume: { _ in
                    let replies = stopping.withLock { $0.take() }
                    Thread.detachNewThread {
                        replies?.stop()
                        hasStopped.signal()
                    }
                    #expect(hasStopped.wait(timeout: .now() + .milliseconds(300)) == .timedOut)
                    isResumed.store(true, ordering: .releasing)
                }))
        stopping.withLock { $0 = replies }
        let exchange = AdminExchange(targetLength: 0)
        let connection = unsafe OpaquePointer(bitPattern: 1)
        guard let connection = unsafe connection else { return }
        #expect(unsafe replies.await(exchange, on: connection) { .text("late\n") })
        while !isResumed.load(ordering: .acquiring) { await Task.yield() }
        #expect(exchange.reply.withLock { $0?.status } == 200)
    }

    @Test func `is a 200 or a 503 when it comes just as the server stops`() async throws {
        for _ in 0..<100 {
            let server = server()
            let port = try server.start()
            let before = gate.arrived
            let clients = try (0..<4).map { _ in try RawClient(port: port) }
            for client in clients { client.send(Self.question) }
            while gate.arrived < before + clients.count { await Task.yield() }
            async let opened: Void = gate.open()
            server.stop()
            await opened
            for client in clients {
                let status = client.response().split(separator: " ").dropFirst().first
                #expect(status == nil || status == "200" || status == "503")
            }
            gate.close()
        }
    }
}
