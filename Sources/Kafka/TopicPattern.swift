internal import Glibc

/// A pattern of topic names, as librdkafka's subscriptions have them: a POSIX extended regular
/// expression that begins with `^`.
///
/// It is compiled and matched by the C library's functions, which librdkafka calls, too: both agree
/// on what it matches. It may match a part of a name; `$` is its end.
@safe public final class TopicPattern: Sendable {
    /// Why an expression is not valid.
    public struct Mistake: Error, Equatable, Sendable {
        /// The C library's description.
        public var message: String
    }

    /// The expression as written.
    public let text: String
    // Written once; matching reads it, under a lock of the C library.
    private nonisolated(unsafe) let expression: UnsafeMutablePointer<regex_t>

    /// Compiles an expression.
    public init(_ text: String) throws(Mistake) {
        guard Self.copies(in: text) <= Self.maxCopies else {
            throw Mistake(
                message: "it repeats more than the \(Self.maxCopies) characters that the name of a"
                    + " topic may have")
        }
        let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
        unsafe compiled.initialize(to: regex_t())
        let error = unsafe regcomp(compiled, text, REG_EXTENDED | REG_NOSUB)
        guard error == 0 else {
            // A failed compilation leaves nothing in it.
            let message = unsafe Self.message(error, compiled)
            unsafe compiled.deallocate()
            throw Mistake(message: message)
        }
        self.text = text
        unsafe expression = compiled
    }

    deinit {
        unsafe regfree(expression)
        unsafe expression.deallocate()
    }

    /// True for an entry of a subscription that is a pattern, valid or not.
    public static func isPattern(_ entry: String) -> Bool { entry.hasPrefix("^") }

    /// True for the names of topics that it stands for.
    public func matches(_ name: String) -> Bool {
        unsafe regexec(expression, name, 0, nil, 0) == 0
    }

    /// The longest name of a topic.
    private static let maxCopies = 249

    /// The product of the highest numbers of all repetitions: the C library makes so many copies,
    /// in memory that it does not limit.
    private static func copies(in text: String) -> Int {
        text.split(separator: "{").dropFirst().reduce(1) { product, rest in
            let numbers = rest.prefix { $0 != "}" }.split(separator: ",").compactMap { Int($0) }
            return min(1_000_000, product * max(1, min(1_000_000, numbers.max() ?? 1)))
        }
    }

    private static func message(
        _ error: Int32, _ expression: UnsafeMutablePointer<regex_t>
    ) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            _ = unsafe regerror(error, expression, start, 128)
            return unsafe String(cString: start)
        }
    }
}
