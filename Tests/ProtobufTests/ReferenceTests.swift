import Foundation
import Protobuf
import ReferenceRecords
import Testing

private let python = ReferenceRecords.python(with: "google.protobuf.message_factory")

@Suite struct `Random messages of random schemas` {
    @Test(.enabled(if: python != nil, "Python has no protobuf: make python-clients installs it"))
    func `become the JSON that Google's own library reads in them`() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "random_messages.py")
        let records = try ReferenceRecords.read(script, with: try #require(python))
        #expect(records.count == ReferenceRecords.count)
        for record in records {
            let (bytes, schema) = (try record.bytes(), try record.text("schema"))
            let files = [("first.proto", try record.text("import"))]
            do {
                try record.expect(
                    try json(bytes, schema, files: files, location: .indexes), isOrdered: false)
            } catch let error as ProtobufFault {
                Issue.record("\(error) in \(schema)")
            }
        }
    }
}
