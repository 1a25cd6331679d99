import Model

extension DirectoryEntry {
  static let registered = "registered"
  static let keys = [registered] + DirectoryAttribute.allCases.map(\.rawValue)

  init(_ value: YAMLValue) throws(Mistake) {
    self.init()
    for member in try value.mapping() {
      guard member.key != Self.registered else {
        isRegistered = try member.value.bool()
        continue
      }
      guard let attribute = DirectoryAttribute(rawValue: member.key) else {
        throw Mistake(
          .unknownKey, at: member.position,
          "the key `directory` has no key `\(member.key)`"
            + Wording.hint(for: member.key, among: Self.keys))
      }
      attributes[attribute] =
        if attribute == .isCompliant {
          [try member.value.bool() ? "True" : "False"]
        } else {
          switch attribute.kind {
          case .collection: try member.value.texts()
          case .identifier, .word, .text: [try member.value.text()]
          }
        }
    }
    guard isRegistered == false, !attributes.isEmpty else { return }
    throw value.mistake(
      .conflictingKeys, "the directory has no attributes of a device that is not registered")
  }
}
