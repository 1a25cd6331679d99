/// A text that must not be left on a device.
struct Canary: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// The account's UPN.
    case upn
    /// The account's object id.
    case objectID
    /// Something that only the account's data contains.
    case content
  }

  var kind: Kind
  var text: String

  /// Whether case does not matter: the names of accounts are the same in any casing.
  var ignoresCase: Bool { kind != .content }

  /// The text as it is, and where case does not matter also in its common casings: Base64, for one, writes each casing
  /// in characters of its own.
  var spellings: [String] {
    ignoresCase ? [text, text.lowercased(), text.uppercased()] : [text]
  }

  /// The UPN, the object id, or the first characters of a content canary: a report must not contain the whole of it.
  var shown: String {
    guard kind == .content, text.count > 8 else { return text }
    return "\(text.prefix(8))…"
  }
}
