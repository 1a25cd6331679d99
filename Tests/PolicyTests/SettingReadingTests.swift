import Model
import Policy
import PolicySupport
import TestSupport
import Testing

/// Tests the settings that a file's properties set.
struct SettingReadingTests {
  /// A property in a file, and its effect on the defaults.
  struct Row: Sendable, CustomTestStringConvertible {
    var setting: Setting
    var json: String
    var edit: @Sendable (inout Settings) -> Void

    init(_ setting: Setting, _ json: String, _ edit: @escaping @Sendable (inout Settings) -> Void) {
      self.setting = setting
      self.json = json
      self.edit = edit
    }

    /// Creates the row of a choice's value. Fails if the value has no name.
    init?(_ setting: Setting, _ value: @escaping SettingDomain.Change) {
      var settings = Settings()
      value(&settings)
      guard case .text(let word) = settings.graphValue(of: setting) else { return nil }
      self.init(setting, "\"\(word)\"", value)
    }

    var testDescription: String { "\(setting.rawValue): \(json)" }
  }

  /// The rows of settings whose kind determines their form in files.
  static let simple: [Row] = Setting.ofPolicies.flatMap { setting -> [Row] in
    switch setting.domain {
    case .flag(let path, _):
      [true, false].map { flag in Row(setting, "\(flag)") { $0[keyPath: path] = flag } }
    case .choice(let values): values.compactMap { Row(setting, $0) }
    case .count(let path):
      [
        Row(setting, "6") { $0[keyPath: path] = 6 },
        Row(setting, "6.0") { $0[keyPath: path] = 6 },
        Row(setting, "65535") { $0[keyPath: path] = 65535 },
      ]
    case .period(let path, _):
      [
        Row(setting, #""PT30M""#) { $0[keyPath: path] = 1800 },
        Row(setting, #""PT720M""#) { $0[keyPath: path] = 43200 },
        Row(setting, #""P90D""#) { $0[keyPath: path] = 7_776_000 },
      ]
    case .version(let path):
      [
        Row(setting, #""16.4.1""#) { $0[keyPath: path] = Version(16, 4, 1) },
        Row(setting, #""15""#) { $0[keyPath: path] = Version(15) },
        Row(setting, #""""#) { _ in }, Row(setting, #""0.0""#) { _ in },
      ]
    case .scheme(let path):
      [
        Row(setting, #""Skype:""#) { $0[keyPath: path] = "skype" },
        Row(setting, #""im""#) { $0[keyPath: path] = "im" }, Row(setting, #""""#) { _ in },
      ]
    case .links(let path):
      [
        Row(setting, #"["https://b.c/*", "HTTP://a.b", ""]"#) {
          $0[keyPath: path] = [LinkPattern("https://b.c/*"), LinkPattern("HTTP://a.b")]
        },
        Row(setting, #"[" https://*.a.b "]"#) {
          $0[keyPath: path] = [LinkPattern("https://*.a.b")]
        },
        Row(setting, #"["tel://"]"#) { $0[keyPath: path] = [LinkPattern("tel://")] },
      ]
    case .schemes(let path):
      [
        Row(setting, #"[{"name": "a", "value": "B;c:"}, {"name": "d", "value": ""}]"#) {
          $0[keyPath: path] = ["b", "c"]
        }
      ]
    case .models(let path):
      [
        Row(setting, #""iPhone14,5; iPad7,11 ;;""#) {
          $0[keyPath: path] = ["iphone14,5", "ipad7,11"]
        },
        Row(setting, #"" ; ""#) { _ in },
      ]
    case .services, nil: []
    }
  }

  static let services: [Row] = [
    Row(
      .allowedDataStorageLocations,
      """
      ["oneDriveForBusiness", "sharePoint", "box", "localStorage", "photoLibrary", "iManage", "egnyte"]
      """
    ) {
      $0.allowedDataStorageLocations = Set(Settings.StorageService.allCases)
    },
    Row(.allowedDataStorageLocations, #"["box", "unknownFutureValue", "box"]"#) {
      $0.allowedDataStorageLocations = [.box]
    },
    Row(.allowedDataStorageLocations, "[]") { _ in },
    Row(
      .allowedDataIngestionLocations,
      #"["oneDriveForBusiness", "sharePoint", "camera", "photoLibrary", "box", "iManage", "egnyte"]"#
    ) {
      $0.allowedDataIngestionLocations = Set(Settings.IngestionService.allCases)
    },
  ]

  /// Other spellings of a value, or of the absence of a value.
  static let synonyms: [Row] = [
    Row(.genmojiConfigurationState, #""unknownFutureValue""#) { _ in },
    Row(.appActionIfDeviceComplianceRequired, #""blockWhenSettingIsSupported""#) { _ in },
    Row(.appActionIfUnableToAuthenticateUser, #""blockWhenSettingIsSupported""#) {
      $0.appActionIfUnableToAuthenticateUser = .block
    },
  ]

  static let rows = simple + services + synonyms

  @Test(arguments: rows)
  func `each policy property is read as its setting with file and line`(row: Row) throws {
    let text = "{\"displayName\": \"A\",\n\"\(row.setting.rawValue)\": \(row.json)}"
    var expected = Settings()
    row.edit(&expected)
    let document = try PolicyReaderTests.document(text)
    #expect(document.settings == expected)
    #expect(document.origins == [row.setting: .init(file: "p.json", line: 2, policy: "A")])
    #expect(document.unknownProperties.isEmpty)
  }

  @Test(arguments: Set(rows.map(\.setting)))
  func `a setting with the value null counts as absent`(setting: Setting) throws {
    let document = try PolicyReaderTests.document("{\"\(setting.rawValue)\": null}")
    #expect(document.settings == Settings())
    #expect(document.origins.isEmpty)
  }

  @Test func `every policy setting is read from a file`() {
    #expect(Set(Self.rows.map(\.setting)) == Set(Setting.ofPolicies))
  }

  @Test(arguments: Setting.ofPolicies)
  func `a random value drawn for a setting changes only that setting's property`(setting: Setting) {
    var random = SeededGenerator(seed: 1)
    var isChanged = false
    for _ in 0..<50 {
      var settings = Settings()
      settings.draw(setting, using: &random)
      let changed = zip(
        Mirror(reflecting: settings).children, Mirror(reflecting: Settings()).children
      ).filter { "\($0.value)" != "\($1.value)" }.map { $0.0.label }
      #expect(changed.isEmpty || changed == [setting.rawValue])
      isChanged = isChanged || !changed.isEmpty
    }
    #expect(isChanged)
  }
}
