internal import CFuzzer
internal import Glibc

/// `fuzz TARGET [libFuzzer's options] FOLDER…`: looks for inputs that crash.
@main enum Fuzz {
    static func main() {
        let name = CommandLine.arguments.dropFirst().first ?? ""
        guard let callback = unsafe callback(name) else {
            let targets =
                "event|cost|avro|avro-sample|protobuf|connector|pattern|http2-client|http2-server"
                + "|tls|packets"
            print("fuzz \(targets) [options] FOLDER…")
            exit(64)
        }
        // libFuzzer reads the rest as if the target's name were the program's.
        var count = CommandLine.argc - 1
        var message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        unsafe message = CommandLine.unsafeArgv + 1
        exit(unsafe LLVMFuzzerRunDriver(&count, &message, callback))
    }

    private typealias Callback = @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32

    private static func callback(_ name: String) -> Callback? {
        switch name {
        case "event": unsafe event
        case "cost": unsafe cost
        case "avro": unsafe avro
        case "avro-sample": unsafe avroSample
        case "protobuf": unsafe protobuf
        case "connector": unsafe connector
        case "pattern": unsafe pattern
        case "http2-client": unsafe http2Client
        case "http2-server": unsafe http2Server
        case "tls": unsafe tls
        case "packets": unsafe packets
        default: nil
        }
    }

    private static let event: Callback = {
        EventTarget.run(unsafe bytes($0, $1))
        return 0
    }

    private static let cost: Callback = {
        CostTarget.run(unsafe bytes($0, $1))
        return 0
    }

    private static let avro: Callback = {
        AvroTarget.run(unsafe bytes($0, $1))
        return 0
    }

    private static let avroSample: Callback = {
        AvroSampleTarget.run(unsafe bytes($0, $1))
        return 0
    }

    private static let protobuf: Callback = {
        ProtobufTarget.run(unsafe bytes($0, $1))
        return 0
    }

    private static let connector: Callback = {
        ConnectorTarget.run(unsafe bytes($0, $1))
        return 0
    }

    private static let pattern: Callback = {
        PatternTarget.run(unsafe bytes($0, $1))
        return 0
    }

    private static let packets: Callback = {
        PacketTarget.run(unsafe bytes($0, $1))
        return 0
    }

    private static let http2Client: Callback = {
        HTTP2ClientTarget.run(unsafe bytes($0, $1))
        return 0
    }

    private static let http2Server: Callback = {
        HTTP2ServerTarget.run(unsafe bytes($0, $1))
        return 0
    }

    private static let tls: Callback = {
        TLSTarget.run(unsafe bytes($0, $1))
        return 0
    }

    private static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
        unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    }
}
