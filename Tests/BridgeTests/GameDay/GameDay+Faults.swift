import APNs
import BridgeTesting
import Delivery

@testable import Bridge

/// What goes wrong in incidents, where it takes more than a line.
extension GameDay {
    /// No name is found, and connections are cut, as they are when the network changes.
    func loseNames() {
        world.network.rules = [
            FaultRule { event, _ in
                switch event {
                case .lookup: .failLookup
                case .connect: .refuse
                case .toPeer, .toClient: .cut(after: 0)
                }
            }
        ]
    }

    /// Device tokens are right again, and the guard is released.
    func recoverTokens() {
        tokenPrefix = "ab"
        world.release()
    }

    /// The operator stops reading while retention removes what is not read.
    func loseUnread() {
        world.pause(true)
        world.clock.schedule(after: .seconds(60)) { [unowned world] in
            for partition in 0..<4 as Range<Int32> {
                let end = world.topic.range(of: partition).high
                world.topic.removeRecords(partition: partition, below: end - 1)
            }
            world.pause(false)
        }
    }

    /// An operator pauses or resumes the connector.
    func pause(_ isPaused: Bool) {
        world.pause(isPaused)
        connector.isPaused = isPaused
    }
}
