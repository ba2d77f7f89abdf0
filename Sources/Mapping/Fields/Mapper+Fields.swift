internal import Delivery
internal import JSON

extension Mapper {
    /// Fills everything except the device token. After the first fault the rest is filled
    /// nevertheless.
    ///
    /// `time` is used if there is no event time. Returns whether it was used.
    mutating func fill(
        _ notification: inout Notification, in bytes: RawSpan, time: Int64
    ) -> Bool {
        notification.eventTime = time
        evaluator.activityEvent = []
        var isTimeWritten = false
        do throws(MappingFault) {
            let written = try evaluator.time(
                evaluator.fields.eventTime, .eventTime, in: bytes)
            isTimeWritten = written != nil
            if case .at(let time) = written { notification.eventTime = time }
        } catch { note(error, field: "event_time", in: &notification) }
        do throws(MappingFault) {
            try evaluator.takeApp(to: &notification, in: bytes)
        } catch {
            if !error.isAboutForeignApp { notification.bundleID.removeAll(keepingCapacity: true) }
            note(error, field: error.fieldOfApp, in: &notification)
        }
        let destination = evaluator.destinationKind(in: bytes)
        notification.destination.kind = destination
        do throws(MappingFault) {
            notification.pushType = try evaluator.pushType(to: destination, in: bytes)
            if notification.drop == nil {
                try evaluator.check(notification.pushType, of: notification.bundleID)
            }
        } catch { note(error, field: "push_type", in: &notification) }
        do throws(MappingFault) {
            let written = try evaluator.priority(
                of: notification.pushType, to: destination, in: bytes)
            notification.priority = written ?? notification.pushType.defaultPriority
            notification.isPriorityDefault = written == nil
        } catch { note(error, field: "priority", in: &notification) }
        do throws(MappingFault) {
            try evaluator.takeCollapseID(to: &notification.collapseID, in: bytes)
            if destination == .channel, !notification.collapseID.isEmpty {
                throw MappingFault(cause: .invalid(.destination(.collapseID)))
            }
        } catch {
            notification.collapseID.removeAll(keepingCapacity: true)
            note(error, field: "collapse_id", in: &notification)
        }
        do throws(MappingFault) {
            try evaluator.takeExpiration(
                to: &notification, isAudio: notification.pushType == .pushtotalk, in: bytes)
        } catch { note(error, field: error.fieldOfExpiration, in: &notification) }
        do throws(MappingFault) {
            notification.ownID = try evaluator.ownID(in: bytes)
        } catch { note(error, field: "apns_id", in: &notification) }
        do throws(MappingFault) {
            try evaluator.checkEnvironment(in: bytes)
        } catch { note(error, field: "environment", in: &notification) }
        evaluator.eventTime = notification.eventTime
        fillPayload(of: &notification, in: bytes)
        if notification.pushType == .pushtotalk { adjust(pushToTalk: &notification, in: bytes) }
        if !evaluator.fields.labels.isEmpty || !notification.labels.isEmpty {
            let faults = evaluator.takeLabels(to: &notification.labels, in: bytes)
            if !faults.isEmpty { note(faults, in: &notification) }
        }
        return !isTimeWritten
    }

    private mutating func fillPayload(of notification: inout Notification, in bytes: RawSpan) {
        guard notification.drop == nil else {
            return notification.payload.removeAll(keepingCapacity: true)
        }
        let isShared =
            evaluator.element >= 0 && evaluator.plan.blocks[evaluator.block].isPayloadShared
        let isOfWallet = BundleIdentifier.isOfWallet(notification.bundleID)
        if isShared, sharedPayload.isValid, sharedPayload.isOfWallet == isOfWallet {
            notification.payload.replace(with: sharedPayload.bytes)
            notification.isTruncated = sharedPayload.isTruncated
            return evaluator.spend(notification.payload.count)
        }
        composePayload(of: &notification, in: bytes)
        if isShared, notification.drop == nil {
            sharedPayload.bytes.replace(with: notification.payload)
            sharedPayload.isTruncated = notification.isTruncated
            sharedPayload.isOfWallet = isOfWallet
            sharedPayload.isValid = true
        }
    }

    private mutating func composePayload(of notification: inout Notification, in bytes: RawSpan) {
        do throws(MappingFault) {
            try evaluator.takePayload(to: &notification.payload, in: bytes)
        } catch {
            notification.payload.removeAll(keepingCapacity: true)
            return note(error, field: payloadField(of: error), in: &notification)
        }
        let limit = notification.payloadLimit
        var isWhole = true
        if notification.payload.count > limit {
            notification.isTruncated = truncate(&notification.payload, to: limit)
            isWhole = !notification.isTruncated
        }
        if notification.payload.count > limit {
            let message =
                "\(prefix(payloadField))\(kindOfPush(notification)) takes \(limit) bytes"
            notification.drop = Drop(
                .payloadTooLarge, message,
                specifics: ", the payload has \(notification.payload.count)\(elementMessage)")
            explainSize(of: notification)
        } else if notification.isBroadcast, let drop = drop(ofBroadcast: notification) {
            notification.drop = drop
        } else if checksPayload,
            let found = payloadFault(of: notification, isWhole: isWhole, in: bytes),
            let fault = fault(found, afterRespelling: &notification, in: bytes)
        {
            let message = "\(prefix(field(of: fault)))\(fault.message)"
            notification.drop = Drop(
                fault.reason, message, specifics: fault.specifics + elementMessage)
        }
    }

