internal import Encodings
internal import Model
internal import Output

/// Formats values of settings in the words of the admin centre.
enum DisplayText {
  static func block(_ isBlocked: Bool) -> String { isBlocked ? "Block" : "Allow" }

  static func require(_ isRequired: Bool) -> String { isRequired ? "Require" : "Not required" }

  static func scheme(_ scheme: String) -> String { scheme.isEmpty ? "none" : scheme }

  static func version(_ version: Version?) -> String { version?.description ?? "none" }

  static func list(_ words: [String], separator: String = ", ") -> String {
    words.isEmpty ? "none" : words.joined(separator: separator)
  }

  static func state(_ state: Settings.ConfigurationState?) -> String {
    state.map { block($0 == .blocked) } ?? "not configured"
  }

  static func action(_ action: Settings.Remediation?) -> String {
    action?.words ?? "not configured"
  }

  /// Formats a period as ``PeriodText`` does, such as `12 hours`. If the period is 0, returns `zero`.
  static func period(_ seconds: Int, zero: String) -> String {
    seconds == 0 ? zero : PeriodText.words(ofSeconds: seconds)
  }
}

/// Formats and parses periods as administrators write them, such as `12 hours`.
package enum PeriodText {
  package enum Unit: String, Sendable, CaseIterable {
    // From the largest to the smallest.
    case day, hour, minute, second

    /// The length of the unit in seconds.
    fileprivate var length: Int {
      switch self {
      case .day: 86_400
      case .hour: 3_600
      case .minute: 60
      case .second: 1
      }
    }

    fileprivate var shortForms: [String] {
      switch self {
      case .day: ["d"]
      case .hour: ["h", "hr", "hrs"]
      case .minute: ["m", "min", "mins"]
      case .second: ["s", "sec", "secs"]
      }
    }

    fileprivate init?(named name: String) {
      let unit = Self.allCases.first { unit in
        name == unit.rawValue || name == unit.plural || unit.shortForms.contains(name)
      }
      guard let unit else { return nil }
      self = unit
    }

    package var plural: String { "\(rawValue)s" }
  }

  /// Returns a period as a whole number of the largest possible unit, such as `12 hours`.
  package static func words(ofSeconds seconds: Int) -> String {
    let unit = Unit.allCases.first { seconds.isMultiple(of: $0.length) } ?? .second
    let count = seconds / unit.length
    return "\(count) \(count == 1 ? unit.rawValue : unit.plural)"
  }

  /// Parses a period such as `12 hours`, `720 min` or `90d`, and returns its length in seconds. An empty text, `no`,
  /// `none` and `not required` are 0. Nil for other texts, and for numbers above 1,000,000.
  ///
  /// - Parameter unit: The unit to assume if the text has none.
  package static func seconds(in text: String, _ unit: Unit) -> Int? {
    let text = text.lowercased().filter { !$0.isWhitespace }
    if ["", "no", "none", "notrequired"].contains(text) { return 0 }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let name = String(text.dropFirst(digits.count))
    guard let count = Int(digits), count <= 1_000_000,
      let stated = name.isEmpty ? unit : Unit(named: name)
    else { return nil }
    return count * stated.length
  }
}

extension BrowserChoice {
  var words: String {
    switch self {
    case .any: "Any app"
    case .unmanaged: "Unmanaged browser"
    case .managed: "Microsoft Edge"
    }
  }
}

extension Settings.ClipboardLevel {
  var words: String {
    switch self {
    case .allApps: "Any app"
    case .managedAppsWithPasteIn: "Policy managed apps with paste in"
    case .managedApps: "Policy managed apps"
    case .blocked: "Blocked"
    }
  }
}

extension Settings.StorageService {
  var words: String {
    switch self {
    case .oneDriveForBusiness: "OneDrive for Business"
    case .sharePoint: "SharePoint"
    case .box: "Box"
    case .localStorage: "Local Storage"
    case .photoLibrary: "Photo Library"
    case .iManage: "iManage"
    case .egnyte: "Egnyte"
    }
  }
}

