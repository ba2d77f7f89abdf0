internal import CFuzzer
internal import Glibc

/// `fuzz event|connector|pattern [libFuzzer's options] FOLDER…`: looks for inputs that crash.
@main enum Fuzz {
    static func main() {
        let name = CommandLine.arguments.dropFirst().first ?? ""
        // libFuzzer reads the rest as if the target's name were the program's.
        var count = CommandLine.argc - 1
        var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        unsafe words = CommandLine.unsafeArgv + 1
        switch name {
        case "event": exit(unsafe LLVMFuzzerRunDriver(&count, &words, Self.event))
        case "connector": exit(unsafe LLVMFuzzerRunDriver(&count, &words, Self.connector))
        case "pattern": exit(unsafe LLVMFuzzerRunDriver(&count, &words, Self.pattern))
        default:
            print("fuzz event|connector|pattern [options] FOLDER…")
            exit(64)
        }
    }

    private typealias Callback = @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32

    private static let event: Callback = { data, size in
        EventTarget.run(unsafe [UInt8](UnsafeBufferPointer(start: data, count: size)))
        return 0
    }

    private static let connector: Callback = { data, size in
        ConnectorTarget.run(unsafe [UInt8](UnsafeBufferPointer(start: data, count: size)))
        return 0
    }

    private static let pattern: Callback = { data, size in
        PatternTarget.run(unsafe [UInt8](UnsafeBufferPointer(start: data, count: size)))
        return 0
    }
}
