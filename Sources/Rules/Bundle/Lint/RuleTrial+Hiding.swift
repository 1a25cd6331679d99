internal import Activation
internal import UniformTypes

extension RuleTrial {
  /// The types of a file that the rule takes, but no longer once the types carry the prefix of the Intune App SDK;
  /// nil where no such file is found.
  ///
  /// The trial takes files of each type that the rule names, a file of all of them, and where the rule looks at the
  /// letters of types, files of the types that the system and the app declare.
  mutating func hiddenTypes() -> [String]? {
    let named = Self.plain(rule.typeIdentifiers)
    let patterns = rule.typePatterns
    let declared = patterns.isEmpty ? [] : types.declarations.map(\.identifier)
    // Wild cards match themselves, so without its escapes a pattern is mostly a type of its kind.
    let spelled = Self.plain(patterns.map { $0.filter { $0 != "\\" } })
    return hidden(among: named.prefix(Self.maximumTypes).map { [$0] }, in: FileSelection.all)
      ?? hidden(among: declared.map { [$0] }, in: [.together(1)])
      ?? hidden(
        among: spelled.prefix(Self.maximumTypes).map { [$0] } + [named], in: FileSelection.all)
  }

  private mutating func hidden(
    among candidates: [[String]], in selections: [FileSelection]
  ) -> [String]? {
    candidates.first { names in
      let twins = names.map(IntuneTypeAlias.of(_:))
      return selections.contains { takes($0, of: names) == true && takes($0, of: twins) == false }
    }
  }

  private static func plain(_ types: [String]) -> [String] {
    types.filter { !$0.isEmpty && !IntuneTypeAlias.isTwin($0) }
  }
}
