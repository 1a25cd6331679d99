/// A line of the device's event log, which an administrator can ask for.
public struct AdministratorEvent: Sendable, Hashable {
  /// In seconds since 1970-01-01T00:00:00Z, by the device's virtual clock.
  public var time: Int
  /// Bundle id of the app or extension that it is about; nil: of none.
  public var app: String?
  /// The app's own, or from ``firstReserved`` on the framework's; 0 where the device itself speaks.
  public var code: Int
  /// Of one line. It tells no value, unless an app puts one there.
  public var message: String

  /// The first code that apps may not use, as in Apple's framework
  /// (`ManagedAppConfigurationDecodingErrorCode.firstReserved`).
  public static let firstReserved = 0x7000_0000
}
