internal import Diagnostics

/// The values of build variables such as `$(PRODUCT_NAME)`, which property lists in source
/// repositories have in place of text.
///
/// Source: Xcode, "Build settings reference".
package struct BuildSettings: Sendable {
  private var values: [String: String] = [:]
  /// The macros defined beside `INFOPLIST_PREPROCESSOR_DEFINITIONS`; nil where none was defined.
  private var definitions: [String: String]?

  /// Creates settings in which no variable has a value.
  package init() {}

  /// Creates the settings of a team.
  ///
  /// - Parameter team: The team identifier, which the two prefixes of entitlements stand for.
  package init(team: String) { setTeam(team) }

  /// Creates settings with these values.
  ///
  /// - Parameter values: The values by the names of their variables.
  package init(_ values: [String: String]) { self.values = values }

  package subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// Sets the team's identifier and the two prefixes of entitlements that stand for it.
  package mutating func setTeam(_ team: String) {
    for name in ["AppIdentifierPrefix", "TeamIdentifierPrefix"] { values[name] = "\(team)." }
    values["DEVELOPMENT_TEAM"] = team
  }

  /// Defines a macro, and has lists preprocessed.
  ///
  /// - Parameter macro: `NAME`, with the value 1, or `NAME=VALUE`.
  package mutating func define(_ macro: String) {
    let (name, value) = Self.definition(macro[...])
    definitions = (definitions ?? [:]).merging([name: value]) { $1 }
  }

  /// The macros defined for Xcode's preprocessor; nil where lists are not preprocessed.
  var macros: [String: String]? {
    guard definitions != nil || values["INFOPLIST_PREPROCESS"] == "YES" else { return nil }
    let stated = expanding(values["INFOPLIST_PREPROCESSOR_DEFINITIONS"] ?? "").text
      .split(whereSeparator: \.isWhitespace).map(Self.definition)
    return Dictionary(stated) { $1 }.merging(definitions ?? [:]) { $1 }
  }

  private static func definition(_ macro: Substring) -> (String, String) {
    guard let equals = macro.firstIndex(of: "=") else { return (String(macro), "1") }
    return (String(macro[..<equals]), String(macro[macro.index(after: equals)...]))
  }

  /// These settings, completed by those of `other` where they have no value.
  package func over(_ other: BuildSettings) -> BuildSettings {
    var result = self
    result.values.merge(other.values) { own, _ in own }
    if let definitions = other.definitions {
      result.definitions = (result.definitions ?? [:]).merging(definitions) { own, _ in own }
    }
    return result
  }

  /// The values that Xcode derives from another variable where nobody sets the variable itself.
  private static let derived = [
    "EXECUTABLE_NAME": "$(PRODUCT_NAME)",
    "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)",
    "PRODUCT_NAME": "$(TARGET_NAME)",
    "AppIdentifierPrefix": "$(DEVELOPMENT_TEAM).",
    "TeamIdentifierPrefix": "$(DEVELOPMENT_TEAM).",
    "CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)",
  ]

  func definition(of name: String) -> String? { values[name] ?? Self.derived[name] }

  /// The text with its variables replaced, as far as they have values.
  package func expanding(_ text: String) -> ExpandedText {
    guard text.contains("$(") || text.contains("${") else {
      return ExpandedText(text: text, unresolved: [])
    }
    var expander = VariableExpander(settings: self)
    let result = expander.expanding(text)
    return ExpandedText(text: result, unresolved: expander.unresolved)
  }
}

/// A text of a property list after its variables were replaced.
package struct ExpandedText: Sendable, Equatable {
  /// The text. Variables without a value stay in it as the list states them.
  package var text: String
  /// The variables that could not be replaced.
  package var unresolved: [UnresolvedVariable]
}

/// A variable that was not replaced, and the reason.
package struct UnresolvedVariable: Sendable, Hashable {
  /// The reason why a variable was not replaced.
  package enum Reason: Sendable, Hashable {
    case noValue
    case unknownModifier(String)
    /// The variable is defined by itself.
    case circular
    case tooLong
    /// Too many names or values are composed of one another.
    case tooDeep
    /// The variable's parenthesis does not close.
    case open
  }

  package var name: String
  package var reason: Reason

  /// The fault and its remedy, in lower case, without full stop.
  package var message: String {
    switch reason {
    case .noValue: "the variable `\(name)` has no value; give one with `--set \(name)=…`"
    case .unknownModifier(let modifier):
      "the variable `\(name)` has the modifier `\(modifier)`, which is not known"
        + Suggestion.nearest(to: modifier, among: VariableExpander.modifiers)
    case .circular: "the variable `\(name)` is defined by itself"
    case .tooLong:
      "the variable `\(name)` makes a text of more than \(VariableExpander.limit) bytes"
    case .tooDeep:
      "the variable `\(name)` is nested in more than \(VariableExpander.maximumDepth) others"
    case .open: "the variable `\(name)` does not end: its bracket is open"
    }
  }
}
