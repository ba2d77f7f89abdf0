import Mapping
import Testing

private func file(_ path: String, _ text: String) -> RecordSchema.File {
    RecordSchema.File(path: path, text: Array(text.utf8))
}

@Suite struct `A broken file with a schema` {
    @Test(arguments: [
        (
            [file("a.avsc", "{\"type\": \"record\",\n  \"ä\": nul}")],
            "a.avsc:2:8: it is not a usable Avro schema: the schema is not valid JSON: "
        ),
        (
            [file("a.proto", "syntax = \"proto3\";\nmessage A {\n  int64 id = x;\n}")],
            "a.proto:3:14: it is not a usable Protobuf schema: Expected field number"
        ),
        (
            [
                file(
                    "a.proto",
                    "syntax = \"proto3\";\nimport \"b.proto\";\nmessage A { B b = 1; }"),
                file("b.proto", "syntax = \"proto3\";\n\nmessage B { int64 = 1; }"),
            ], "b.proto:3:19: it is not a usable Protobuf schema: Expected field name"
        ),
    ])
    func `is refused with the line and the column of an error`(
        files: [RecordSchema.File], expected: String
    ) {
        do throws(RecordSchema.Fault) {
            _ = try RecordSchema(files)
            Issue.record("no fault")
        } catch {
            let found = "\(error.path):\(error.line):\(error.column): \(error.message)"
            #expect(found.hasPrefix(expected), "\(found)")
            #expect(error.remedy?.contains(".proto file") == true)
        }
    }

    @Test func `is refused with the way out if it is a binary descriptor`() {
        let binary = RecordSchema.File(path: "a.desc", text: [0x0A, 0x02, 0x61, 0x00, 0xFF])
        do throws(RecordSchema.Fault) {
            _ = try RecordSchema([binary])
            Issue.record("no fault")
        } catch {
            #expect(
                error.remedy == "a binary file cannot be read: write a FileDescriptorProto in"
                    + " Base64, or pass the .proto file")
        }
    }
}
