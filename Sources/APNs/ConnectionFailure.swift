internal import EventLoop
internal import HTTP2
internal import TLS

/// Why a connection ended, in words for people.
struct ConnectionFailure: Error {
    var words: String

    init(_ words: String) { self.words = words }
    init(_ error: TLSError) { words = "TLS: \(error)" }
    init(_ error: HTTP2Error) { words = "HTTP/2: \(error)" }
    init(_ error: KernelError) { words = "\(error.operation): \(error.description)" }
}

/// Says a length of time in seconds.
func inSeconds(_ nanoseconds: UInt64) -> String {
    let milliseconds = nanoseconds / 1_000_000
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
}
