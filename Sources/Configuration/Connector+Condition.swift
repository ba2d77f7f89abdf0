public import Mapping
internal import YAML

extension Connector {
    /// Its plan with another `when`, written as in a connector file and given on a command line as
    /// the option `name`; nil, with the problems, when it is not a valid pattern.
    public func plan(
        when pattern: String, ofOption name: String
    ) -> (plan: MappingPlan?, diagnostics: [Diagnostic]) {
        let document = YAMLDocument.read(bytes: Array(pattern.utf8), file: name)
        let findings = Findings(document: document)
        guard let root = document.root else { return (nil, findings.sorted) }
        let resolver = ReferenceResolver(
            environment: [:], folder: ".", mode: .inspect, findings: findings)
        let compiler = MappingCompiler(resolver: resolver, findings: findings)
        let plan = compiler.replaceCondition(of: self.plan, by: root)
        return (findings.hasErrors ? nil : plan, findings.sorted)
    }
}
