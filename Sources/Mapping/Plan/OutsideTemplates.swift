/// The templates of `apns.app` and `results.labels`, which every block evaluates.
struct OutsideTemplates {
    var app: MappingSource?
    var labels: MappingSource?
    /// What they are in blocks without a `for_each`, where no name means an element.
    fileprivate var plain: (app: Int32, labels: MappingPlan.Run)?
    /// True once their problems are listed, which are the same in each block.
    fileprivate var isChecked = false
}

extension PlanBuilder {
    /// Compiles for the current block what stands outside of it: there, the name of an element
    /// means the block's own.
    mutating func compileOutside() {
        if elementName == nil, let plain = outside.plain {
            block.fields.app = plain.app
            block.fields.labels = plain.labels
            return
        }
        let known = problems
        if let app = outside.app { block.fields.app = compile(app: app) }
        let start = Int32(plan.labels.count)
        if let labels = outside.labels { compile(labels: labels) }
        block.fields.labels = .init(start: start, end: Int32(plan.labels.count))
        if outside.isChecked { problems = known }
        outside.isChecked = true
        if elementName == nil { outside.plain = (block.fields.app, block.fields.labels) }
    }
}
