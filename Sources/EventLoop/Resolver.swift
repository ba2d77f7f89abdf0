internal import CLinux
internal import Glibc
internal import Synchronization

/// Resolves host names without blocking the loop: `getaddrinfo` runs on a separate thread.
final class Resolver: Sendable {
    private let finished = Mutex<[UInt64: Result<[SocketAddress], KernelError>]>([:])
    private let unheard = Mutex<[UInt64]>([])
    let descriptor: Int32

    init() { descriptor = WakeupDescriptor.open() }

    deinit { WakeupDescriptor.close(descriptor) }

    func resolve(host: String, port: UInt16, token: UInt64) {
        if let address = SocketAddress(numeric: host, port: port) {
            return finish(token, .success([address]))
        }
        // The thread keeps the resolver alive, so a loop may exit during a lookup.
        do throws(KernelError) {
            try LoopThread(name: "resolve") { self.finish(token, Self.lookUp(host, port)) }.detach()
        } catch {
            finish(token, .failure(error))
        }
    }

    private func finish(_ token: UInt64, _ result: Result<[SocketAddress], KernelError>) {
        finished.withLock { $0[token] = result }
        unheard.withLock { $0.append(token) }
        WakeupDescriptor.signal(descriptor)
    }

    func forEachFinished(_ body: (UInt64) -> Void) {
        let tokens = unheard.withLock { tokens in
            defer { tokens.removeAll(keepingCapacity: true) }
            return tokens
        }
        for token in tokens { body(token) }
    }

    func take(_ token: UInt64) -> Result<[SocketAddress], KernelError>? {
        finished.withLock { $0.removeValue(forKey: token) }
    }

    private static func lookUp(
        _ host: String, _ port: UInt16
    ) -> Result<[SocketAddress], KernelError> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = Int32(AI_ADDRCONFIG)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            let message = unsafe String(cString: gai_strerror(code)).lowercased()
            return .failure(KernelError(operation: "resolve", code: code, description: message))
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var entry = unsafe list
        while let current = unsafe entry {
            if let system = unsafe current.pointee.ai_addr,
                let address = unsafe SocketAddress(system), !addresses.contains(address)
            {
                addresses.append(address)
            }
            unsafe entry = unsafe current.pointee.ai_next
        }
        return .success(addresses)
    }
}