extension Settings.IngestionService {
  var words: String {
    switch self {
    case .oneDriveForBusiness: "OneDrive for Business"
    case .sharePoint: "SharePoint"
    case .camera: "Camera"
    case .photoLibrary: "Photo Library"
    case .box: "Box"
    case .iManage: "iManage"
    case .egnyte: "Egnyte"
    }
  }
}

extension Settings.DialerLevel {
  var words: String {
    switch self {
    case .allApps: "Any dialer app"
    case .customApp: "A specific dialer app"
    case .managedApps: "Any policy-managed dialer app"
    case .blocked: "None, do not transfer this data between apps"
    }
  }
}

extension Settings.MessagingRedirect {
  var words: String {
    switch self {
    case .anyApp: "Any messaging app"
    case .specificApps: "A specific messaging app"
    case .anyManagedApp: "Any policy-managed messaging app"
    case .blocked: "None, do not transfer this data between apps"
    }
  }
}

extension Settings.NotificationRestriction {
  var words: String {
    switch self {
    case .allow: "Allow"
    case .blockOrganizationalData: "Block org Data"
    case .block: "Block"
    }
  }
}

extension Settings.Encryption {
  var words: String {
    switch self {
    case .useDeviceSettings: "Use device settings"
    case .afterDeviceRestart: "After device restart"
    case .whenDeviceLockedExceptOpenFiles: "When device is locked and there are open files"
    case .whenDeviceLocked: "When device is locked"
    }
  }
}

extension Settings.PINCharacters {
  var words: String {
    switch self {
    case .numeric: "Numeric"
    case .alphanumericAndSymbol: "Passcode"
    }
  }
}

extension Settings.Remediation {
  var words: String {
    switch self {
    case .warn: "Warn"
    case .block: "Block access"
    case .wipe: "Wipe data"
    }
  }
}

extension Settings.ThreatLevel {
  var words: String {
    switch self {
    case .notConfigured: "not configured"
    case .high: "High"
    case .medium: "Medium"
    case .low: "Low"
    case .secured: "Secured"
    }
  }
}

// MARK: - Choices that cover several properties

/// The choices of the setting "Send org data to other apps", which sets three properties in Graph.
enum SendChoice: String, CaseIterable {
  // From the strictest to the most permissive.
  case none = "None"
  case filtering = "Policy managed apps with Open-In/Share filtering"
  case managedApps = "Policy managed apps"
  case osSharing = "Policy managed apps with OS sharing"
  case allApps = "All apps"

  /// Creates the choice to which the three properties in `settings` correspond. If both flags are true, a combination
  /// that the admin centre does not offer, the choice is filtering (assumed).
  init(of settings: Settings) {
    self =
      switch settings.allowedOutboundDataTransferDestinations {
      case .none: .none
      case .allApps: .allApps
      case .managedApps where settings.filterOpenInToOnlyManagedApps: .filtering
      case .managedApps where settings.disableProtectionOfManagedOutboundOpenInData: .osSharing
      case .managedApps: .managedApps
      }
  }

  func apply(to settings: inout Settings) {
    settings.allowedOutboundDataTransferDestinations =
      switch self {
      case .none: .none
      case .allApps: .allApps
      case .filtering, .managedApps, .osSharing: .managedApps
      }
    settings.filterOpenInToOnlyManagedApps = self == .filtering
    settings.disableProtectionOfManagedOutboundOpenInData = self == .osSharing
  }
}

/// The choices of the setting "Receive data from other apps", which sets two properties in Graph.
enum ReceiveChoice: String, CaseIterable {
  // From the strictest to the most permissive.
  case none = "None"
  case managedApps = "Policy managed apps"
  case incomingOrgData = "All apps with incoming Org data"
  case allApps = "All apps"

  init(of settings: Settings) {
    self =
      switch settings.allowedInboundDataTransferSources {
      case .none: .none
      case .managedApps: .managedApps
      case .allApps where settings.protectInboundDataFromUnknownSources: .incomingOrgData
      case .allApps: .allApps
      }
  }

  func apply(to settings: inout Settings) {
    settings.allowedInboundDataTransferSources =
      switch self {
      case .none: .none
      case .managedApps: .managedApps
      case .incomingOrgData, .allApps: .allApps
      }
    settings.protectInboundDataFromUnknownSources = self == .incomingOrgData
  }
}

