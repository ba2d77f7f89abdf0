import Avro
import Foundation
import ReferenceRecords
import Testing

private let python = ReferenceRecords.python(with: "fastavro")

@Suite struct `Random records of random schemas` {
    @Test(.enabled(if: python != nil, "Python has no fastavro: make python-clients installs it"))
    func `become the JSON that fastavro reads in them`() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "random_records.py")
        let records = try ReferenceRecords.read(script, with: try #require(python))
        #expect(records.count == ReferenceRecords.count)
        for record in records {
            let (bytes, schema) = (try record.bytes(), try record.text("schema"))
            do {
                try record.expect(try json(bytes, schema), isOrdered: true)
            } catch let error as AvroFault {
                Issue.record("\(error) in \(schema)")
            }
        }
    }
}
