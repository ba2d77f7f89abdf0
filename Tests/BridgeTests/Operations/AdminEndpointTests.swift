import Configuration
import Testing

@testable import AdminServer
@testable import Bridge

@Suite struct `The metrics of an admin endpoint` {
    @Test func `need the token if that is asked for, because they contain labels of events`() {
        for isProtected in [false, true] {
            let routes = AdminEndpoint.routes(BridgeStatus(), protectsMetrics: isProtected)
            let open = routes.filter(\.isOpen).map(\.pattern)
            #expect(open.contains("/metrics") == !isProtected)
            #expect(open.contains("/health") && open.contains("/ready"))
            #expect(!open.contains("/status") && !open.contains("/history"))
        }
    }
}

@Suite struct `An admin endpoint that cannot listen` {
    private let settings = AdminEndpointSettings(host: "127.0.0.1", port: 80)

    private func failure(_ cause: AdminError.Cause) -> StartFailure {
        AdminEndpoint.failure(
            AdminError("cannot listen on 127.0.0.1:80: words", cause), settings,
            ProcessSettings().locations)
    }

    @Test func `is tried again if another process listens there`() {
        #expect(failure(.inUse).kind == .unavailable)
    }

    @Test func `is not tried again on a port that this user may not listen on`() {
        let failure = failure(.privilegedPort)
        #expect(failure.kind == .configuration)
        #expect(failure.diagnostics.first?.remedy?.contains("CAP_NET_BIND_SERVICE") == true)
    }

    @Test func `is not tried again at an address that this machine does not have`() {
        let failure = failure(.invalid)
        #expect(failure.kind == .configuration)
        #expect(failure.diagnostics.first?.remedy == "write an address of this machine")
    }
}
