internal import Delivery
internal import JSON

/// Notifications for the elements of a list: `for_each`.
extension Mapper {
    /// Makes a notification for each element that the condition of the block's list accepts, and
    /// returns the list; nil when it has none, or is faulty.
    mutating func makeElements(
        _ elements: ElementPlan, in bytes: RawSpan, time: Int64, into result: inout MappedRecord
    ) -> Int? {
        let list: Int
        let count: Int
        do throws(MappingFault) {
            list = try evaluator.list(elements, in: bytes)
            count = evaluator.count(list)
            let marked = evaluator.plan.matchesAll ? 0 : elementMarks.markCount(at: list)
            guard result.count + count - marked <= Self.tokenLimit else {
                throw MappingFault(cause: .invalid(.tokenCount), hole: elements.items)
            }
        } catch {
            let index = appendUnfilled(time, into: &result)
            note(error, field: "for_each", in: &result.notifications[index])
            return nil
        }
        guard count > 0 else {
            let index = appendUnfilled(time, into: &result)
            result.notifications[index].drop = Drop(.noDevices, listMessage("is empty"))
            return nil
        }
        tokens = TokenTaking()
        tokens.isList = count > 1
        if tokens.isList { tokenIndex.reset() }
        let before = result.count
        let marked = elementMarks.list(at: list, count: count, block: evaluator.block)
        var element = evaluator.tape.children(of: list).first
        sharedPayload.isValid = false
        for position in 0..<count where !evaluator.isTooExpensive {
            if isWanted(position) {
                make(element, position, of: marked, elements, in: bytes, time, into: &result)
            }
            element = evaluator.tape.next(after: element)
        }
        evaluator.leaveElements()
        if explains, result.count == before { explainEmptyList(list, in: bytes) }
        return list
    }

    private mutating func make(
        _ element: Int, _ position: Int, of list: Int, _ elements: ElementPlan,
        in bytes: RawSpan, _ time: Int64, into result: inout MappedRecord
    ) {
        let takesTheRest = elements.isForTheRest || !evaluator.plan.matchesAll
        if takesTheRest, elementMarks.isMarked(position, of: list) { return }
        evaluator.enter(element: element, at: position)
        let shape = evaluator.shape(ofNode: element)
        guard shape == .object else {
            elementMarks.mark(position, of: list)
            let index = appendUnfilled(time, into: &result)
            let message = listMessage("has \(shape.message) where an object is needed")
            result.notifications[index].drop = Drop(.wrongType, message, specifics: elementMessage)
            return
        }
        guard evaluator.matches(elements.pattern, at: element, in: bytes) else { return }
        elementMarks.mark(position, of: list)
        // What transforms have written for one element is of no use to the next.
        let mark = evaluator.scratch.count
        let index = result.appendToWriteOver()
        let isTimeStandIn = fill(&result.notifications[index], in: bytes, time: time)
        if isTimeStandIn, evaluator.timestamp == nil { result.isTimeUnknown = true }
        takeToken(of: index, position, in: bytes, into: &result)
        if explains { findFallbacks(in: bytes, ofBlock: evaluator.block) }
        let kept = max(mark, evaluator.shared.end)
        evaluator.scratch.removeLast(evaluator.scratch.count - kept)
    }

    /// Counts the elements that have matched no block, and reports them if that is asked for.
    mutating func filterElements(
        in bytes: RawSpan, _ time: Int64, into result: inout MappedRecord
    ) {
        // Without any notification the record as a whole is skipped.
        guard result.count > 0, !evaluator.isTooExpensive else { return }
        for list in elementMarks.lists {
            let rest = elementMarks.rest(of: list)
            guard !rest.isEmpty else { continue }
            result.skippedElements += rest.count
            evaluator.block = list.block
            if explains { unmatchedElements.append(listMessage(Self.message(ofUnmatched: rest))) }
            guard reportsFiltered else { continue }
            var element = evaluator.tape.children(of: list.node).first
            var reached = 0
            for position in rest {
                for _ in reached..<position { element = evaluator.tape.next(after: element) }
                reached = position
                evaluator.enter(element: element, at: position)
                let index = appendUnfilled(time, into: &result)
                let message = listMessage("has an element that matches no block")
                result.notifications[index].drop = Drop(
                    .filtered, message, specifics: elementMessage)
                takeLabels(ofSkipped: index, in: bytes, into: &result)
            }
            evaluator.leaveElements()
        }
    }

    /// Fills in the labels of what a condition filters; those without a value are null.
    mutating func takeLabels(
        ofSkipped index: Int, in bytes: RawSpan, into result: inout MappedRecord
    ) {
        guard !evaluator.fields.labels.isEmpty else { return }
        _ = evaluator.takeLabels(to: &result.notifications[index].labels, in: bytes)
    }

    private static func message(ofUnmatched positions: [Int]) -> String {
        let shown = positions.prefix(10).map { "[\($0)]" }.joined(separator: ", ")
        let more = positions.count > 10 ? " and \(positions.count - 10) more" : ""
        let count = positions.count
        let subject = count == 1 ? "1 element that matches" : "\(count) elements that match"
        return "has \(subject) no block: \(shown)\(more)"
    }

    /// False for the elements that the caller has no use for.
    private mutating func isWanted(_ position: Int) -> Bool {
        guard let onlyIndex else { return true }
        return onlyIndex == evaluator.block * Self.tokenLimit + position
    }

    /// Adds a notification that is dropped before its fields are evaluated.
    private mutating func appendUnfilled(_ time: Int64, into result: inout MappedRecord) -> Int {
        let type = evaluator.plan.blocks[evaluator.block].fields.fixedPushType
        let index = appendBare(time, type, into: &result)
        result.notifications[index].index =
            evaluator.block * Self.tokenLimit + max(evaluator.position, 0)
        return index
    }

    /// A statement about the block's list, with its position in the file.
    func listMessage(_ message: String) -> String {
        let plan = evaluator.plan
        guard let elements = plan.blocks[evaluator.block].elements else { return message }
        let origin = plan.holeOrigins[Int(elements.items)]
        return "\(plan.prefix(origin.location))\(origin.written) \(message)"
    }

    /// Which element a drop is about; empty outside of a list.
    var elementMessage: String {
        evaluator.position < 0 ? "" : " (element \(evaluator.position))"
    }
}
