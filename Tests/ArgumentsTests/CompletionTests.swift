import Arguments
import Testing

@Suite struct `Completions` {
    @Test(arguments: CompletionShell.allCases)
    func `know every command and option`(shell: CompletionShell) {
        let script = shell.script(for: Shop.command)
        for word in ["buy", "transfer", "keys add", "count", "owner", "quiet", "medium"] {
            #expect(script.contains(word))
        }
    }

    @Test(arguments: CompletionShell.allCases)
    func `escape quotation marks in help texts`(shell: CompletionShell) {
        let option = Option<String?>("name", help: "Somebody's name; $(reboot)")
        let script = shell.script(for: Command("say", abstract: "Says.", options: [option]))
        #expect(!script.contains("Somebody's"))
    }

    @Test func `offer files where a command accepts them`() {
        #expect(CompletionShell.bash.script(for: Shop.command).contains("compgen -f"))
        #expect(CompletionShell.zsh.script(for: Shop.command).contains("_files"))
        #expect(CompletionShell.fish.script(for: Shop.command).contains("-F"))
    }
}
