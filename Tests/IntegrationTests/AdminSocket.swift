/// A client of an admin endpoint on a Unix domain socket.
enum AdminSocket {
    private static let script = """
        import http.client, socket, sys
        class Local(http.client.HTTPConnection):
            def connect(self):
                self.sock = socket.socket(socket.AF_UNIX)
                self.sock.connect(sys.argv[1])
        local = Local("localhost")
        local.request(*sys.argv[2].split(" "))
        reply = local.getresponse()
        print(reply.status, reply.read().decode())
        """

    /// Sends a request such as `POST /reload`; its status and body.
    static func ask(_ socket: String, _ order: String) throws -> String {
        try ProviderProcess(script, [socket, order], python: nil).finish()
    }
}
