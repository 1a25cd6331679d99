public import Foundation

/// The configuration of telemetry. It has no effect, because the callback is never called.
open class MSALTelemetryConfig: NSObject, @unchecked Sendable {
  open var piiEnabled = false
  open var notifyOnFailureOnly = false
  open var telemetryCallback: MSALTelemetryCallback?

  override init() {}
}
