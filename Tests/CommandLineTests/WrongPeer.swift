import Foundation
import Testing

/// A local TCP port behind which Kafka or APNs is expected and is not.
final class WrongPeer: Sendable {
    enum Behaviour {
        /// Connections are refused.
        case refuses
        /// Connections are accepted, and nothing is ever sent.
        case isSilent
        /// Every connection is sent this.
        case says(String)
    }

    let port: UInt16
    private let listener: Int32

    init(_ behaviour: Behaviour) throws {
        let (listener, port) = try LocalPort.bind()
        (self.listener, self.port) = (listener, port)
        switch behaviour {
        case .refuses: break
        case .isSilent: try #require(listen(listener, 16) == 0)
        case .says(let message):
            try #require(listen(listener, 16) == 0)
            Thread.detachNewThread { Self.serve(listener, message) }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Ends when the listener is shut down.
    private static func serve(_ listener: Int32, _ message: String) {
        while true {
            let peer = accept(listener, nil, nil)
            guard peer >= 0 else { return }
            var bytes = [UInt8](repeating: 0, count: 4096)
            _ = unsafe recv(peer, &bytes, bytes.count, 0)
            let response = Array(message.utf8)
            _ = unsafe send(peer, response, response.count, Int32(MSG_NOSIGNAL))
            close(peer)
        }
    }
}
