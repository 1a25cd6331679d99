internal import Activation
internal import Predicates
internal import UniformTypes

/// An activation rule that is tried on files.
struct RuleTrial {
  let rule: ActivationRule
  let types: TypeLibrary
  /// The work that is left. A rule that names many types is tried often, and each trial takes long: once the work is
  /// exhausted, no more files are tried.
  private(set) var work = Work(elements: 5 * Work.maximumElements)
  /// The cost of a trial beside the rule: types are looked up.
  private static let cost = 20
  /// The number of types that the rule names.
  private let size: Int

  /// The maximum number of types that are tried, the first of them: each trial takes as long as the rule is.
  static let maximumTypes = 100

  init(_ rule: ActivationRule, types: TypeLibrary) {
    self.rule = rule
    self.types = types
    size = rule.typeIdentifiers.count
  }

  /// Whether the rule takes files that each have all of these types; nil where the work is exhausted.
  mutating func takes(_ selection: FileSelection, of names: [String]) -> Bool? {
    guard !work.isExhausted else { return nil }
    Effort.spend(size)
    let items = ResolvedItems(selection.items(of: names), types: types)
    var own = Work()
    let takes = rule.matches(items, &own)
    work.charge(characters: own.steps)
    work.charge(elements: Self.cost + names.count)
    return own.isExhausted || work.isExhausted ? nil : takes
  }

  /// Whether the rule takes a file of a type that it does not name, and that conforms to none; nil where the work is
  /// exhausted.
  mutating func takesStrangers() -> Bool? {
    takes("example.sluice.unnamed")
  }

  /// Whether the rule takes one or several files of the type; nil where the work is exhausted.
  mutating func takes(_ type: String) -> Bool? {
    for selection in FileSelection.all {
      guard let takes = takes(selection, of: [type]) else { return nil }
      if takes { return true }
    }
    return false
  }

  /// The least numbers of files of the type, beyond a single one, that the rule takes together and apart.
  mutating func excess(of type: String) -> [FileSelection] {
    FileSelection.several.compactMap { numbers in
      numbers.first { takes($0, of: [type]) == true }
    }
  }
}
