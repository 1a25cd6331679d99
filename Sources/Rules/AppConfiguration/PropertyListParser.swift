public import JSON
public import Model

/// Reads an XML property list: the entries of the dictionary at its top, in their order.
///
/// Reading XML takes more than this target has; whoever has it hands it in.
public typealias PropertyListParser =
  (_ xml: [UInt8]) -> Result<[PropertyListEntry], PropertyListFault>

/// A key at the top of a property list, and what it is set to.
public struct PropertyListEntry: Sendable {
  public var key: String
  public var value: ConfigurationValue
  public var position: Position

  public init(key: String, value: ConfigurationValue, position: Position) {
    self.key = key
    self.value = value
    self.position = position
  }
}

/// What is wrong with a property list.
public struct PropertyListFault: Error, Sendable {
  /// nil where no place is at fault.
  public var position: Position?
  /// Lower case, no full stop, and nothing of a value.
  public var message: String

  public init(at position: Position?, _ message: String) {
    self.position = position
    self.message = message
  }
}
