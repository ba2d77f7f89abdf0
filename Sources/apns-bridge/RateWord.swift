internal import Arguments

/// A number of records per second on a command line, such as `100/s`.
struct RateWord: ExpressibleByArgument {
    let argumentText: String
    let perSecond: Int

    init?(argument: String) {
        guard argument.hasSuffix("/s"), let number = Int(argument.dropLast(2)),
            (1...1_000_000).contains(number)
        else { return nil }
        argumentText = argument
        perSecond = number
    }

    static var valueDescription: String { "a number per second, such as 100/s" }
}
