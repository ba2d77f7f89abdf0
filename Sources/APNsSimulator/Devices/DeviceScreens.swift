/// The journal positions of each device's latest pushes, and the order in which devices last
/// received one.
///
/// A table of slots linked by age, so that neither lookup nor eviction is a search.
struct DeviceScreens {
    struct Screen {
        var token: DeviceToken
        /// The journal position of the latest push; each push links to the previous one.
        fileprivate var latest: RequestJournal.Place = -1
        /// The total number of pushes.
        var received = 0
        fileprivate var newer = -1
        fileprivate var older = -1
    }

    private let limits: MemoryLimits
    private let journal: RequestJournal
    private var places: [DeviceToken: Int] = [:]
    private var screens: [Screen] = []
    private var free: [Int] = []
    private var newest = -1
    private var oldest = -1
    /// The number of devices evicted.
    private(set) var forgotten = 0

    init(limits: MemoryLimits, journal: RequestJournal) {
        self.limits = limits
        self.journal = journal
    }

    var count: Int { places.count }

    /// Adds a push to a device, which becomes the newest; returns its journal position.
    @discardableResult
    mutating func append(
        _ request: JudgedRequest, _ fate: DevicePush.Fate, to token: DeviceToken
    ) -> RequestJournal.Place {
        let screen = touch(token)
        let place = journal.append(request, fate: fate, previous: screens[screen].latest)
        screens[screen].latest = place
        screens[screen].received += 1
        forgetGone()
        return place
    }

    /// Evicts the devices without any push left in the journal.
    mutating func forgetGone() {
        while oldest >= 0, screens[oldest].latest < journal.start { forget(oldest) }
    }

    /// Changes the result of a push, if it is still recorded.
    mutating func settle(_ number: Int, of token: DeviceToken, as fate: DevicePush.Fate) -> Bool {
        guard let place = places[token] else { return false }
        return journal.settle(
            number, from: screens[place].latest, limit: limits.pushesPerDevice, as: fate)
    }

    /// The recorded pushes of a device, oldest first.
    func pushes(of screen: Screen) -> [DevicePush] {
        var found: [DevicePush] = []
        var place = screen.latest
        while found.count < min(screen.received, limits.pushesPerDevice),
            let (push, previous) = journal.push(at: place)
        {
            found.append(push)
            place = previous
        }
        return found.reversed()
    }

    func screen(of token: DeviceToken) -> Screen? { places[token].map { screens[$0] } }

    /// The devices that last received a push, newest first.
    func latest(_ limit: Int) -> [DeviceToken] {
        var found: [DeviceToken] = []
        var place = newest
        while place >= 0, found.count < limit {
            found.append(screens[place].token)
            place = screens[place].older
        }
        return found
    }

    /// Moves a device's pushes to another token, replacing that token's own.
    mutating func move(_ token: DeviceToken, to other: DeviceToken) {
        guard token != other, let place = places[token] else { return }
        if let taken = places[other] { remove(taken) }
        places[token] = nil
        places[other] = place
        screens[place].token = other
    }

    /// The slot of a device, created if necessary, as the newest.
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

    /// A free slot, created if necessary.
    private mutating func vacantPlace(_ token: DeviceToken) -> Int {
        if let place = free.popLast() {
            screens[place] = Screen(token: token)
            return place
        }
        screens.append(Screen(token: token))
        return screens.count - 1
    }

    private mutating func forget(_ place: Int) {
        remove(place)
        forgotten += 1
    }

    private mutating func remove(_ place: Int) {
        unlink(place)
        places[screens[place].token] = nil
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