    /// True when a finished payload may be wrong in ways that have not been checked before.
    private var checksPayload: Bool {
        mutating get {
            let block = evaluator.block
            if evaluator.plan.blocks[block].checksMembers { return true }
            guard evaluator.plan.blocks[block].checksPayload else { return false }
            return !evaluator.plan.blocks[block].checksOnlyDisplay || !evaluator.displaysText
        }
    }

    /// What is wrong with a finished payload and has not been checked before.
    ///
    /// An object that the event contains is checked where it is; `isWhole` is false if the payload
    /// was changed since. Others are read first.
    private mutating func payloadFault(
        of notification: borrowing Notification, isWhole: Bool, in bytes: RawSpan
    ) -> PayloadFault? {
        let recipient = PayloadCheck.Recipient(
            type: notification.pushType, priority: notification.priority,
            isOfWallet: BundleIdentifier.isOfWallet(notification.bundleID),
            checksMembers: evaluator.plan.blocks[evaluator.block].checksMembers)
        if isWhole, let node = evaluator.payloadNode(in: bytes) {
            return payloadCheck.fault(of: node, for: recipient, on: evaluator.tape, in: bytes)
        }
        do throws(JSONError) {
            try payloadTape.read(notification.payload)
        } catch {
            return PayloadFault(
                reason: .payloadRule, message: error.description(of: "the payload"),
                specifics: " at byte \(error.offset)")
        }
        return notification.payload.withBytes {
            payloadCheck.fault(of: 0, for: recipient, on: payloadTape, in: $0)
        }
    }

    /// What is wrong with a payload after the numbers of Apple's keys are written as Apple takes
    /// them: without a fraction of zero, and times in seconds.
    private mutating func fault(
        _ found: PayloadFault, afterRespelling notification: inout Notification, in bytes: RawSpan
    ) -> PayloadFault? {
        guard evaluator.plan.blocks[evaluator.block].checksMembers,
            (try? payloadTape.read(notification.payload)) != nil
        else { return found }
        let changes = notification.payload.withBytes {
            payloadCheck.respellings(of: 0, on: payloadTape, in: $0, notification.pushType)
        }
        guard !changes.isEmpty else { return found }
        for (range, token) in changes.reversed() {
            notification.payload.replaceSubrange(range, with: token)
        }
        return payloadFault(of: notification, isWhole: false, in: bytes)
    }

    /// Truncates the string that the block's policy names; false when the payload remains too
    /// large.
    private mutating func truncate(_ payload: inout [UInt8], to limit: Int) -> Bool {
        let path = evaluator.plan.blocks[evaluator.block].truncated
        guard path >= 0,
            let lengths = payloadTape.truncate(
                &payload, at: path, of: evaluator.plan.paths, to: limit)
        else { return false }
        if explains {
            let steps = evaluator.plan.paths.steps(of: Int(path))
            evaluator.note(
                Cut(
                    written: MissingValue.text(of: steps),
                    location: evaluator.plan.blocks[evaluator.block].locations["policy"],
                    before: lengths.before, after: lengths.after, unit: .bytes))
        }
        return true
    }

    /// Says what to do about a payload that is too large.
    private mutating func explainSize(of notification: borrowing Notification) {
        guard explains, let detail = notification.drop?.detail else { return }
        let block = evaluator.plan.blocks[evaluator.block]
        guard block.truncated < 0 else { return }
        explanations[detail] = [PlanBuilder.remedy(forLargePayload: block)]
    }

    /// The field that the payload is made of.
    private var payloadField: String {
        evaluator.plan.blocks[evaluator.block].isLiveActivity ? "live_activity" : "payload"
    }

    /// The key that the file has for what a Live Activity lacks, or that of the whole.
    private func field(of fault: PayloadFault) -> String {
        let locations = evaluator.plan.blocks[evaluator.block].locations
        guard let path = fault.key?.path, locations[path] != nil else { return payloadField }
        return path
    }

    /// The field that a fault in the payload is about.
    private func payloadField(of fault: MappingFault) -> String {
        guard fault.hole < 0, let key = evaluator.activityKey else { return payloadField }
        return key.path
    }

    /// The position of a field in the file, as a prefix for explanations.
    func prefix(_ field: String) -> String {
        evaluator.plan.prefix(evaluator.plan.blocks[evaluator.block].locations[field])
    }
}

/// The payload that all elements of a `for_each` have.
struct SharedPayload {
    var bytes: [UInt8] = []
    var isTruncated = false
    /// True when it was checked as one for Wallet.
    var isOfWallet = false
    /// False until an element has it.
    var isValid = false
}
