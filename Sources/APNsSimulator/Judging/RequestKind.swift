/// The kind of a request, according to its path.
enum RequestKind: Equatable {
    /// A push to a device, or any request with an unknown path.
    case push
    /// A broadcast push to a channel: `/4/broadcasts/apps/BUNDLE`.
    case broadcast
    /// One channel: `/1/apps/BUNDLE/channels`.
    case channel
    /// All channels of an app: `/1/apps/BUNDLE/all-channels`.
    case channelList

    /// The kind of a path, and the bundle identifier in it.
    ///
    /// Pushes are recognized by their second byte, so that the other kinds cost them nothing.
    static func of(_ path: ArraySlice<UInt8>) -> (kind: RequestKind, app: ArraySlice<UInt8>) {
        guard path.count > 2 else { return (.push, []) }
        let second = path[path.startIndex + 1]
        guard second == UInt8(ascii: "4") || second == UInt8(ascii: "1") else {
            return (.push, [])
        }
        let parts = path.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
        guard parts.count == 4, !parts.contains(where: \.isEmpty) else { return (.push, []) }
        if parts[0].elementsEqual([UInt8(ascii: "4")]), parts[1].elementsEqual(broadcasts),
            parts[2].elementsEqual(apps)
        {
            return (.broadcast, parts[3])
        }
        guard parts[0].elementsEqual([UInt8(ascii: "1")]), parts[1].elementsEqual(apps) else {
            return (.push, [])
        }
        if parts[3].elementsEqual(channels) { return (.channel, parts[2]) }
        return parts[3].elementsEqual(allChannels) ? (.channelList, parts[2]) : (.push, [])
    }

    private static let slash = UInt8(ascii: "/")
    private static let broadcasts = [UInt8]("broadcasts".utf8)
    private static let apps = [UInt8]("apps".utf8)
    private static let channels = [UInt8]("channels".utf8)
    private static let allChannels = [UInt8]("all-channels".utf8)
}
