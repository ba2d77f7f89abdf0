internal import Delivery
internal import JSON

extension Evaluator {
    /// Fills in the app of a notification and its bundle identifier.
    mutating func takeApp(
        to notification: inout Notification, in bytes: RawSpan
    ) throws(MappingFault) {
        guard !plan.apps.apps.isEmpty else {
            try takeBundleID(to: &notification.bundleID, in: bytes)
            return try checkAllowed(notification.bundleID, besides: plan.defaultBundleID)
        }
        notification.app = -1
        let template = fields.bundleID
        if template >= 0, try take(template, to: &notification.bundleID, in: bytes) {
            guard BundleIdentifier.isValid(notification.bundleID) else {
                throw MappingFault(cause: .invalid(.bundleID), hole: hole(of: template))
            }
        } else {
            notification.bundleID.removeAll(keepingCapacity: true)
        }
        notification.app =
            fields.app >= 0
            ? try namedApp(in: bytes) : try app(of: notification.bundleID, in: bytes)
        guard notification.bundleID.isEmpty else {
            let own = plan.apps.apps[notification.app].bundleID
            return try checkAllowed(notification.bundleID, besides: own)
        }
        notification.bundleID.replace(with: plan.apps.apps[notification.app].bundleID)
    }

    /// An event must not reach other apps of the team than those that the connector is for.
    private mutating func checkAllowed(
        _ bundleID: [UInt8], besides own: [UInt8]
    ) throws(MappingFault) {
        guard fields.isBundleIDOfEvent, !bundleID.equals(own),
            !plan.allowedBundleIDs.contains(bundleID)
        else { return }
        let hole = hole(of: fields.bundleID)
        throw MappingFault(cause: .invalid(.bundleIDNotAllowed), hole: hole)
    }

    /// The app named by the event.
    private mutating func namedApp(in bytes: RawSpan) throws(MappingFault) -> Int {
        let template = fields.app
        guard try takeText(template, in: bytes) else {
            throw MappingFault(cause: .absent, hole: hole(of: template))
        }
        guard let index = plan.apps.index(named: token) else {
            throw MappingFault(cause: .invalid(.app), hole: hole(of: template))
        }
        let isNamed = try takeEnvironment(in: bytes)
        guard !isNamed || token == plan.apps.apps[index].environment else {
            throw MappingFault(
                cause: .invalid(.appEnvironment), hole: hole(of: fields.environment))
        }
        return index
    }

    /// Writes the event's environment to the token buffer; false when it has none.
    mutating func takeEnvironment(in bytes: RawSpan) throws(MappingFault) -> Bool {
        guard try takeText(fields.environment, in: bytes) else { return false }
        if token.elementsEqual("sandbox".utf8) { token = Array("development".utf8) }
        return true
    }

    /// The only app that the event can refer to.
    private mutating func app(
        of bundleID: [UInt8], in bytes: RawSpan
    ) throws(MappingFault) -> Int {
        if try !takeText(fields.environment, in: bytes) { token.removeAll(keepingCapacity: true) }
        switch plan.apps.index(bundleID: bundleID, environment: token) {
        case .one(let index): return index
        case .none: throw MappingFault(cause: .invalid(.noSuchApp))
        case .several: throw MappingFault(cause: .invalid(.severalApps))
        }
    }
}
