package import Encodings
internal import GraphDocuments
package import Model
internal import Output

/// An edit of a policy: new values for one or more settings.
package struct SettingEdit: Sendable {
  /// The edited settings with their new values in Graph's form. Null stands for Graph's default.
  package let values: [(setting: Setting, json: JSONValue)]
  private let settings: Settings

  /// The error for a name that no setting has, or for a value that a setting cannot have.
  package struct Failure: Error {
    /// The message: lower case, no full stop.
    package let message: String
  }

  /// Creates an edit from a name and a value that a person wrote.
  ///
  /// - Parameters:
  ///   - name: A label of the admin centre or a property of Graph. Case, white space and punctuation do not matter.
  ///   - value: A value in the admin centre's words or in Graph's form. Lists are separated by `;` or `,`. Durations
  ///     may be `30 minutes`, `12 h` or `90 days`, or a number in the admin centre's unit.
  /// - Throws: ``Failure``. Its message states the nearest name or the possible values.
  package init(_ name: String, _ value: String) throws(Failure) {
    let settings = try Self.settings(named: name)
    let value = value.trimmed
    if let settings = AdminCentreLabel.settings(saying: value, for: settings) {
      self = settings
      return
    }
    var refusals: [String] = []
    for setting in settings {
      do throws(Failure) {
        self = try Self([(setting, setting.json(value))])
        return
      } catch {
        refusals.append(error.message)
      }
    }
    throw Failure(message: Self.refusal(of: value, settings, refusals))
  }

  /// Creates an edit from values in Graph's form. The values are checked like those in a policy file.
  ///
  /// - Throws: ``Failure`` for the first value that is invalid, or that would cause a warning about a probable mistake
  ///   in a policy file.
  package init(_ values: [(setting: Setting, json: JSONValue)]) throws(Failure) {
    let members = values.map {
      JSONValue.Member(name: $0.setting.rawValue, position: Self.position, value: $0.json)
    }
    var reader = PropertyReader(
      JSONValue(.object(members), at: Self.position), in: DocumentFile("--set"))
    let document = reader.document()
    let mistakes = document.warnings.filter {
      [.notAScheme, .notALink, .whiteSpace, .unknownFutureValue].contains($0.code)
    }
    if let message = (reader.errors.inOrder.map(\.message) + mistakes.map(\.message)).first {
      throw Failure(message: message)
    }
    self.values = values
    settings = document.settings
  }

  fileprivate static let position = Position(line: 1, column: 1)
  /// The maximum number of labels that a message suggests if a name is the beginning of several labels.
  private static let mostSuggestions = 4

  /// Sets the edited settings to their new values. Other settings stay unchanged.
  package func apply(to settings: inout Settings) {
    for (setting, _) in values { settings.copy(setting, from: self.settings) }
  }

  // MARK: Names

  /// Returns the settings with this admin centre label, or the setting with this Graph property. If several settings
  /// have the same label, the name must include the action: `Min OS version (block access)`.
  ///
  /// - Throws: ``Failure``. Its message states the labels that begin with the name, the nearest name, or the possible
  ///   labels.
  package static func settings(named name: String) throws(Failure) -> [Setting] {
    let wanted = AdminCentreLabel.normal(name)
    if let setting = SettingTable.entries.map(\.setting).first(where: {
      AdminCentreLabel.normal($0.rawValue) == wanted
    }) {
      return [setting]
    }
    let lines = SettingPage.allCases.flatMap(\.lines)
    if let line = lines.first(where: { AdminCentreLabel.normal($0.title) == wanted }) {
      return line.settings
    }
    let alike = lines.filter { AdminCentreLabel.normal($0.settings[0].label) == wanted }
    guard alike.isEmpty else {
      throw Failure(
        message: "`\(name)` is the label of several settings; expected "
          + ListFormat.any(of: alike.map { "`\($0.title)`" }))
    }
    let longer = lines.map(\.title).filter { AdminCentreLabel.normal($0).hasPrefix(wanted) }
    guard wanted.isEmpty || longer.isEmpty else {
      throw Failure(
        message: "no setting is called `\(name)`; did you mean "
          + ListFormat.any(of: longer.prefix(Self.mostSuggestions).map { "`\($0)`" }) + "?")
    }
    let known = lines.map(\.title) + SettingTable.entries.map(\.setting.rawValue)
    throw Failure(
      message: "no setting is called `\(name)`"
        + Suggestion.nearest(to: name, among: known, within: max(2, name.count / 4)))
  }

  private static func refusal(
    of value: String, _ settings: [Setting], _ refusals: [String]
  ) -> String {
    let label = settings[0].label
    if case .period(_, let unit)? = settings[0].domain {
      return
        "`\(value)` is not a value of `\(label)`; expected a number of \(unit.plural), or a period such as `\(unit.example)`"
    }
    let words = AdminCentreLabel.words(for: settings)
    guard words.isEmpty else {
      return "`\(value)` is not a value of `\(label)`; expected "
        + ListFormat.any(of: words.map { "`\($0)`" })
    }
    return "`\(value)` is not a value of `\(label)`: \(refusals.first ?? "")"
  }
}

