public import Foundation

/// The manager that, in Microsoft's SDK, passes telemetry to the app. Here, it does nothing; a
/// device with `telemetry: true` records the telemetry in the journal instead.
open class IntuneMAMTelemetryManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMTelemetryManager()

  /// The delegate, which is held weakly. It has no effect.
  open weak var delegate: (any IntuneMAMTelemetryDelegate)?

  private override init() { super.init() }

  open class func instance() -> IntuneMAMTelemetryManager { shared }
}

/// Receives telemetry events.
public protocol IntuneMAMTelemetryDelegate: NSObjectProtocol {
  func logAriaEvent(
    forAccountId accountId: String?, withName name: String, properties: [String: NSObject],
    privacyLevel: IntuneMAMTelemetryPrivacyLevel,
    privacyDataTypes: IntuneMAMTelemetryPrivacyDataTypes,
    priorityLevel: IntuneMAMTelemetryPriorityLevel, dataRegion: IntuneMAMTelemetryDataRegion,
    tenantID: String)
}

public enum IntuneMAMTelemetryPrivacyLevel: UInt, Sendable {
  case optionalDiagnosticData
  case requiredServiceData
  case requiredDiagnosticData
}

public struct IntuneMAMTelemetryPrivacyDataTypes: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let productAndServiceUsage = Self(rawValue: 1)
  public static let productAndServicePerformance = Self(rawValue: 2)
  public static let deviceConnectivityAndConfiguration = Self(rawValue: 4)
  public static let softwareSetupAndInventory = Self(rawValue: 8)
  public static let browsingHistory = Self(rawValue: 16)
  public static let inkingTypingAndSpeechUtterance = Self(rawValue: 32)
}

public enum IntuneMAMTelemetryPriorityLevel: UInt, Sendable {
  case low = 1
  case normal = 2
  case high = 3
  case immediate = 4
}

public enum IntuneMAMTelemetryDataRegion: UInt, Sendable {
  case global = 0
  case eu = 1
  case max = 2
}
