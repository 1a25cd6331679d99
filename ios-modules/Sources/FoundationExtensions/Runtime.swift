public import Foundation

/// Functions and properties that apps expect of Foundation on iOS.

/// Calls `body`. Linux has no autorelease pools: objects are released with their last reference.
public func autoreleasepool<Result, Failure: Error>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result { try body() }

/// The seconds since the reference date, 1 January 2001.
public func CFAbsoluteTimeGetCurrent() -> Double { Date.timeIntervalSinceReferenceDate }

extension ProcessInfo {
  public var isLowPowerModeEnabled: Bool { false }
  public var isMacCatalystApp: Bool { false }
  public var isiOSAppOnMac: Bool { false }

  /// Calls `block` on a background thread with false: the simulated system does not suspend the process.
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
  ) { DispatchQueue.global().async { block(false) } }
}

extension URLSessionConfiguration {
  /// Returns the default configuration: the transfers end with the process.
  public static func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    .default
  }
}
