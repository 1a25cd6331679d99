/// An app PIN or passcode. It prints as dots, so that no log shows it.
public struct PIN: Sendable, Hashable, CustomStringConvertible {
  public let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { "••••" }
}
