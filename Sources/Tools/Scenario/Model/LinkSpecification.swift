/// The way between the devices of a scenario.
public struct LinkSpecification: Sendable, Equatable {
  /// The seconds of the virtual clock that what passes from one device to another takes; 0: it is there at once.
  public var latency = 0

  /// Creates a way that takes no time.
  public init() {}
}
