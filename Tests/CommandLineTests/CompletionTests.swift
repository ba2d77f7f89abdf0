import Testing

@Suite struct `Completions in bash` {
    @Test(arguments: [
        (message: ["vers"], offer: "version"),
        (message: ["version", "--form"], offer: "--format"),
        (message: ["version", "--format", ""], offer: "text json"),
        (message: ["version", "--format", "=", "j"], offer: "json"),
        (message: ["completions", ""], offer: "bash zsh fish"),
        (message: ["simulator", "tok"], offer: "token"),
        (message: ["version", "nothing"], offer: ""),
    ])
    func `offer what may come next`(message: [String], offer: String) throws {
        let line = (["apns-bridge"] + message).map { "'\($0)'" }.joined(separator: " ")
        let script = """
            eval "$('\(Program.path)' completions bash)"
            COMP_WORDS=(\(line)); COMP_CWORD=\(message.count)
            _apns_bridge
            echo "${COMPREPLY[*]}"
            """
        let ending = try Program.run("/bin/bash", ["-c", script])
        #expect(ending.errors.isEmpty)
        #expect(ending.output == "\(offer)\n")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `exist for each shell`(shell: String) throws {
        let ending = try Program.run("completions", shell)
        #expect(ending.code == 0)
        #expect(ending.output.contains("simulator token"))
    }
}
