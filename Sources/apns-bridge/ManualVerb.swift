internal import Arguments

/// Prints manual pages.
struct ManualVerb: Verb {
    private static let page = Argument<String?>(
        "page", help: "The command whose page to print, such as run; by default the first page.")
    private static let listsPages = Flag("list", help: "List the names of all pages.")

    static let command = Command(
        "man",
        abstract: "Prints a manual page, for man to show or a package to install.",
        examples: [
            "apns-bridge man run | man -l -",
            "apns-bridge man apns-bridge-run >/usr/local/share/man/man1/apns-bridge-run.1",
            "apns-bridge man --list",
        ],
        flags: [listsPages], arguments: [page])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        let pages = APNsBridge.command.manualPages()
        if parsed[listsPages] {
            Console.output(pages.map { "\($0.name)\n" }.joined())
            return .success
        }
        let name = parsed[page] ?? APNsBridge.command.name
        let prefix = APNsBridge.command.name + "-"
        guard let page = pages.first(where: { $0.name == name || $0.name == prefix + name }) else {
            Console.error("error: no page is called '\(name)': see apns-bridge man --list")
            return .usage
        }
        Console.output(page.text)
        return .success
    }
}
