public import JSON
public import Model

/// A function that reads an XML property list: the entries of the dictionary at its top, in their order.
///
/// Reading XML takes more than this target has; a caller that can read it passes the function in.
public typealias PropertyListParser =
  (_ xml: [UInt8]) -> Result<[PropertyListEntry], PropertyListFault>

/// A key at the top of a property list, and its value.
public struct PropertyListEntry: Sendable {
  public var key: String
  public var value: ConfigurationValue
  public var position: Position

  /// Creates an entry.
  public init(key: String, value: ConfigurationValue, position: Position) {
    self.key = key
    self.value = value
    self.position = position
  }
}

/// The fault of a property list.
public struct PropertyListFault: Error, Sendable {
  /// The place of the fault; nil where no place is at fault.
  public var position: Position?
  /// The message, in lower case, without full stop, and without any part of a value.
  public var message: String

  /// Creates a fault at `position`.
  public init(at position: Position?, _ message: String) {
    self.position = position
    self.message = message
  }
}
