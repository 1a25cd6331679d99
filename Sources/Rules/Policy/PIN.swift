/// An app PIN or passcode. Its description is dots, so that no log shows it.
public struct PIN: Sendable, Hashable, CustomStringConvertible {
  public let text: String

  /// Creates a PIN.
  public init(_ text: String) { self.text = text }

  public var description: String { "••••" }
}
