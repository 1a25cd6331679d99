/// A line of the device's event log, which an administrator can ask for.
public struct AdministratorEvent: Sendable, Hashable {
  /// Time in seconds since 1970-01-01T00:00:00Z, by the device's virtual clock.
  public var time: Int
  /// Bundle id of the app or extension that the event is about; nil: none.
  public var app: String?
  /// The app's own code, or from ``firstReserved`` on the framework's; 0 where the device itself speaks.
  public var code: Int
  /// Text of one line. It contains no value, unless an app puts one there.
  public var message: String

  /// The first code that apps may not use, as in Apple's framework
  /// (`ManagedAppConfigurationDecodingErrorCode.firstReserved`).
  public static let firstReserved = 0x7000_0000
}
