import Testing

@Suite struct `The modules` {
    @Test func `import only what lies below them`() {
        expectNone(Repository.sources.flatMap(ImportRules.offences))
    }

    @Test func `are each in the table of imports and each there`() {
        let there = Set(Repository.sources.map(\.module))
        #expect(there.isSubset(of: ImportRules.allowed.keys))
        #expect(ImportRules.allowed["Delivery"] == [])
    }

    @Test func `import nothing twice over one C library`() {
        let libraries = Set(ImportRules.allowed.values.joined().filter { $0.hasPrefix("C") })
            .subtracting(["CLinux", "Configuration"])
        for library in libraries {
            let users = ImportRules.allowed.filter { $0.value.contains(library) }.keys
            #expect(users.count == 1, "\(library) is imported by \(users.sorted())")
        }
    }

    @Test func `are found out when they import upwards`() {
        let text = "public import Glibc\n// import Kafka\n@testable import struct Kafka.X\n"
        let file = SwiftFile(path: "Sources/JSON/A.swift", text: text)
        #expect(
            ImportRules.offences(in: file) == ["Sources/JSON/A.swift:3: JSON may not import Kafka"])
        let pure = SwiftFile(path: "Sources/Delivery/A.swift", text: "internal import Glibc\n")
        #expect(ImportRules.offences(in: pure).count == 1)
    }
}

/// Fails with every offender, one a line.
func expectNone(_ offences: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let list = offences.joined(separator: "\n")
    #expect(offences.isEmpty, "\(list)", sourceLocation: sourceLocation)
}
