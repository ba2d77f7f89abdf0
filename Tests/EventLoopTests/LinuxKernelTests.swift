import Delivery
import EventLoop
import Glibc
import Testing

@Suite struct `A Linux kernel` {
    /// One thread is both ends of a loopback connection.
    @Test func `connects, accepts and carries bytes both ways`() throws {
        var kernel = try LinuxKernel()
        let listener = try kernel.listen(on: .loopback(port: 0), token: 1)
        let bound = kernel.localAddress(of: listener)
        let address = try #require(bound)
        let client = try kernel.connect(to: address, token: 2)
        var server: SocketID?
        var received: [UInt8] = []
        var sent = false
        let hello = [UInt8]("hello".utf8)
        while received.count < 5 {
            var tokens: [Wakeup] = []
            kernel.wait(until: kernel.now + .seconds(5)) { tokens.append($0) }
            try #require(!tokens.isEmpty)
            for wakeup in tokens {
                if wakeup.token == 1 { server = kernel.accept(from: listener, token: 3) }
                if wakeup.token == 2, wakeup.writable, !sent {
                    let transfer = unsafe kernel.send(hello.span.bytes, to: client)
                    #expect(transfer == .bytes(5))
                    sent = true
                }
                if let server, wakeup.token == 3 {
                    _ = kernel.receive(from: server) { bytes in
                        unsafe bytes.withUnsafeBytes { unsafe received.append(contentsOf: $0) }
                    }
                }
            }
        }
        #expect(received == [UInt8]("hello".utf8))
        kernel.close(client)
        if let server { kernel.close(server) }
        kernel.close(listener)
    }

