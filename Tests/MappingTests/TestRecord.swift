import Delivery

/// A record made from bytes, which are freed with the record.
final class TestRecord {
    var key: [UInt8]?
    var headers: [(name: String, value: [UInt8]?)] = []
    var timestamp: Int64? = 1_767_261_600_000
    var topic = "shop.orders"
    private let value: [UInt8]?

    init(_ value: [UInt8]?) { self.value = value }

    convenience init(json: String) { self.init(Array(json.utf8)) }

    func makeRecord() -> Record {
        let memory = unsafe RecordMemory(key: key, value: value, headers: headers)
        let owner = unsafe Unmanaged.passRetained(memory).toOpaque()
        return unsafe Record(
            assignment: AssignmentID(0), topicPartition: TopicPartition(topic: topic, partition: 3),
            offset: 42, timestamp: timestamp, key: memory.key, value: memory.value, owner: owner,
            access: RecordMemory.access)
    }
}

/// What a source would own: copies with a fixed address.
@unsafe final class RecordMemory {
    let key: UnsafeRawBufferPointer?
    let value: UnsafeRawBufferPointer?
    private let headers: [RecordHeader]

    init(key: [UInt8]?, value: [UInt8]?, headers: [(name: String, value: [UInt8]?)]) {
        unsafe self.key = unsafe key.map(Self.copy)
        unsafe self.value = unsafe value.map(Self.copy)
        unsafe self.headers = headers.map { header in
            unsafe RecordHeader(
                name: Self.copy(Array(header.name.utf8)), value: header.value.map(Self.copy))
        }
    }

    deinit {
        unsafe key?.deallocate()
        unsafe value?.deallocate()
        unsafe headers.forEach { header in
            unsafe header.name.deallocate()
            unsafe header.value?.deallocate()
        }
    }

    static func copy(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        unsafe memory.copyBytes(from: bytes)
        return UnsafeRawBufferPointer(memory)
    }

    static var access: RecordAccess {
        unsafe RecordAccess(
            release: { unsafe Unmanaged<RecordMemory>.fromOpaque($0).release() },
            header: { owner, index in
                let memory = unsafe Unmanaged<RecordMemory>.fromOpaque(owner).takeUnretainedValue()
                guard unsafe index < memory.headers.count else { return nil }
                return unsafe memory.headers[index]
            })
    }
}
