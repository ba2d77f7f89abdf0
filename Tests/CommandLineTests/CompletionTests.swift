import Testing

@Suite struct `Completions in bash` {
    @Test(arguments: [
        (words: ["vers"], offer: "version"),
        (words: ["version", "--form"], offer: "--format"),
        (words: ["version", "--format", ""], offer: "text json"),
        (words: ["version", "--format", "=", "j"], offer: "json"),
        (words: ["completions", ""], offer: "bash zsh fish"),
        (words: ["simulator", "tok"], offer: "token"),
        (words: ["version", "nothing"], offer: ""),
    ])
    func `offer what may come next`(words: [String], offer: String) throws {
        let line = (["apns-bridge"] + words).map { "'\($0)'" }.joined(separator: " ")
        let script = """
            eval "$('\(Program.path)' completions bash)"
            COMP_WORDS=(\(line)); COMP_CWORD=\(words.count)
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
