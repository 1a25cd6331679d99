/// An error that a configuration's type throws to tell the administrator about a fault in a configuration. Its message
/// ends up in the device's event log, and must hold nothing secret.
public protocol ManagedAppConfigurationDecodingError: Codable, Error {
  /// The app's own code, below ``ManagedAppConfigurationDecodingErrorCode/firstReserved``; others are reported as
  /// `generic`.
  var code: ManagedAppConfigurationDecodingErrorCode { get set }
  var message: String { get set }
}

/// Tells one mistake in a configuration from another.
public struct ManagedAppConfigurationDecodingErrorCode: RawRepresentable, Codable, Hashable,
  Sendable
{
  public let rawValue: Int

  /// Makes a code of the app's own; nil from ``firstReserved`` on.
  public init?(rawValue: Int) {
    guard rawValue < Self.firstReserved else { return nil }
    self.rawValue = rawValue
  }

  /// The first of the framework's own codes.
  public static let firstReserved = 0x7000_0000
  /// An error that states no code of its own.
  public static let generic = firstReserved
  public static let dataCorrupted = firstReserved + 1
  public static let keyNotFound = firstReserved + 2
  public static let typeMismatch = firstReserved + 3
  public static let valueNotFound = firstReserved + 4
  /// Never reported here: no type is stopped while it decodes.
  public static let timeout = firstReserved + 5
}
