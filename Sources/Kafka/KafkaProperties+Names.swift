internal import CRDKafka
internal import Glibc

extension KafkaProperties {
    /// The names of all properties known to this version of the library, including refused ones.
    ///
    /// The library prints them as a table; the name is the first word of each row.
    public static func knownNames() -> [String] {
        var buffer: UnsafeMutablePointer<CChar>?
        var size = 0
        guard let stream = unsafe open_memstream(&buffer, &size) else { return [] }
        unsafe rd_kafka_conf_properties_show(stream)
        unsafe fclose(stream)
        defer { unsafe free(buffer) }
        let bytes = unsafe UnsafeBufferPointer(start: buffer, count: buffer == nil ? 0 : size)
        let table = String(decoding: unsafe bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return table.split(separator: "\n").compactMap { row in
            guard row.contains("|"), let name = row.split(separator: " ").first else { return nil }
            let isName = name.allSatisfy { $0.isLowercase || $0.isNumber || "._".contains($0) }
            return isName ? String(name) : nil
        }
    }
}
