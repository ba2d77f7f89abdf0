/// Records that own plain bytes, for sources other than a C library.
extension Record {
    /// Creates a record with its own copies of key, value and headers.
    public static func owning(
        assignment: AssignmentID, topicPartition: TopicPartition, offset: Int64,
        timestamp: Int64? = nil, key: [UInt8]? = nil, value: [UInt8]?,
        headers: [ResultRecord.Header] = [], appended: AppendTime? = nil,
        isLogAppendTime: Bool = false
    ) -> Record {
        let bytes = OwnedBytes(key: key, value: value, headers: headers)
        let owner = unsafe Unmanaged.passRetained(bytes).toOpaque()
        let access = unsafe RecordAccess(
            release: { unsafe Unmanaged<OwnedBytes>.fromOpaque($0).release() },
            header: { owner, index in
                let bytes = unsafe Unmanaged<OwnedBytes>.fromOpaque(owner).takeUnretainedValue()
                return unsafe index < bytes.headers.count ? bytes.headers[index] : nil
            })
        return unsafe Record(
            assignment: assignment, topicPartition: topicPartition, offset: offset,
            timestamp: timestamp, key: bytes.key, value: bytes.value, owner: owner, access: access,
            appended: appended, isLogAppendTime: isLogAppendTime)
    }
}

/// Bytes at a stable address for as long as the record lives.
@safe private final class OwnedBytes {
    let key: UnsafeRawBufferPointer?
    let value: UnsafeRawBufferPointer?
    let headers: [RecordHeader]

    init(key: [UInt8]?, value: [UInt8]?, headers: [ResultRecord.Header]) {
        unsafe self.key = unsafe key.map { unsafe Self.copy($0) }
        unsafe self.value = unsafe value.map { unsafe Self.copy($0) }
        unsafe self.headers = headers.map { header in
            let name = unsafe Self.copy(HeaderName.bytes(header.name))
            return unsafe RecordHeader(
                name: name, value: header.value.map { unsafe Self.copy($0) })
        }
    }

    deinit {
        unsafe key?.deallocate()
        unsafe value?.deallocate()
        for unsafe header in unsafe headers {
            unsafe header.name.deallocate()
            unsafe header.value?.deallocate()
        }
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        unsafe memory.copyBytes(from: bytes)
        return UnsafeRawBufferPointer(memory)
    }
}
