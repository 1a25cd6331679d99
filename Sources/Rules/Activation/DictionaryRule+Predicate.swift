extension DictionaryRule {
  /// The text of a predicate that matches the same items as the rule.
  var predicateText: String {
    let kinds = AttachmentKind.allCases.filter { limits.maxima[$0] != nil }
    let supported =
      limits.supportsAnything
      ? "TRUEPREDICATE" : kinds.map(condition).joined(separator: " OR ")
    let conditions = limitConditions(kinds)
    if limits.version == 1 {
      let every = Self.attachments(supported) + " == $extensionItem.attachments.@count"
      let all = ["$extensionItem.attachments.@count > 0", every] + conditions
      return Self.items(all) + " == extensionItems.@count AND extensionItems.@count > 0"
    }
    let some = Self.items([Self.attachments(supported) + " > 0"]) + " > 0"
    return conditions.isEmpty
      ? some : Self.items(conditions) + " == extensionItems.@count AND\n" + some
  }

  private static func items(_ conditions: [String]) -> String {
    "SUBQUERY (\n  extensionItems,\n  $extensionItem,\n  "
      + conditions.joined(separator: " AND\n  ") + "\n).@count"
  }

  private static func attachments(_ condition: String) -> String {
    "SUBQUERY ($extensionItem.attachments, $attachment, \(condition)).@count"
  }

  private func limitConditions(_ kinds: [AttachmentKind]) -> [String] {
    var conditions: [String] = []
    for kind in kinds {
      guard let maximum = limits.maxima[kind], maximum != Int.max else { continue }
      var counted = condition(kind)
      let others = kinds.filter { $0 != .file }
      if kind == .file, !others.isEmpty {
        counted += " AND NOT (" + others.map(condition).joined(separator: " OR ") + ")"
      }
      conditions.append(Self.attachments(counted) + " <= \(maximum)")
    }
    if let most = limits.mostAttachments {
      conditions.append("$extensionItem.attachments.@count <= \(most)")
    }
    if let least = limits.leastAttachments {
      conditions.append("$extensionItem.attachments.@count >= \(least)")
    }
    return conditions
  }

  /// The condition for an attachment of the kind, in parentheses where it is not a single comparison.
  private func condition(_ kind: AttachmentKind) -> String {
    let types = kind.types
    var accepted = any(of: types.accepted)
    if !types.refused.isEmpty {
      accepted = "(\(accepted) AND NOT \(any(of: types.refused)))"
    }
    guard !types.sufficient.isEmpty else { return accepted }
    return "(\(any(of: types.sufficient)) OR \(accepted))"
  }

  private func any(of types: [String]) -> String {
    let name = limits.isStrict ? "UTI-EQUALS" : "UTI-CONFORMS-TO"
    let tests = types.map { "ANY $attachment.registeredTypeIdentifiers \(name) \"\($0)\"" }
    return tests.count == 1 ? tests[0] : "(" + tests.joined(separator: " OR ") + ")"
  }
}
