internal import Configuration

/// Where the checks of one connector report what they find.
struct DoctorReport {
    private let connector: String
    private let body: (DoctorFinding) -> Void

    init(of connector: String, _ body: @escaping (DoctorFinding) -> Void) {
        self.connector = connector
        self.body = body
    }

    func callAsFunction(
        _ check: String, _ result: DoctorFinding.Result, _ detail: String, _ action: String? = nil
    ) {
        body(DoctorFinding(connector, check, result, detail, action: action))
    }

    func callAsFunction(_ check: String, _ problem: Diagnostic) {
        body(DoctorFinding(connector, check, problem))
    }
}