/// The choices of the setting "Restrict web content transfer with other apps", which sets three properties in Graph.
enum BrowserChoice: Hashable {
  // From the most permissive to the strictest.
  case any
  case unmanaged(scheme: String)
  case managed

  init(of settings: Settings) {
    self =
      if settings.managedBrowser == .microsoftEdge {
        .managed
      } else if let scheme = settings.browserScheme {
        .unmanaged(scheme: scheme)
      } else {
        settings.managedBrowserToOpenLinksRequired ? .managed : .any
      }
  }

  /// Sets the browser properties in `settings` to the strictest choice of the policies in `all`. This is needed because
  /// each property was first merged separately, which may result in another choice.
  ///
  /// From mildest to strictest, the choices are any browser, an unmanaged browser and the managed browser. Two
  /// different unmanaged browsers merge to the managed browser.
  static func resolve(_ all: [Settings], into settings: inout Settings) {
    let choices = Set(all.map(BrowserChoice.init))
    let schemes = Set(
      choices.compactMap { if case .unmanaged(let scheme) = $0 { scheme } else { nil } })
    let isManaged = choices.contains(.managed) || schemes.count > 1
    if !isManaged { settings.customBrowserProtocol = schemes.first ?? "" }
    if isManaged, !schemes.isEmpty {
      settings.managedBrowserToOpenLinksRequired = true
      settings.customBrowserProtocol = ""
    }
  }
}

// MARK: - Labels

/// Recognises labels and words of the admin centre that a policy uses in place of Graph's properties and values.
///
/// Authors of hand-written policies often copy the admin centre's labels.
enum AdminCentreLabel {
  /// Returns the end of a warning about an unknown property whose name is, or resembles, an admin centre label; nil if
  /// it resembles no label. The text states Graph's properties for the label. If the property's value is also in the
  /// admin centre's words, the text includes Graph's values.
  static func remedy(for member: JSONValue.Member) -> String? {
    var steps = 0
    guard let label = vocabulary.nearest(to: member.name, &steps), let settings = byLabel[label]
    else { return nil }
    let value = member.value.string.flatMap { text in written(text, of: settings) }
    let names = value ?? ListFormat.all(of: settings.map { "`\($0.rawValue)`" })
    return "; in Graph, `\(label)` of the admin centre is \(names)"
  }

  /// Returns, in JSON, the properties and values of Graph that the admin centre displays as `words`; nil if there are
  /// none.
  static func written(_ words: String, of settings: [Setting]) -> String? {
    let wanted = normal(words)
    for candidate in combinations(of: settings) {
      let isMeant = settings.contains { candidate.words(for: $0).map(normal) == wanted }
      guard isMeant else { continue }
      let changed = settings.filter {
        SettingTable.row(of: $0).reading?.agrees(candidate, Settings()) == false
      }
      let shown = changed.isEmpty ? Array(settings.prefix(1)) : changed
      return ListFormat.all(
        of: shown.map { "`\"\($0.rawValue)\": \(json(of: $0, in: candidate))`" })
    }
    return nil
  }

  /// Returns settings for each combination of values of the given settings. The combinations that set the fewest of them
  /// come first.
  static func combinations(of settings: [Setting]) -> [Settings] {
    var all: [(settings: Settings, changes: Int)] = [(Settings(), 0)]
    for setting in settings {
      let variants = setting.domain?.values ?? []
      all += all.flatMap { base in
        variants.map { variant in
          var settings = base.settings
          variant(&settings)
          return (settings, base.changes + 1)
        }
      }
    }
    return all.enumerated().sorted {
      ($0.element.changes, $0.offset) < ($1.element.changes, $1.offset)
    }.map(\.element.settings)
  }

  private static func json(of setting: Setting, in settings: Settings) -> String {
    var writer = JSONWriter()
    settings.graphValue(of: setting)?.write(to: &writer)
    return writer.text
  }

  /// Returns the text in lower case, with only its letters and digits.
  static func normal(_ words: String) -> String {
    words.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The settings of policies by their admin centre label. Several settings may share a label.
  private static let byLabel = Dictionary(
    grouping: SettingTable.entries.map(\.setting), by: \.label)
  private static let vocabulary = Vocabulary(byLabel.keys)
}
