import Testing

@Suite struct `Completions in bash` {
    @Test(arguments: [
        (arguments: ["vers"], offer: "version"),
        (arguments: ["version", "--form"], offer: "--format"),
        (arguments: ["version", "--format", ""], offer: "text json"),
        (arguments: ["version", "--format", "=", "j"], offer: "json"),
        (arguments: ["completions", ""], offer: "bash zsh fish"),
        (arguments: ["simulator", "tok"], offer: "token"),
        (arguments: ["version", "nothing"], offer: ""),
    ])
    func `offer what may come next`(arguments: [String], offer: String) throws {
        let line = (["apns-bridge"] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let script = """
            eval "$('\(Program.path)' completions bash)"
            COMP_WORDS=(\(line)); COMP_CWORD=\(arguments.count)
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
