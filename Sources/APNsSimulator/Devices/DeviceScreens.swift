/// The latest pushes of each device, and which device was pushed to the longest time ago.
///
/// A table of slots chained by age, so that neither finding nor forgetting one is a search.
struct DeviceScreens {
    struct Screen {
        var token: DeviceToken
        var pushes: BoundedRing<DevicePush>
        /// How many pushes there have ever been.
        var received = 0
        fileprivate var newer = -1
        fileprivate var older = -1
    }

    private let limits: MemoryLimits
    private var places: [DeviceToken: Int] = [:]
    private var screens: [Screen] = []
    private var free: [Int] = []
    private var newest = -1
    private var oldest = -1
    private var bytes = 0
    /// How many devices were forgotten to make room.
    private(set) var forgotten = 0

    init(limits: MemoryLimits) { self.limits = limits }

    var count: Int { places.count }

    /// Adds a push to a device, which becomes the newest.
    mutating func append(_ push: DevicePush, to token: DeviceToken) {
        let place = touch(token)
        bytes += push.request.weight
        screens[place].received += 1
        if let old = screens[place].pushes.append(push) { bytes -= old.request.weight }
        while bytes > limits.bytes, oldest != newest, oldest >= 0 { forget(oldest) }
    }

    /// Changes what became of a push, if it is remembered.
    mutating func settle(_ number: Int, of token: DeviceToken, as fate: DevicePush.Fate) -> Bool {
        guard let place = places[token] else { return false }
        for age in (0..<screens[place].pushes.count).reversed()
        where screens[place].pushes[age].request.number == number {
            screens[place].pushes[age].fate = fate
            return true
        }
        return false
    }

    func screen(of token: DeviceToken) -> Screen? { places[token].map { screens[$0] } }

    /// The devices that were pushed to last, the newest first.
    func latest(_ limit: Int) -> [DeviceToken] {
        var found: [DeviceToken] = []
        var place = newest
        while place >= 0, found.count < limit {
            found.append(screens[place].token)
            place = screens[place].older
        }
        return found
    }

    /// Gives what one device has shown to another token, whose own is forgotten.
    mutating func move(_ token: DeviceToken, to other: DeviceToken) {
        guard token != other, let place = places[token] else { return }
        if let taken = places[other] { remove(taken) }
        places[token] = nil
        places[other] = place
        screens[place].token = other
    }

    /// The place of a device, made if there is none, as the newest.
    private mutating func touch(_ token: DeviceToken) -> Int {
        if let place = places[token] {
            if place != newest {
                unlink(place)
                link(place)
            }
            return place
        }
        if places.count >= limits.devices { forget(oldest) }
        let place = vacantPlace(token)
        places[token] = place
        link(place)
        return place
    }

    /// A slot that nobody uses, with the memory of whoever used it before.
    private mutating func vacantPlace(_ token: DeviceToken) -> Int {
        if let place = free.popLast() {
            screens[place].token = token
            screens[place].received = 0
            return place
        }
        screens.append(
            Screen(token: token, pushes: BoundedRing(capacity: limits.pushesPerDevice)))
        return screens.count - 1
    }

    private mutating func forget(_ place: Int) {
        remove(place)
        forgotten += 1
    }

    private mutating func remove(_ place: Int) {
        unlink(place)
        places[screens[place].token] = nil
        for age in 0..<screens[place].pushes.count {
            bytes -= screens[place].pushes[age].request.weight
        }
        screens[place].pushes.removeAll()
        free.append(place)
    }

    private mutating func link(_ place: Int) {
        screens[place].older = newest
        screens[place].newer = -1
        if newest >= 0 { screens[newest].newer = place }
        newest = place
        if oldest < 0 { oldest = place }
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (screens[place].newer, screens[place].older)
        if newer >= 0 { screens[newer].older = older } else { newest = older }
        if older >= 0 { screens[older].newer = newer } else { oldest = newer }
    }
}
