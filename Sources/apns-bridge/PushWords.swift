public import Arguments
public import Delivery

extension PushType: ExpressibleByArgument {}

/// A priority on a command line.
enum PriorityWord: String, CaseIterable, ExpressibleByArgument {
    case ten = "10"
    case five = "5"
    case one = "1"
}
