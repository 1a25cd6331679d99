package import Encodings
internal import GraphDocuments
package import Model
internal import Output
package import Policy

/// A policy in the layout of the Intune admin centre, with the source location of every stated value.
package struct PolicyView: Sendable {
  /// The policies that the view shows, with their positions in their files; several if the view merges them.
  package let sources: [ViewedPolicy]
  package let sections: [Section]

  package struct ViewedPolicy: Sendable, Hashable {
    package let name: String
    package let file: String
    package let position: Position
  }

  /// A page of the admin centre.
  package struct Section: Sendable, Hashable {
    package let name: String
    package let rows: [Row]
  }

  /// A label in the admin centre, with its value.
  package struct Row: Sendable, Hashable {
    package let label: String
    package let words: String
    /// The locations that state the value; empty if Graph's default applies.
    package let places: [Location]
    /// The Graph properties that belong to the label; empty in rows about targeting.
    package let values: [Value]

    /// The abbreviated locations, such as `a.json:4, :5, b.json:9`. A file is named only if it
    /// differs from the previous location's file.
    fileprivate var placeText: String {
      var file: String?
      return places.map { place in
        defer { file = place.file }
        return place.file == file ? ":\(place.line)" : place.description
      }.joined(separator: ", ")
    }
  }

  package struct Location: Sendable, Hashable, CustomStringConvertible {
    package let file: String
    package let line: Int

    package var description: String { "\(file):\(line)" }
  }

  package struct Value: Sendable, Hashable {
    package let setting: Setting
    package let value: GraphValue
    /// The location that states the value; nil if the default applies.
    package let place: Location?
  }

  package init(of document: PolicyDocument) {
    self.init([document], document.effective)
  }

  /// Creates the merged view of policies that all apply, with each setting's most restrictive value.
  package init(merging documents: [PolicyDocument]) {
    self.init(documents, EffectivePolicy.merging(documents))
  }

  private init(_ documents: [PolicyDocument], _ policy: EffectivePolicy) {
    sources = documents.map {
      ViewedPolicy(name: $0.displayName, file: $0.file, position: $0.position)
    }
    sections =
      SettingPage.allCases.map { section in
        Section(name: section.rawValue, rows: section.lines.map { Row($0, in: policy) })
      } + [Section(name: "Targeting", rows: documents.flatMap(Row.targeting))]
  }
}

extension PolicyView.Row {
  fileprivate init(_ line: SettingPage.Line, in policy: EffectivePolicy) {
    label =
      line.settings[0].label + (line.qualifier.map { ": \($0)" } ?? "")
    values = line.settings.map { setting in
      PolicyView.Value(
        setting: setting, value: policy.settings.graphValue(of: setting)?.listed ?? .null,
        place: policy.locations(of: setting).first.map { .init(file: $0.file, line: $0.line) })
    }
    words = policy.settings.words(for: line.settings[0]) ?? values[0].value.description
    var places: [PolicyView.Location] = []
    for origin in line.settings.flatMap(policy.locations) {
      let place = PolicyView.Location(file: origin.file, line: origin.line)
      if !places.contains(place) { places.append(place) }
    }
    let files = places.map(\.file).unique
    self.places = files.flatMap { file in places.filter { $0.file == file } }
  }

  /// Returns the rows for a document's targeting. A row has the location of its property, or of the document if the
  /// file does not state the property.
  fileprivate static func targeting(_ document: PolicyDocument) -> [PolicyView.Row] {
    let targeting = document.targeting
    let bundleIDs = targeting.bundleIDs.sorted().joined(separator: ", ")
    let levels = targeting.levels?.map(\.words).sorted().joined(separator: ", ") ?? "All"
    let rows: [(Targeting.Property, label: String, words: String)] = [
      (.appGroupType, "Target policy to", targeting.appGroup.words),
      (.apps, "Apps", bundleIDs.isEmpty ? "none" : bundleIDs),
      (.targetedAppManagementLevels, "Device types", levels.isEmpty ? "none of iOS" : levels),
    ]
    return rows.map { property, label, words in
      let line = document.targetingLines[property] ?? document.position.line
      return PolicyView.Row(
        label: label, words: words, places: [.init(file: document.file, line: line)], values: [])
    }
  }
}

extension GraphValue {
  /// The value with its lists sorted. URL schemes become texts, without the names that Graph stores with them.
  fileprivate var listed: GraphValue {
    switch self {
    case .texts(let texts), .schemes(let texts): .texts(texts.sorted())
    case .null, .flag, .number, .text: self
    }
  }
}

extension Targeting.AppGroup {
  fileprivate var words: String {
    switch self {
    case .selectedPublicApps: "Selected apps"
    case .allCoreMicrosoftApps: "Core Microsoft Apps"
    case .allMicrosoftApps: "All Microsoft Apps"
    case .allApps: "All Apps"
    }
  }
}

extension Targeting.Level {
  fileprivate var words: String {
    switch self {
    case .unspecified: "All"
    case .unmanaged: "Unmanaged"
    case .mdm: "Managed"
    }
  }
}

// MARK: - Text

extension PolicyView {
  /// The policy as text with a final line break. It has a title for each source, and sections with a line for each
  /// label.
  ///
  /// A line contains the value, followed by the location that states the value, or by `default`.
  package var text: String {
    var lines = sources.map { "\($0.name) (\($0.file):\($0.position.line))" }
    if lines.count > 1 { lines.insert("The most restrictive values of", at: 0) }
    let rows = sections.flatMap(\.rows)
    let labelWidth = rows.map(\.label.count).max() ?? 0
    let wordsWidth = min(rows.map(\.words.count).max() ?? 0, Self.widestColumn)
    for section in sections {
      lines += ["", section.name]
      for row in section.rows {
        let place = row.placeText
        lines.append(
          "  " + Self.pad(row.label, to: labelWidth) + "  " + Self.pad(row.words, to: wordsWidth)
            + "  " + (place.isEmpty ? "default" : place))
      }
    }
    return lines.map { $0.escapingUnprintable() }.joined(separator: "\n") + "\n"
  }

  /// The maximum width of the value column. A longer value moves its location to the right.
  private static let widestColumn = 48

  private static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

// MARK: - JSON

extension PolicyView {
  /// Writes the policy as one JSON object with the members `policies` and `sections`.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.objects("policies", of: sources) { writer, source in
        writer.member("name", source.name)
        writer.member("file", source.file)
        writer.member("line", source.position.line)
      }
      writer.objects("sections", of: sections) { writer, section in
        writer.member("name", section.name)
        writer.objects("settings", of: section.rows) { writer, row in
          writer.member("label", row.label)
          writer.member("value", row.words)
          writer.strings("stated", row.places.map(\.description))
          writer.objects("properties", of: row.values) { writer, value in
            writer.member("name", value.setting.rawValue)
            writer.member(named: "value") { value.value.write(to: &$0) }
            writer.member("file", value.place?.file)
            writer.member("line", value.place?.line)
            writer.member("isDefault", value.place == nil)
          }
        }
      }
    }
  }
}
