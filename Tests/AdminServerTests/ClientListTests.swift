import Testing

@testable import AdminServer

@Suite struct `The clients of an admin server` {
    private static let one: [UInt8] = [10, 0, 0, 1]
    private static let other: [UInt8] = [10, 0, 0, 2]

    @Test func `that share an address and get no response make room for each other`() {
        let clients = ClientList(limit: 96)
        #expect(clients.add(1000, address: Self.one) == nil)
        clients.serve(1000)
        for socket in 1...24 as ClosedRange<Int32> {
            #expect(clients.add(socket, address: Self.one) == nil)
        }
        // Those that send something are not the oldest.
        clients.noteActivity(1)
        #expect(clients.add(25, address: Self.one) == 2)
        #expect(clients.add(26, address: Self.one) == 3)
        #expect(clients.add(27, address: Self.other) == nil)
        clients.remove(4)
        #expect(clients.add(28, address: Self.one) == nil)
    }

    @Test func `that were served stay while others are silent`() {
        let clients = ClientList(limit: 8)
        for socket in 1...4 as ClosedRange<Int32> {
            #expect(clients.add(socket, address: [10, 0, 0, UInt8(socket)]) == nil)
            clients.serve(socket)
        }
        for socket in 5...8 as ClosedRange<Int32> {
            #expect(clients.add(socket, address: [10, 0, 0, UInt8(socket)]) == nil)
        }
        for socket in 9...12 as ClosedRange<Int32> {
            #expect(clients.add(socket, address: [10, 0, 0, UInt8(socket)]) == socket - 4)
            clients.serve(socket)
        }
        // All were served: the one that has been silent for longest goes.
        #expect(clients.add(13, address: Self.one) == 1)
    }

    @Test func `of a Unix domain socket have no address that they could share`() {
        let clients = ClientList(limit: 96)
        for socket in 1...96 as ClosedRange<Int32> {
            #expect(clients.add(socket, address: []) == nil)
        }
        #expect(clients.add(97, address: []) == 1)
    }
}
