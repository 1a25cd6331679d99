import JSON

/// The members of a mapping whose keys the format chooses: no others may be there.
struct Fields<Key: RawRepresentable<String> & CaseIterable & Hashable> {
  let position: Position
  private let what: String
  private let values: [Key: YAMLValue]
  private let positions: [Key: Position]

  /// Reads the members of a mapping.
  ///
  /// - Parameter what: the mapping in the words of a message, with its article: `a case`.
  init(_ value: YAMLValue, _ what: String) throws(Mistake) {
    guard case .mapping(let members) = value.kind else {
      throw value.mistake(.wrongType, "\(what) must be a mapping, found \(value.found)")
    }
    var values: [Key: YAMLValue] = [:]
    var positions: [Key: Position] = [:]
    for member in members {
      guard let key = Key(rawValue: member.key) else {
        let hint = Wording.hint(for: member.key, among: Key.allCases.map(\.rawValue))
        throw Mistake(
          .unknownKey, at: member.position, "\(what) has no key `\(member.key)`\(hint)")
      }
      values[key] = member.value
      positions[key] = member.position
    }
    position = value.position
    self.what = what
    self.values = values
    self.positions = positions
  }

  subscript(key: Key) -> YAMLValue? { values[key] }

  func required(_ key: Key) throws(Mistake) -> YAMLValue {
    guard let value = values[key] else {
      throw Mistake(.missingKey, at: position, "\(what) needs `\(key.rawValue)`")
    }
    return value
  }

  /// Refuses `second` where `first` is there, too.
  func refuse(_ second: Key, beside first: Key) throws(Mistake) {
    guard values[first] != nil, let position = positions[second] else { return }
    throw Mistake(
      .conflictingKeys, at: position,
      "\(what) has `\(first.rawValue)` or `\(second.rawValue)`, not both")
  }

  func position(of key: Key) -> Position { positions[key] ?? position }
}
