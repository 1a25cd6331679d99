import Activation
import Model

extension AppSpecification {
  static func uniformType(_ value: YAMLValue) throws(Mistake) -> String {
    let type = try value.text()
    guard Name.isBundleID(type) else {
      throw value.mistake(
        .invalidValue, "`\(type)` is no uniform type, such as `public.plain-text`")
    }
    return type
  }

  /// Reads the properties of the app or extension that share sheets depend on.
  mutating func readShareSheet(_ fields: Fields<Key>) throws(Mistake) {
    for type in try fields[.documentTypes]?.sequence() ?? [] {
      documentTypes.append(try Self.uniformType(type))
    }
    if let value = fields[.activationRule] { activationRule = try Self.rule(value) }
    if let value = fields[.openInAction] { isOpenInAction = try value.bool() }
    guard extensionKind == nil, path == nil else { return }
    for key in [Key.activationRule, .openInAction] where fields[key] != nil {
      throw Mistake(
        .conflictingKeys, at: fields.position(of: key),
        "only an extension has `\(key.rawValue)`; `\(name)` has no `extension`")
    }
  }

  private static func rule(_ value: YAMLValue) throws(Mistake) -> ActivationRule {
    if case .mapping(let members) = value.kind {
      var entries: [DictionaryRule.Entry] = []
      for member in members {
        entries.append(.init(key: member.key, value: try Self.value(member.value)))
      }
      let rule = DictionaryRule(values: entries)
      if let warning = rule.warnings.first {
        let member = members.first { $0.key == warning.key }
        throw Mistake(
          .invalidValue, at: member?.position ?? value.position,
          "`\(value.name)`: \(warning.message)")
      }
      return .dictionary(rule)
    }
    let text = try value.text()
    do throws(PredicateError) {
      return .predicate(try Predicate(parsing: text))
    } catch {
      throw value.mistake(
        .invalidValue,
        "`\(value.name)` is no predicate: line \(error.line), column \(error.column): \(error.message)"
      )
    }
  }

  private static func value(_ value: YAMLValue) throws(Mistake) -> DictionaryRule.Value {
    let text = try value.text()
    if let number = Int(text) { return .integer(number) }
    switch text {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    default: return .string(text)  // open: any other text
    }
  }
}

extension Expectation {
  mutating func readDestinations(_ fields: Fields<Key>, _ names: Names) throws(Mistake) {
    shown = try Self.destinations(fields[.shown], names)
    encrypted = try Self.destinations(fields[.encrypted], names)
    hidden = try Self.destinations(fields[.hidden], names)
  }

  /// The names or bundle ids of apps and extensions, and names of the system's own actions.
  private static func destinations(
    _ value: YAMLValue?, _ names: Names
  ) throws(Mistake) -> [String] {
    var destinations: [String] = []
    for element in try value?.oneOrMore() ?? [] {
      let name = try element.text()
      let known = names.apps.map(\.name) + builtInActions
      guard known.contains(name) || Name.isBundleID(name) else {
        throw element.mistake(
          .unknownName,
          "no app or action is called `\(name)`\(Wording.hint(for: name, among: known))")
      }
      destinations.append(name)
    }
    return destinations
  }

  /// The actions that the system itself offers in a share sheet.
  package static let builtInActions = [
    "airDrop", "messageComposer", "mailComposer", "copy", "saveToPhotos", "saveToFiles", "print",
  ]
}
