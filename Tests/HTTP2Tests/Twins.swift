internal import Encoding
internal import Testing

@testable internal import HTTP2

/// Two clients that receive the same bytes: one reads plain responses itself, the other leaves all
/// to nghttp2.
final class Twins {
    /// A client, and what it reported.
    final class Twin {
        var client: HTTP2Client
        var events: [HTTP2ClientEvent] = []
        var error: HTTP2Error?
        var output: [UInt8] = []

        init(findsPlainResponses: Bool) {
            client = HTTP2Client(findsPlainResponses: findsPlainResponses)
        }

        func deliver(_ bytes: [UInt8]) {
            do throws(HTTP2Error) { try unsafe client.receive(bytes.span.bytes) } catch {
                self.error = self.error ?? error
            }
            while let event = client.nextEvent() { events.append(event) }
            try? client.send { output += copy(of: $0) }
        }
    }

    let quick = Twin(findsPlainResponses: true)
    let plain = Twin(findsPlainResponses: false)

    /// Both have sent this many requests, on streams 1, 3 and so on.
    init(requests: Int) throws {
        for twin in [quick, plain] {
            twin.deliver(Frame.bytes(kind: 4))
            for tag in 0..<requests { try twin.client.submit(push(tag), tag: tag) }
            twin.deliver([])
            (twin.events, twin.output) = ([], [])
        }
    }

    func deliver(_ bytes: [UInt8]) {
        for twin in [quick, plain] { twin.deliver(bytes) }
    }

    func compare(_ message: String) {
        #expect(quick.events == plain.events, "\(message)")
        // After a GOAWAY, when nothing is open, nghttp2 ignores what comes in another piece, and
        // bytes are handed to it in more pieces here.
        let isOver = quick.client.openStreams == 0 && !quick.client.acceptsRequests
        guard !isOver || quick.error != nil else { return }
        #expect(quick.error?.code == plain.error?.code, "\(message)")
        #expect(quick.error?.detail == plain.error?.detail, "\(message)")
        #expect(quick.output == plain.output, "\(message)")
        #expect(quick.client.openStreams == plain.client.openStreams, "\(message)")
    }
}

/// What a server might send.
enum Weather {
    /// One response or another frame.
    static func frames(_ random: inout SeededGenerator) -> [UInt8] {
        let stream = UInt32(random.next() % 9) * 2 + 1
        switch random.next() % 16 {
        case 0: return Frame.bytes(kind: 6, [UInt8](repeating: 1, count: 8))
        case 1: return Frame.bytes(kind: 8, stream: 0, [0, 0, 0, 9])
        case 2: return Frame.bytes(kind: 3, stream: stream, [0, 0, 0, UInt8(random.next() % 9)])
        case 3:
            let start = Frame.bytes(kind: 1, flags: 4, stream: stream, [0x88])
            return start + Frame.bytes(kind: 0, flags: 1, stream: stream, [1, 2, 3])
        case 4:
            let block = block(&random)
            let (one, two) = (Array(block[..<3]), Array(block[3...]))
            return Frame.bytes(kind: 1, flags: 1, stream: stream, one)
                + Frame.bytes(kind: random.next() % 3 == 0 ? 1 : 9, flags: 4, stream: stream, two)
        case 5:
            let padded = [4] + block(&random) + [0, 0, 0, 0]
            return Frame.bytes(kind: 1, flags: 5 | 8, stream: stream, padded)
        case 6: return Frame.bytes(kind: 7, [0, 0, 0, UInt8(stream), 0, 0, 0, 0])
        case 7:
            let interim: [UInt8] = [0x08, 0x03, 0x31, 0x30, 0x30]
            return Frame.bytes(kind: 1, flags: 4, stream: stream, interim)
        default: return Frame.bytes(kind: 1, flags: 5, stream: stream, block(&random))
        }
    }

    /// A header block, mostly of a plain response.
    private static func block(_ random: inout SeededGenerator) -> [UInt8] {
        let number = UInt128(random.next()) << 64 | UInt128(random.next())
        let identifier = Huffman.identifier(number)
        let value =
            random.next() % 2 == 0 ? Huffman.text(identifier) : Huffman.plain(identifier)
        let name =
            random.next() % 2 == 0 ? Huffman.text("apns-id") : Huffman.plain("apns-id")
        let other = Huffman.text("other") + Huffman.plain("1")
        let indexed: [UInt8] = [0x1F, 0x2F + UInt8(random.next() % 2)]
        switch random.next() % 10 {
        case 0: return [0x88, 0x40] + name + value
        case 1: return [0x88, 0x40] + other
        case 2: return [0x88, 0x10] + other
        case 3: return [0x20, 0x88] + indexed + value
        case 4, 5, 6: return [0x88] + indexed + value
        case 7: return [0x8D, 0x10] + name + value
        default: return [0x88, random.next() % 2 == 0 ? 0x00 : 0x10] + name + value
        }
    }
}

/// Strings of header blocks (RFC 7541, 5.2).
enum Huffman {
    private static let codes: [Character: String] = [
        "-": "010110", "0": "00000", "1": "00001", "2": "00010", "3": "011001", "4": "011010",
        "5": "011011", "6": "011100", "7": "011101", "8": "011110", "9": "011111", "A": "100001",
        "B": "1011101", "C": "1011110", "D": "1011111", "E": "1100000", "F": "1100001",
        "a": "00011", "b": "100011", "c": "00100", "d": "100100", "e": "00101", "f": "100101",
        "g": "100110", "h": "100111", "i": "00110", "n": "101010", "o": "00111", "p": "101011",
        "r": "101100", "s": "01000", "t": "01001", "+": "11111111011",
    ]

    /// A short string with its length, in Huffman's code.
    static func text(_ text: String) -> [UInt8] {
        var bits = text.map { codes[$0] ?? "" }.joined()
        while bits.count % 8 != 0 { bits += "1" }
        var bytes: [UInt8] = []
        while !bits.isEmpty {
            bytes.append(UInt8(bits.prefix(8), radix: 2) ?? 0)
            bits.removeFirst(8)
        }
        return [0x80 | UInt8(bytes.count)] + bytes
    }

    /// A short string with its length, as it is.
    static func plain(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

    /// A UUID in canonical form.
    static func identifier(_ number: UInt128) -> String {
        let digits = String(number, radix: 16)
        var text = String(repeating: "0", count: 32 - digits.count) + digits
        for position in [20, 16, 12, 8] {
            text.insert("-", at: text.index(text.startIndex, offsetBy: position))
        }
        return text
    }
}