    @Test func `counts what the peer has not acknowledged, until the connection is reset`() throws {
        var kernel = try LinuxKernel()
        let listener = try kernel.listen(on: .loopback(port: 0), token: 1)
        let bound = kernel.localAddress(of: listener)
        let client = try kernel.connect(to: try #require(bound), token: 2)
        var accepted: SocketID?
        while accepted == nil {
            kernel.wait(until: kernel.now + .seconds(5)) { _ in }
            accepted = kernel.accept(from: listener, token: 3)
        }
        let peer = try #require(accepted)
        let nothing = kernel.undelivered(client)
        #expect(nothing == 0)
        // The peer does not read: in the end its kernel accepts no more.
        let piece = [UInt8](repeating: 1, count: 65_536)
        var transfer = Transfer.bytes(0)
        while transfer != .wouldBlock {
            transfer = unsafe kernel.send(piece.span.bytes, to: client)
        }
        let rest = kernel.undelivered(client)
        #expect(try #require(rest) > 0)
        kernel.abort(peer)
        var isBroken = false
        while !isBroken {
            kernel.wait(until: kernel.now + .seconds(5)) { _ in }
            isBroken = kernel.undelivered(client) == nil
        }
        kernel.close(client)
        kernel.close(listener)
    }

    @Test func `resolves this machine's name without blocking the loop`() throws {
        var kernel = try LinuxKernel()
        kernel.resolve(host: "localhost", port: 2197, token: 7)
        var woken = false
        while !woken {
            kernel.wait(until: kernel.now + .seconds(10)) { woken = $0.token == 7 }
        }
        let first = kernel.resolved(7)
        let second = kernel.resolved(7)
        #expect(try #require(first).get().contains { $0.port == 2197 })
        #expect(second == nil)
    }

    @Test func `reports a refused connection on the first read`() throws {
        var kernel = try LinuxKernel()
        let listener = try kernel.listen(on: .loopback(port: 0), token: 1)
        let bound = kernel.localAddress(of: listener)
        let address = try #require(bound)
        kernel.close(listener)
        let socket = try kernel.connect(to: address, token: 2)
        kernel.wait(until: kernel.now + .seconds(5)) { #expect($0.readable) }
        let transfer = kernel.receive(from: socket) { _ in }
        guard case .failed(let error) = transfer else {
            Issue.record("the connection was not refused")
            return
        }
        #expect(error.description == "connection refused")
        kernel.close(socket)
    }

    @Test func `reads the clocks once per wait if that is wanted`() throws {
        var kernel = try LinuxKernel(readsClockOncePerWait: true)
        let (now, wallClock) = (kernel.now, kernel.wallClock)
        while WallClock.milliseconds <= wallClock + 1 {}
        #expect(kernel.now == now)
        #expect(kernel.wallClock == wallClock)
        kernel.wait(until: now) { _ in }
        #expect(kernel.now > now)
        #expect(kernel.wallClock > wallClock)
        // The deadline is judged by the clock itself: it has passed.
        kernel.wait(until: kernel.now) { _ in }
    }

    /// Nothing is due at these moments, or long ago; `far` ones must not look like the past.
    @Test(arguments: [
        Instant.distantFuture, .distantFuture - .nanoseconds(1),
        Instant(nanoseconds: UInt64(Int64.max)), Instant(nanoseconds: UInt64(Int64.max) + 1),
        Instant(nanoseconds: .max / 2 + 1_000_000_000_000_000),
        Instant.distantPast + .seconds(1_000_000_000),
    ])
    func `waits for a wake-up however late the deadline is`(deadline: Instant) throws {
        var kernel = try LinuxKernel()
        let mailbox = Mailbox<Int>()
        try kernel.watch(mailbox.descriptor, token: 9)
        let thread = try LoopThread(name: "poster") {
            guard var timer = try? LinuxKernel() else { return }
            let end = timer.now + .milliseconds(30)
            while timer.now < end { timer.wait(until: end) { _ in } }
            mailbox.post(42)
        }
        var tokens: [UInt64] = []
        kernel.wait(until: deadline) { tokens.append($0.token) }
        thread.join()
        #expect(tokens == [9])
    }

    @Test(arguments: [Instant.distantPast, .distantPast + .nanoseconds(1)])
    func `does not wait for a deadline that has passed`(deadline: Instant) throws {
        var kernel = try LinuxKernel()
        kernel.wait(until: deadline) { _ in }
        kernel.wait(until: kernel.now) { _ in }
        kernel.wait(until: kernel.now - .seconds(5)) { _ in }
        #expect(WaitLength.milliseconds(from: kernel.now, until: deadline) == 0)
    }

    @Test func `never waits longer than a minute at a time, nor shorter than to the deadline`() {
        let now = Instant.distantPast + .seconds(100)
        #expect(WaitLength.milliseconds(from: now, until: .distantFuture) == 60_000)
        #expect(WaitLength.milliseconds(from: .distantPast, until: .distantFuture) == 60_000)
        #expect(WaitLength.milliseconds(from: .distantFuture, until: .distantPast) == 0)
        #expect(WaitLength.milliseconds(from: .distantFuture, until: .distantFuture) == 0)
        #expect(WaitLength.milliseconds(from: now, until: now + .nanoseconds(1)) == 1)
    }

    @Test func `has the system check a quiet connection`() throws {
        var kernel = try LinuxKernel()
        let listener = try kernel.listen(on: .loopback(port: 0), token: 1)
        let bound = kernel.localAddress(of: listener)
        let client = try kernel.connect(to: try #require(bound), token: 2)
        kernel.limitSilence(client, to: .seconds(30))
        func option(_ level: Int32, _ name: Int32) -> Int32 {
            var value: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            unsafe getsockopt(client.number, level, name, &value, &size)
            return value
        }
        #expect(option(SOL_SOCKET, SO_KEEPALIVE) == 1)
        #expect(option(Int32(IPPROTO_TCP), TCP_KEEPIDLE) == 30)
        #expect(option(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT) == 30_000)
        kernel.close(client)
        kernel.close(listener)
    }

    @Test func `throws an error that names the limit when it watches what could not be opened`()
        throws
    {
        var kernel = try LinuxKernel()
        let mailbox = WakeupDescriptor.$isLimitReached.withValue(true) { Mailbox<Int>() }
        // It can still be used, but wakes nobody.
        mailbox.post(1)
        var failure: KernelError?
        do throws(KernelError) {
            try kernel.watch(mailbox.descriptor, token: 1)
        } catch {
            failure = error
        }
        let limit = try #require(ProcessLimits.currentOpenFiles)
        #expect(failure?.lacksResources == true)
        #expect(
            failure?.description
                == "too many open files: raise the limit of \(limit) (ulimit -n, LimitNOFILE= of"
                + " systemd)")
    }

    @Test func `wakes for a message from another thread`() throws {
        var kernel = try LinuxKernel()
        let mailbox = Mailbox<Int>()
        try kernel.watch(mailbox.descriptor, token: 9)
        let thread = try LoopThread(name: "poster") { mailbox.post(42) }
        var token: UInt64?
        kernel.wait(until: kernel.now + .seconds(10)) { token = $0.token }
        thread.join()
        var messages: [Int] = []
        mailbox.drain { messages.append($0) }
        #expect(token == 9)
        #expect(messages == [42])
    }
}

@Suite struct `A socket address` {
    @Test func `is written in the usual notation`() {
        #expect(SocketAddress.loopback(port: 80).description == "127.0.0.1:80")
        #expect(SocketAddress(numeric: "::1", port: 443)?.description == "[::1]:443")
    }

    @Test func `is not a host name`() {
        #expect(SocketAddress(numeric: "localhost", port: 1) == nil)
    }
}

@Suite struct `Deadlines` {
    @Test func `pass in order, whatever order they were set in`() {
        let start = Instant.distantPast
        var deadlines = DeadlineQueue<Int>()
        for (id, deadline) in [50, 10, 40, 20, 30].enumerated() {
            deadlines.add(start + .seconds(deadline), id)
        }
        let early = deadlines.popExpired(at: start + .seconds(9))
        #expect(early == nil)
        var order: [Int] = []
        let late = start + .seconds(45)
        while let entry = deadlines.popExpired(at: late) { order.append(entry.item) }
        #expect(order == [1, 3, 4, 2])
        #expect(deadlines.next == start + .seconds(50))
    }
}
