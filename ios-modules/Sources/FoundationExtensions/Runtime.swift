public import Foundation

// Functions and properties that apps expect of Foundation on iOS.

/// Calls `body`. Linux has no autorelease pools; an object is released as soon as its last reference is gone.
public func autoreleasepool<Result, Failure: Error>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result { try body() }

/// The seconds since the reference date, 1 January 2001.
public func CFAbsoluteTimeGetCurrent() -> Double { Date.timeIntervalSinceReferenceDate }

extension ProcessInfo {
  public var isLowPowerModeEnabled: Bool { false }
  public var isMacCatalystApp: Bool { false }
  public var isiOSAppOnMac: Bool { false }

  /// Calls `block` on a background thread with false, which means that the process is not about to be suspended. The
  /// simulated system does not suspend it.
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
  ) { DispatchQueue.global().async { block(false) } }
}

extension URLSessionConfiguration {
  /// Returns the default configuration. Transfers therefore end with the process.
  public static func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    .default
  }
}
