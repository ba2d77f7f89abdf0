package import Delivery
internal import Foundation

/// A record of a result topic, as a file of a ``Contract``.
package struct PublishedRecord: Codable, Equatable, Sendable {
    package let topic: String
    /// The partition that it is written to; nil where the key decides.
    package let partition: Int32?
    package let key: String?
    package let value: String?
    /// Names and values, in order.
    package let headers: [[String]]

    /// Reads the file of a release.
    package init(_ name: String, of contract: Contract) throws {
        self = try JSONDecoder().decode(
            Self.self, from: Data(contract.text("records/\(name).json").utf8))
    }

    /// Takes a record that is about to be written; keys, values and headers are UTF-8.
    package init(_ record: ResultRecord) {
        topic = record.topic
        partition = record.partition
        key = record.key.map { String(decoding: $0, as: UTF8.self) }
        value = record.value.map { String(decoding: $0, as: UTF8.self) }
        headers = record.headers.map { [$0.name, String(decoding: $0.value ?? [], as: UTF8.self)] }
    }

    /// The file of this record.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The record as Kafka has it.
    package var record: ResultRecord {
        ResultRecord(
            topic: topic, partition: partition, key: key.map { Array($0.utf8) },
            value: value.map { Array($0.utf8) },
            headers: headers.map { ($0[0], Array($0[1].utf8)) })
    }

    /// The last header of that name.
    package func header(_ name: String) -> String? { headers.last { $0[0] == name }?[1] }

    /// Headers that a record must have, and whose values are not promised: a seal depends on what
    /// else the record has, a back-off on chance, and details are words.
    private static let varying: Set = [
        "apns-bridge-seal", "apns-bridge-retry-due", "apns-bridge-detail",
    ]

    /// How a record that this program writes differs from this one, apart from members and headers
    /// that it has besides. Of headers with one name, the last counts, as for those who read them.
    package func differences(from new: PublishedRecord) -> [String] {
        var found: [String] = []
        if topic != new.topic { found.append("the topic is \(new.topic), not \(topic)") }
        if partition != new.partition {
            let names = [partition, new.partition].map { $0.map(String.init) ?? "that of the key" }
            found.append("the partition is \(names[1]), not \(names[0])")
        }
        if key != new.key { found.append("the key is \(new.key ?? "null"), not \(key ?? "null")") }
        for header in headers {
            let name = header[0]
            guard let value = new.header(name) else {
                found.append("the header \(name) is gone")
                continue
            }
            let published = self.header(name) ?? ""
            if value != published, !Self.varying.contains(name) {
                found.append("the header \(name) is '\(value)', not '\(published)'")
            }
        }
        if value != new.value {
            found += JSONShape.differences(of: value, from: new.value, comparesValues: true)
        }
        return found
    }
}