extension AdminCentreLabel {
  /// Returns the edit to the values that the admin centre displays as `words`. Nil if there are no such values.
  fileprivate static func settings(
    saying words: String, for settings: [Setting]
  ) -> SettingEdit? {
    let wanted = normal(words)
    let found = combinations(of: settings).first { candidate in
      settings.contains { candidate.words(for: $0).map(normal) == wanted }
    }
    guard let found, settings.contains(where: { $0.domain?.values.isEmpty == false }) else {
      return nil
    }
    return try? SettingEdit(
      settings.filter { $0.domain?.values.isEmpty == false }.map {
        ($0, found.graphValue(of: $0)?.json ?? SettingEdit.null)
      })
  }

  /// Returns the words with which the admin centre displays the possible values. Empty if none of the settings is a
  /// flag or choice.
  static func words(for settings: [Setting]) -> [String] {
    let chosen = settings.filter { $0.domain?.values.isEmpty == false }
    return combinations(of: settings).flatMap { candidate in
      chosen.compactMap { candidate.words(for: $0) }
    }.unique
  }
}

extension PeriodText.Unit {
  /// An example of a period, for messages about settings that the admin centre shows in this unit.
  fileprivate var example: String {
    switch self {
    case .day: "90 days"
    case .hour, .minute: "12 hours"
    case .second: "30 seconds"
    }
  }
}

extension SettingEdit {
  static let null = JSONValue(.null, at: position)
}

extension Setting {
  /// Converts a text to a JSON value of the type that the setting's property has. If that is impossible, returns a
  /// string; the reader rejects it with a message.
  fileprivate func json(_ text: String) -> JSONValue {
    let value = { (kind: JSONValue.Kind) in JSONValue(kind, at: SettingEdit.position) }
    let isNone = ["", "none", "null"].contains(text.lowercased())
    switch domain {
    case .flag:
      return value(["true", "false"].contains(text) ? .bool(text == "true") : .string(text))
    case .count:
      return value(Int(text) == nil ? .string(text) : .number(text))
    case .period(_, let unit):
      return value(.string(PeriodText.seconds(in: text, unit).map(ISODuration.text) ?? text))
    case .choice: return value(isNone && text != "none" ? .null : .string(text))
    case .version, .scheme, .models: return value(isNone ? .null : .string(text))
    case .schemes:
      return value(
        .array(
          Self.elements(of: text).map { scheme in
            value(
              .object(
                ["name", "value"].map {
                  JSONValue.Member(
                    name: $0, position: SettingEdit.position, value: value(.string(scheme)))
                }))
          }))
    case .links: return value(.array(Self.elements(of: text).map { value(.string($0)) }))
    case .services(let services):
      let names = Self.elements(of: text).map { word in
        services.lazy.compactMap { self.name(ofServiceSaying: word, added: $0.add) }.first ?? word
      }
      return value(.array(names.map { value(.string($0)) }))
    case nil: return value(.string(text))
    }
  }

  private static func elements(of text: String) -> [String] {
    guard text.lowercased() != "none" else { return [] }
    return text.split { $0 == ";" || $0 == "," }.map { String($0).trimmed }
  }

  /// Returns Graph's name of the service that `add` adds to the list; nil if the admin centre does not call this
  /// service `words`.
  private func name(
    ofServiceSaying words: String, added add: SettingDomain.Change
  ) -> String? {
    var settings = Settings()
    add(&settings)
    guard settings.words(for: self).map(AdminCentreLabel.normal) == AdminCentreLabel.normal(words),
      case .texts(let names) = settings.graphValue(of: self)
    else { return nil }
    return names.first
  }
}

extension GraphValue {
  var json: JSONValue {
    var writer = JSONWriter()
    write(to: &writer)
    return (try? JSONReader.read(writer.text)) ?? SettingEdit.null
  }
}
