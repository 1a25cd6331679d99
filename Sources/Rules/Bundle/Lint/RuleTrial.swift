internal import Activation
internal import Predicates
internal import UniformTypes

/// An activation rule that is asked about files.
struct RuleTrial {
  let rule: ActivationRule
  let types: TypeLibrary
  /// A rule that names many types is asked often, and takes long each time: what is left is not asked.
  private(set) var work = Work(elements: 5 * Work.maximumElements)
  /// What asking costs beside the rule: types are looked up.
  private static let cost = 20
  /// How many types the rule names.
  private let size: Int

  /// Of how many types files are tried, the first of them: each trial takes as long as the rule is.
  static let maximumTypes = 100

  init(_ rule: ActivationRule, types: TypeLibrary) {
    self.rule = rule
    self.types = types
    size = rule.typeIdentifiers.count
  }

  /// Whether the rule takes files that are each of all these types; nil where it was asked too much.
  mutating func takes(_ selection: FileSelection, of names: [String]) -> Bool? {
    guard !work.isExhausted else { return nil }
    Effort.spend(size)
    let items = ResolvedItems(selection.items(of: names), types: types)
    var own = Work()
    let takes = rule.matches(items, &own)
    work.look(own.steps)
    work.visit(Self.cost + names.count)
    return own.isExhausted || work.isExhausted ? nil : takes
  }

  /// Whether the rule takes files of the type, be it one or several at once; nil where it was asked too much.
  mutating func takes(_ type: String) -> Bool? {
    for selection in FileSelection.all {
      guard let takes = takes(selection, of: [type]) else { return nil }
      if takes { return true }
    }
    return false
  }

  /// The least numbers of files of the type, beside one alone, that the rule takes together and apart.
  mutating func excess(of type: String) -> [FileSelection] {
    FileSelection.several.compactMap { numbers in
      numbers.first { takes($0, of: [type]) == true }
    }
  }
}
