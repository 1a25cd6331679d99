public import Foundation

/// The configuration of HTTP retries and timeouts. Has no effect: the device answers without a network.
open class MSALHTTPConfig: NSObject, @unchecked Sendable {
  open var retryCount = 1
  /// In seconds.
  open var retryInterval: TimeInterval = 0.5
  /// In seconds.
  open var timeoutIntervalForRequest: TimeInterval = 300

  override init() {}
}
