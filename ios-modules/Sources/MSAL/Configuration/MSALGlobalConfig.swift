public import Foundation
internal import Synchronization

/// The settings of all client applications in the process.
open class MSALGlobalConfig: NSObject {
  @available(*, unavailable) public override init() {}

  private static let http = MSALHTTPConfig()
  private static let telemetry = MSALTelemetryConfig()
  private static let logger = MSALLoggerConfig()
  private static let settings = Mutex(Settings())

  private struct Settings {
    var brokerAvailability = MSALBrokeredAvailability.auto
    var shouldRequestBoundAppRefreshTokens = false
  }

  /// This property has no effect, because there is no network.
  public class var httpConfig: MSALHTTPConfig {
    tell("httpConfig")
    return http
  }

  /// This property has no effect, because there is no telemetry.
  public class var telemetryConfig: MSALTelemetryConfig {
    tell("telemetryConfig")
    return telemetry
  }

  public class var loggerConfig: MSALLoggerConfig { logger }

  /// This property has no effect, because there is no broker on the device.
  public class var brokerAvailability: MSALBrokeredAvailability {
    get { settings.withLock(\.brokerAvailability) }
    set { settings.withLock { $0.brokerAvailability = newValue } }
  }

  /// This property has no effect.
  public class var shouldRequestBoundAppRefreshTokens: Bool {
    get { settings.withLock(\.shouldRequestBoundAppRefreshTokens) }
    set {
      tell("shouldRequestBoundAppRefreshTokens")
      settings.withLock { $0.shouldRequestBoundAppRefreshTokens = newValue }
    }
  }

  private static func tell(_ name: String) {
    AppDevice().logOnce("MSAL: `\(name)` is used, and has no effect on this device")
  }
}
