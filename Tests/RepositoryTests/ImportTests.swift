import Testing

@Suite struct `The targets of the package` {
    private static let targets = Result {
        Manifest.targets(in: try Repository.text("Package.swift"))
    }

    @Test func `declare exactly what they import`() throws {
        for target in try Self.targets.get() where !target.path.hasPrefix("Sources/System/") {
            let files = Repository.swift.filter { $0.path.hasPrefix(target.path + "/") }
            expectNone(ImportRules.offences(of: target, in: files))
        }
    }

    @Test func `have all files of the sources and the tests`() throws {
        let folders = try Self.targets.get().map { $0.path + "/" }
        expectNone(
            (Repository.sources + Repository.tests).map(\.path).filter { path in
                !folders.contains { path.hasPrefix($0) }
            })
    }

    @Test func `wrap each C library in one module`() throws {
        let targets = try Self.targets.get()
        let libraries = targets.filter { $0.path.hasPrefix("Sources/System/") }.map(\.name)
        #expect(libraries.count >= 7)
        // System calls are needed in more than one place.
        for library in libraries where library != "CLinux" {
            let users = targets.filter {
                $0.path.hasPrefix("Sources/") && $0.dependencies.contains(library)
            }
            #expect(users.count == 1, "\(library) is imported by \(users.map(\.name))")
        }
    }

    @Test(arguments: ["Delivery", "Encoding"])
    func `that are pure depend on nothing`(name: String) throws {
        let target = try #require(try Self.targets.get().first { $0.name == name })
        #expect(target.dependencies.isEmpty)
    }

    @Test func `are read from the manifest as it is written`() {
        let text = """
            func module(_ name: String) {}
            // module("Old", ["Z"])
            module("A", exclude: ["README.md"]),
            module(
                "B",
                [
                    "A", "C",
                ], resources: [.embedInCode("Page")]),
            .executableTarget(
                name: "b", dependencies: ["B"], path: "Elsewhere/B"),
            tests("ATests", ["A"]),
            """
        #expect(
            Manifest.targets(in: text) == [
                Manifest.Target(name: "A", kind: .module, path: "Sources/A", dependencies: []),
                Manifest.Target(
                    name: "B", kind: .module, path: "Sources/B", dependencies: ["A", "C"]),
                Manifest.Target(
                    name: "b", kind: .executableTarget, path: "Elsewhere/B", dependencies: ["B"]),
                Manifest.Target(
                    name: "ATests", kind: .tests, path: "Tests/ATests", dependencies: ["A"]),
            ])
    }

    @Test func `are found out when they import what they do not declare`() {
        let target = Manifest.Target(
            name: "JSON", kind: .module, path: "Sources/JSON", dependencies: ["Delivery"])
        let text = "public import Glibc\n// import Kafka\n@testable import struct Kafka.X\n"
        let file = SwiftFile(path: "Sources/JSON/A.swift", text: text)
        #expect(
            ImportRules.offences(of: target, in: [file]) == [
                "Sources/JSON/A.swift:3: JSON does not declare Kafka",
                "Package.swift: JSON declares Delivery and never imports it",
            ])
        let pure = Manifest.Target(
            name: "Delivery", kind: .module, path: "Sources/Delivery", dependencies: [])
        let system = SwiftFile(path: "Sources/Delivery/A.swift", text: "internal import Glibc\n")
        #expect(ImportRules.offences(of: pure, in: [system]).count == 1)
    }
}

/// Fails with every offender, one a line.
func expectNone(_ offences: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let list = offences.joined(separator: "\n")
    #expect(offences.isEmpty, "\(list)", sourceLocation: sourceLocation)
}
