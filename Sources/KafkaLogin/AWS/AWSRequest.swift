internal import HTTPClient

/// A request to a service of AWS.
struct AWSRequest: Equatable, Sendable {
    /// What the request does.
    enum Method: Equatable, Sendable {
        case get, put
        case post([UInt8])
    }

    var method = Method.get
    var url: String
    /// Lines of the header.
    var headers: [String] = []
    /// True for the addresses of a machine's or a container's own metadata: they are asked without
    /// a proxy, and respond at once or never.
    var isLocal = false
    /// The path of a PEM file with the certificate authorities to trust; nil for the system's.
    var caFile: String?

    /// How a request is sent: by ``send(while:)``, or by a test.
    typealias Sender = (AWSRequest) -> HTTPResponse

    private static let localTimeout = Duration.seconds(2)

    /// Sends it on the calling thread, as long as `mayContinue` is true.
    func send(while mayContinue: () -> Bool) -> HTTPResponse {
        var options = HTTPGetterOptions()
        options.maxBytes = 256 << 10
        // STS responds in JSON to those who take nothing else.
        options.accept = "*/*"
        // Without it, libcurl asks before it sends a larger body.
        options.headers = headers + ["Expect:"]
        options.usesProxy = !isLocal
        options.caFile = caFile
        if isLocal { options.timeout = Self.localTimeout }
        guard var client = HTTPGetter(options) else { return .failed("out of memory") }
        return switch method {
        case .get: client.get(url, while: mayContinue)
        case .put: client.put(url, while: mayContinue)
        case .post(let form): client.post(form, to: url, while: mayContinue)
        }
    }
}

extension HTTPResponse {
    /// Status and body; throws when there is none. `name` says whose.
    func received(from name: String) throws(TokenFault) -> (status: Int, body: [UInt8]) {
        switch self {
        case .failed(let reason): throw .unavailable("\(name): \(reason)")
        case .abandoned: throw .unavailable("the process ends")
        case .tooLarge(200, _): throw .refused("\(name): the response is larger than 256 KiB")
        case .tooLarge(let status, let beginning): return (status, beginning)
        case .responded(let status, let body): return (status, body)
        }
    }
}
