extension Action {
  /// A URL that an app opens.
  public struct OpenURL: StepDetail {
    /// The name of the guest that opens the URL.
    public var from: String
    public var url: String
    /// Whether the app states that the scheme is a managed app's.
    public var isKnownManagedScheme: Bool
  }
}

extension Action.OpenURL {
  public var actingGuest: String? { from }

  public var text: String { "\(from) opens `\(short(url))`" }
}

extension Action.OpenURL {
  static let step = StepRow(
    "Open a URL in the app that claims it as a universal link, in its App Clip, or in the app that registered its scheme",
    .mapping(MappingRow("openURL", Key.self)),
    example: #"{"from": "mail", "url": "https://example.org/"}"#,
    [
      "`openURL: { from, url }`":
        "open a URL in the app that claims it as a universal link, in its App Clip, or in the app that registered its scheme; `knownManagedScheme: true`: the app says that the scheme is a managed app's, which counts where no app on the device opens it. Under \"Policy managed apps\" a managed app gets it by the `-intunemam` twin of its scheme, and without that the step ends as `failed`"
    ],
    by: .task, expects: .request
  ) { (value, names) throws(Mistake) in .openURL(try Action.OpenURL(value, names)) }

  enum Key: String, MappingKey {
    case from, url, knownManagedScheme

    var row: KeyRow {
      switch self {
      case .from: .guest
      case .url: .required(.name(matching: #"^[A-Za-z][A-Za-z0-9+.-]*:"#), "The URL")
      case .knownManagedScheme:
        .optional(.flag, "The app says that the scheme is a managed app's. Default: false")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "opening a URL")
    let url = try fields.required(.url)
    let text = try url.text()
    guard let colon = text.firstIndex(of: ":"), Name.isScheme(String(text[..<colon])) else {
      throw url.mistake(
        .invalidValue, "`url` must begin with a scheme and a colon, found `\(text)`")
    }
    self.init(
      from: try names.guest(fields.required(.from)), url: text,
      isKnownManagedScheme: try fields[.knownManagedScheme]?.bool() ?? false)
  }
}
