public import Foundation

/// The configuration of HTTP retries and timeouts. It has no effect, because the device answers
/// without a network.
open class MSALHTTPConfig: NSObject, @unchecked Sendable {
  open var retryCount = 1
  /// The interval in seconds.
  open var retryInterval: TimeInterval = 0.5
  /// The timeout in seconds.
  open var timeoutIntervalForRequest: TimeInterval = 300

  override init() {}
}
