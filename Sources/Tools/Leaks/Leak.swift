public import Model

/// A way by which data of a managed account come where no policy holds: the shortest to that place.
public struct Leak: Sendable {
  /// The account whose data it is.
  public var owner: Account
  public var sink: Sink
  /// What is other about the device than the world states, in a clause; nil: nothing.
  public var condition: String?
  /// The hops, from where the data began to the sink.
  public var hops: [LeakHop]
  /// The number of moves; somebody who signs in to an app that gets the data is part of that move.
  var moves: Int

  /// The place that data reach.
  public enum Sink: Sendable, Hashable {
    /// An app or extension that acts for an identity without policy.
    case app(String, persona: String)
    case outside(LeakHop.Outside)
  }
}
