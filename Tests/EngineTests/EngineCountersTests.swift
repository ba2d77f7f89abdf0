import Testing

@testable import Engine

@Suite struct `The counters of several workers` {
    @Test func `are added up, each of them`() {
        let names = Mirror(reflecting: EngineCounters()).children.map { $0.label ?? "" }
        #expect(Set(EngineCounters.all.map { $0 as AnyKeyPath }).count == names.count)
        var worker = EngineCounters()
        for (index, counter) in EngineCounters.all.enumerated() {
            worker[keyPath: counter] = index + 1
        }
        var total = worker
        total.add(worker)
        for (index, counter) in EngineCounters.all.enumerated() {
            #expect(total[keyPath: counter] == 2 * (index + 1), "\(counter)")
        }
    }
}
