internal import Configuration

/// Where the checks of one file report what they find. A check that passed needs no action.
struct DoctorReport {
    private let name: String
    private let body: (DoctorFinding) -> Void

    init(of name: String, _ body: @escaping (DoctorFinding) -> Void) {
        self.name = name
        self.body = body
    }

    func callAsFunction(
        _ check: String, _ result: DoctorFinding.Result, _ detail: String, _ action: String? = nil
    ) {
        body(
            DoctorFinding(
                name, check, result, detail, action: result == .passed ? nil : action))
    }

    /// Reports a problem of the file, as an error unless `result` says otherwise.
    func callAsFunction(
        _ check: String, _ problem: Diagnostic, as result: DoctorFinding.Result? = nil,
        _ action: String? = nil
    ) {
        var finding = DoctorFinding(name, check, problem)
        if let result { finding.result = result }
        if let action { finding.action = action }
        body(finding)
    }
}
