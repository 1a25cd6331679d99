/// The place of a request among those of a case.
public struct RequestPlace: Sendable, Hashable, Comparable {
  /// The name of the device; nil: the case has one.
  public var device: String?
  /// The number of the request on the device.
  public var request: Int

  /// The place of the request of that number.
  public init(device: String? = nil, request: Int) {
    self.device = device
    self.request = request
  }

  public static func < (left: RequestPlace, right: RequestPlace) -> Bool {
    (left.device ?? "", left.request) < (right.device ?? "", right.request)
  }
}
