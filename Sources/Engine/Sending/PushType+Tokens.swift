internal import Delivery

extension PushType {
    /// True when its device tokens belong to something that passes, such as an activity: a 410 says
    /// that it has ended.
    var hasPassingTokens: Bool { self == .liveactivity || self == .pushtotalk }
}
