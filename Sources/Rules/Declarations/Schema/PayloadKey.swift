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

  /// The keys of its value, where that is a dictionary with keys of its own.
  var members: [PayloadKey] { if case .dictionary(let keys) = kind { keys } else { [] } }
}

/// What a value may be.
indirect enum PayloadKind: Sendable {
  case string
  case boolean
  /// Any, or one of those in the range.
  case integer(ClosedRange<Int>?)
  /// One of those.
  case word([String])
  case number([Int])
  /// Bytes in Base64.
  case data
  /// The identifier of a declaration of one of these types.
  case reference([DeclarationType])
  /// The identifier of a configuration of any type.
  case configuration
  /// As many elements as the range says; nil: as many as there are.
  case array(PayloadKind, count: ClosedRange<Int>?)
  case dictionary([PayloadKey])
  /// Any names, each with such a value.
  case named(PayloadKind)
  /// Any dictionary.
  case free
}
