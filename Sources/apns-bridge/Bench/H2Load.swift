internal import APNs
internal import APNsSimulator
internal import Arguments
internal import EventLoop
internal import FoundationEssentials

/// Lets h2load send the same pushes to the same simulator.
enum H2Load {
    private static let name = "h2load"

    /// Checks, before anything else, that it is installed.
    static func check() throws(BenchFailure) { _ = try run(["--version"]) }

    /// Sends the request again and again; blocks its thread.
    static func measure(
        _ request: APNsRequest, count: Int, connections: Int, streams: Int,
        identity: SimulatorIdentity, port: UInt16
    ) throws -> H2LoadResult {
        let body = FileManager.default.temporaryDirectory
            .appending(path: "apns-bridge-\(UUID().uuidString)")
        try Data(request.payload).write(to: body)
        defer { try? FileManager.default.removeItem(at: body) }
        let token = try identity.providerToken(issuedAt: WallClock.milliseconds / 1000)
        let bearer = ("authorization", "bearer " + String(decoding: token, as: UTF8.self))
        let fields = request.headers.filter { !$0.name.hasPrefix(":") }.map { ($0.name, $0.value) }
        let ending = try run(
            H2LoadResult.arguments(
                requests: count, connections: connections, streams: streams, body: body.path,
                headers: [bearer] + fields, url: "https://localhost:\(port)\(request.path)"))
        let output = String(decoding: ending.output, as: UTF8.self)
        guard ending.exitCode == 0, var result = H2LoadResult(output: output) else {
            let last = output.split(separator: "\n").last.map { ": \($0)" } ?? ""
            throw BenchFailure(.failure, "h2load failed with exit code \(ending.exitCode)\(last)")
        }
        result.userSeconds = ending.userSeconds
        result.kernelSeconds = ending.kernelSeconds
        return result
    }

    private static func run(_ arguments: [String]) throws(BenchFailure) -> ChildProcess.Ending {
        do throws(ChildProcess.Failure) {
            return try ChildProcess.run(name, arguments)
        } catch {
            switch error {
            case .notFound:
                throw BenchFailure(
                    .unavailable, "h2load is not installed: install it (on Debian: apt install"
                        + " nghttp2-client), or leave out --compare")
            case .system(let number):
                throw BenchFailure(.unavailable, "h2load cannot be run: system error \(number)")
            }
        }
    }
}
