import Foundation
import Testing

@Suite struct `Manual pages` {
    private func pages() throws -> [String] {
        let ending = try Program.run("man", "--list")
        #expect(ending.code == 0)
        return ending.output.split(separator: "\n").map(String.init)
    }

    @Test func `exist for every command`() throws {
        let pages = try pages()
        #expect(pages.first == "apns-bridge")
        for name in ["run", "doctor", "simulator-token", "schema"] {
            #expect(pages.contains("apns-bridge-\(name)"))
        }
        #expect(try Program.run("man", "run").output.hasPrefix(".TH APNS-BRIDGE-RUN 1\n"))
        #expect(try Program.run("man").output.hasPrefix(".TH APNS-BRIDGE 1\n"))
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")))
    func `are formatted without a warning`() throws {
        for page in try pages() {
            let ending = try Program.run(
                "/bin/bash",
                ["-c", "'\(Program.path)' man \(page) | /usr/bin/groff -k -man -ww -z 2>&1"])
            #expect(ending.code == 0 && ending.output.isEmpty, "\(page): \(ending.output)")
        }
    }

    @Test func `that do not exist are an error`() throws {
        let ending = try Program.run("man", "fly")
        #expect(ending.code == 64)
        #expect(
            ending.errors == "error: no page is called 'fly': see apns-bridge man --list\n")
    }
}
