import Testing

@testable import HTTP2

@Suite struct `The memory of an HTTP/2 session` {
    @Test func `reuses a freed block for another one of its size`() {
        let pool = BlockPool()
        let first = unsafe pool.allocate(100)
        unsafe pool.free(first)
        let second = unsafe pool.allocate(90)
        #expect(unsafe second == first)
        unsafe pool.free(second)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 47, 48, 1007, 1008, 1009, 5000])
    func `has the requested room, and keeps its content when it grows`(size: Int) throws {
        let pool = BlockPool()
        let found = unsafe pool.allocate(size)
        let block = unsafe try #require(found)
        let bytes = unsafe UnsafeMutableRawBufferPointer(start: block, count: size)
        for index in 0..<size { unsafe bytes[index] = UInt8(index & 0xFF) }
        let moved = unsafe pool.reallocate(block, 2 * size + 1)
        let larger = unsafe try #require(moved)
        let copy = unsafe UnsafeMutableRawBufferPointer(start: larger, count: size)
        #expect(unsafe copy.elementsEqual((0..<size).map { UInt8($0 & 0xFF) }))
        unsafe pool.free(larger)
    }
}
