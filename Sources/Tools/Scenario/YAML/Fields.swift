import JSON

/// The members of a mapping whose keys the format chooses: no others may be there.
struct Fields<Key: RawRepresentable<String> & CaseIterable & Hashable> {
  let position: Position
  private let subject: String
  private let values: [Key: YAMLValue]
  private let positions: [Key: Position]

  /// Reads the members of a mapping.
  ///
  /// - Parameters:
  ///   - subject: the mapping in the words of a message, with its article: `a case`.
  ///   - others: keys that are read elsewhere, which a suggestion may name.
  ///   - advice: the end of the message about an unknown key that no known key resembles.
  init(
    _ value: YAMLValue, _ subject: String, others: [String] = [],
    advice: (String) -> String = { _ in "" }
  ) throws(Mistake) {
    guard case .mapping(let members) = value.kind else {
      throw value.mistake(.wrongType, "\(subject) must be a mapping, found \(value.found)")
    }
    var values: [Key: YAMLValue] = [:]
    var positions: [Key: Position] = [:]
    for member in members {
      guard let key = Key(rawValue: member.key) else {
        let hint = Wording.hint(for: member.key, among: Key.allCases.map(\.rawValue) + others)
        throw Mistake(
          .unknownKey, at: member.position,
          "\(subject) has no key `\(member.key)`\(hint.isEmpty ? advice(member.key) : hint)")
      }
      values[key] = member.value
      positions[key] = member.position
    }
    position = value.position
    self.subject = subject
    self.values = values
    self.positions = positions
  }

  subscript(key: Key) -> YAMLValue? { values[key] }

  func required(_ key: Key) throws(Mistake) -> YAMLValue {
    guard let value = values[key] else {
      throw Mistake(.missingKey, at: position, "\(subject) needs `\(key.rawValue)`")
    }
    return value
  }

  /// Rejects `second` where `first` is there, too.
  func rejectConflict(_ second: Key, with first: Key) throws(Mistake) {
    guard values[first] != nil, let position = positions[second] else { return }
    throw Mistake(
      .conflictingKeys, at: position,
      "\(subject) has `\(first.rawValue)` or `\(second.rawValue)`, not both")
  }

  func position(of key: Key) -> Position { positions[key] ?? position }
}
