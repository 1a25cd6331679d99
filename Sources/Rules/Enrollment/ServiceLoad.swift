/// The requests that the service has answered, of all devices that ask it.
public final class ServiceLoad {
  /// The minute that is counted, and the requests in it.
  private var minute = Int.min
  private var count = 0

  /// Creates a service that nobody has asked.
  public init() {}

  /// Takes a request, unless the service has answered as many in this minute as it answers.
  ///
  /// - Parameters:
  ///   - time: the present time, in seconds since 1970-01-01T00:00:00Z.
  ///   - limit: the requests that the service answers in a minute of the clock; nil: any number.
  /// - Returns: whether the request is answered.
  public func admits(at time: Int, limit: Int?) -> Bool {
    guard let limit else { return true }
    // The devices of an organisation advance one after the other: one that lags counts in the present minute.
    if time / 60 > minute { (minute, count) = (time / 60, 0) }
    guard count < limit else { return false }
    count += 1
    return true
  }
}
