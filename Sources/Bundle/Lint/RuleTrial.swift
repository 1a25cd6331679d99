internal import Activation
internal import UniformTypes

/// An activation rule that is asked about files.
struct RuleTrial {
  let rule: ActivationRule
  let types: TypeLibrary

  init(_ rule: ActivationRule, types: TypeLibrary) {
    self.rule = rule
    self.types = types
  }

  /// Whether the rule takes files that are each of all these types.
  func takes(_ selection: FileSelection, of names: [String]) -> Bool {
    rule.matches(selection.items(of: names), types: types)
  }

  /// Whether the rule takes files of the type, be it one or several at once.
  func takes(_ type: String) -> Bool { FileSelection.all.contains { takes($0, of: [type]) } }

  /// The least numbers of files of the type, beside one alone, that the rule takes together and apart.
  func excess(of type: String) -> [FileSelection] {
    FileSelection.several.compactMap { numbers in numbers.first { takes($0, of: [type]) } }
  }
}
