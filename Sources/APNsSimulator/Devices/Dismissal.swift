/// How a notification left the lock screen by its owner's hand.
public enum Dismissal: Equatable, Sendable {
    /// Its owner tapped it, and the app opened, at this time in milliseconds since 1970.
    case opened(at: Int64)
    /// Its owner removed it.
    case cleared(at: Int64)
}

extension SimulatedDevices {
    /// Takes the notification with an `apns-id`, or with nil all of them, off the lock screen.
    mutating func dismiss(
        _ identifier: String?, _ token: TokenBytes, as dismissal: Dismissal
    ) throws(DeviceFault) {
        var mark = try mark(of: token)
        let device = device(token)
        let wanted = identifier?.lowercased()
        let shown = (device?.lockScreen.notifications ?? []).filter {
            wanted == nil || $0.identifier.lowercased() == wanted
        }
        guard !shown.isEmpty || wanted == nil else { throw .notShown }
        let names = Set(shown.map(\.identifier))
        for push in device?.delivered ?? []
        where names.contains(String(decoding: push.request.identifier, as: UTF8.self)) {
            mark.dismissed[push.request.number] = mark.dismissed[push.request.number] ?? dismissal
        }
        // A push that is no longer recorded needs no mark.
        let known = Set(device?.pushes.map(\.request.number) ?? [])
        mark.dismissed = mark.dismissed.filter { known.contains($0.key) }
        keep(mark, token)
    }
}
