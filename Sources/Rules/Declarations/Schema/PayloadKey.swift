/// A key of a payload, as Apple publishes it.
///
/// Source: github.com/apple/device-management, `declarative/declarations`.
struct PayloadKey: Sendable {
  enum Presence: Sendable {
    case required, optional
  }

  let name: String
  let presence: Presence
  let kind: PayloadKind

  init(_ name: String, _ presence: Presence, _ kind: PayloadKind) {
    self.name = name
    self.presence = presence
    self.kind = kind
  }

  /// The keys of the value, where that is a dictionary with keys of its own; empty otherwise.
  var members: [PayloadKey] { if case .dictionary(let keys) = kind { keys } else { [] } }
}

/// The kind of a value.
indirect enum PayloadKind: Sendable {
  case string
  case boolean
  /// An integer in the range; nil: any integer.
  case integer(ClosedRange<Int>?)
  /// One of these words.
  case word([String])
  case number([Int])
  /// Bytes in Base64.
  case data
  /// The identifier of a declaration of one of these types.
  case reference([DeclarationType])
  /// The identifier of a configuration of any type.
  case configuration
  /// An array with a number of elements in the range; nil: any number.
  case array(PayloadKind, count: ClosedRange<Int>?)
  case dictionary([PayloadKey])
  /// A dictionary with any keys, each with a value of that kind.
  case named(PayloadKind)
  /// Any dictionary.
  case free
}
