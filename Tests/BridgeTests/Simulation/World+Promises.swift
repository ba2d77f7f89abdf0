import BridgeTesting
import Testing

extension World {
    /// Expects that everything that was written is done, and that every promise was kept.
    func expectAllPromises(at location: SourceLocation = #_sourceLocation) {
        #expect(topic.isDone, "\(self)", sourceLocation: location)
        oracle.checkEnd()
        oracle.check(requests)
        #expect(oracle.mistakes == [], "\(self)", sourceLocation: location)
    }
}
