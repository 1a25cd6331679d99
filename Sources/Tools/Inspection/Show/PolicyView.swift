internal import GraphDocuments
public import JSON
public import Model
public import Policy

/// A policy laid out as the Intune admin centre shows it, with the place of everything that is stated.
public struct PolicyView: Sendable {
  /// The names of the policies, and the position of each; several where they are merged.
  public let sources: [Source]
  public let sections: [Section]

  /// A policy that the view shows.
  public struct Source: Sendable, Hashable {
    public let name: String
    public let file: String
    public let position: Position
  }

  /// A page of the admin centre.
  public struct Section: Sendable, Hashable {
    /// The admin centre's name of the page.
    public let name: String
    public let rows: [Row]
  }

  /// A label of the admin centre with its value.
  public struct Row: Sendable, Hashable {
    /// The admin centre's label.
    public let label: String
    /// The value in words.
    public let words: String
    /// The places that state the value; empty where Graph's default holds.
    public let places: [Place]
    /// The Graph properties behind the label; empty for targeting.
    public let values: [Value]
  }

  /// A line of a file.
  public struct Place: Sendable, Hashable, CustomStringConvertible {
    public let file: String
    public let line: Int

    /// The place as `file:line`.
    public var description: String { "\(file):\(line)" }
  }

  /// The value of a Graph property.
  public struct Value: Sendable, Hashable {
    public let setting: Setting
    public let value: GraphValue
    /// The place that states the value; nil: the default holds.
    public let place: Place?
  }

  /// Makes the view of one document alone.
  public init(of document: PolicyDocument) {
    self.init(
      [document], EffectivePolicy(settings: document.settings, origins: document.origins))
  }

  /// Makes the view of policies that are all targeted: of each setting, the most restrictive value.
  public init(merging documents: [PolicyDocument]) {
    self.init(documents, EffectivePolicy.merging(documents))
  }

  private init(_ documents: [PolicyDocument], _ policy: EffectivePolicy) {
    sources = documents.map {
      Source(name: $0.displayName, file: $0.file, position: $0.position)
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
        place: policy.origins[setting].map { .init(file: $0.file, line: $0.line) })
    }
    words = policy.settings.words(for: line.settings[0]) ?? values[0].value.description
    var places: [PolicyView.Place] = []
    for place in values.compactMap(\.place) where !places.contains(place) { places.append(place) }
    self.places = places
  }

  /// The rows of a document's targeting. Their place is that of the document.
  fileprivate static func targeting(_ document: PolicyDocument) -> [PolicyView.Row] {
    let targeting = document.targeting
    let bundleIDs = targeting.bundleIDs.sorted().joined(separator: ", ")
    let levels = targeting.levels?.map(\.words).sorted().joined(separator: ", ") ?? "All"
    let place = PolicyView.Place(file: document.file, line: document.position.line)
    return [
      ("Target policy to", targeting.appGroup.words),
      ("Apps", bundleIDs.isEmpty ? "none" : bundleIDs),
      ("Device types", levels.isEmpty ? "none of iOS" : levels),
    ].map { PolicyView.Row(label: $0, words: $1, places: [place], values: []) }
  }
}

extension GraphValue {
  /// The value with lists in alphabetical order, and schemes without their names.
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
