import Foundation
import Glibc
import Testing

@testable import AdminServer

@Suite struct `An admin server on a Unix domain socket` {
    /// A folder of its own, which is removed at the end.
    private final class Folder {
        let path: String

        init() throws {
            let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            path = url.path
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var socket: String { "\(path)/admin.sock" }

        var mode: UInt32? {
            var status = stat()
            return unsafe lstat(socket, &status) == 0 ? status.st_mode : nil
        }
    }

    private let folder: Folder

    init() throws { folder = try Folder() }

    private func server(_ path: String? = nil) -> AdminServer {
        var settings = AdminSettings()
        settings.socketPath = path ?? folder.socket
        return AdminServer(
            settings: settings, routes: [AdminRoute("GET", "/health") { _ in .text("well\n") }])
    }

    private func failure(_ path: String? = nil) -> AdminError? {
        do throws(AdminError) {
            let server = server(path)
            try server.start()
            server.stop()
            return nil
        } catch {
            return error
        }
    }

    @Test func `responds, has mode 0600, and is removed at the end`() throws {
        let server = server()
        #expect(try server.start() == 0)
        #expect(folder.mode == S_IFSOCK | 0o600)
        let client = try RawClient(path: folder.socket)
        client.send("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(client.response().hasSuffix("well\n"))
        server.stop()
        #expect(folder.mode == nil)
    }

    @Test func `replaces what a process that was killed left behind`() throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        _ = try SocketFile(binding: descriptor, to: folder.socket)
        _ = close(descriptor)
        #expect(folder.mode != nil)
        #expect(failure() == nil)
    }

    @Test func `is rejected while another one listens there`() throws {
        let first = server()
        try first.start()
        #expect(
            failure()?.description
                == "cannot listen on \(folder.socket): another process listens there")
        #expect(failure()?.cause == .inUse)
        first.stop()
    }

    @Test func `does not replace a file that is not a socket`() throws {
        let descriptor = unsafe open(folder.socket, O_CREAT | O_WRONLY, 0o600)
        _ = close(descriptor)
        #expect(
            failure()?.description == "cannot listen on \(folder.socket): something else is there")
        #expect(folder.mode == S_IFREG | 0o600)
    }

    @Test func `needs a folder that exists`() {
        let path = folder.path + "/missing/admin.sock"
        #expect(
            failure(path)?.description == "cannot listen on \(path): its folder does not exist")
    }

    @Test func `needs a short path`() {
        let path = folder.path + "/" + String(repeating: "x", count: 108)
        #expect(failure(path)?.description.hasSuffix("is longer than 107 bytes") == true)
    }

    @Test func `leaves a file alone that another process has put in its place`() throws {
        let first = server()
        try first.start()
        unsafe unlink(folder.socket)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        _ = try SocketFile(binding: descriptor, to: folder.socket)
        first.stop()
        #expect(folder.mode != nil)
        _ = close(descriptor)
    }
}
