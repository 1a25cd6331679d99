/// The facts about a channel, in one place.
public struct ChannelRow: Sendable {
  /// The kind of thing at the other end.
  public let counterpart: Channel.Counterpart
  /// The channel in a word or a few, as the head of a row.
  public let title: String
  /// The other end in words.
  public let counterpartWords: String
  /// The operation by which a guest asks for the channel.
  public let operation: Operation
  /// The step of scenarios that takes the channel; nil where none does, because the channel follows from others.
  public let step: String?
  /// Whether data comes in to the app that asks, rather than leaving it.
  public let isIncoming: Bool
  /// Whether the SDK's sharing and the system's are two ways.
  public let hasTwoPaths: Bool
  /// The carrier that takes what goes by the channel to another device; nil for channels that end on this one.
  public let carrier: Carrier?
  /// The word that scenarios have for the channel; nil where scenarios use the channel's own name.
  public let alias: String?

  /// A channel between two apps.
  fileprivate static func app(
    _ title: String, _ operation: Operation, step: String?, isIncoming: Bool = false,
    hasTwoPaths: Bool = true, alias: String? = nil
  ) -> ChannelRow {
    ChannelRow(
      counterpart: .app, title: title, counterpartWords: "another app", operation: operation,
      step: step, isIncoming: isIncoming, hasTwoPaths: hasTwoPaths, carrier: nil, alias: alias)
  }

  /// A channel by a URL.
  fileprivate static func url(_ title: String, _ operation: Operation) -> ChannelRow {
    ChannelRow(
      counterpart: .url, title: title, counterpartWords: "whoever opens the URL",
      operation: operation, step: "openURL", isIncoming: false, hasTwoPaths: false, carrier: nil,
      alias: nil)
  }

  /// A channel to or from storage.
  fileprivate static func location(
    _ title: String, _ operation: Operation, step: String, isIncoming: Bool = false
  ) -> ChannelRow {
    ChannelRow(
      counterpart: .location, title: title, counterpartWords: "a storage location",
      operation: operation, step: step, isIncoming: isIncoming, hasTwoPaths: false, carrier: nil,
      alias: nil)
  }

  /// A channel to the system, or from it.
  fileprivate static func system(
    _ title: String, _ counterpartWords: String, _ operation: Operation, isIncoming: Bool = false,
    carrier: Carrier? = nil
  ) -> ChannelRow {
    ChannelRow(
      counterpart: .system, title: title, counterpartWords: counterpartWords,
      operation: operation, step: "use", isIncoming: isIncoming, hasTwoPaths: false,
      carrier: carrier, alias: nil)
  }
}

extension Channel {
  /// The channel's facts, stated for every channel; a missing one does not compile.
  public var row: ChannelRow {
    switch self {
    // Between two apps
    case .share: .app("Share", .share, step: "share")
    case .openIn: .app("Open in", .openIn, step: "share")
    case .import: .app("Import", .import, step: "import", isIncoming: true)
    case .extensionResult: .app("Extension result", .completeExtension, step: nil)
    case .dragAndDrop: .app("Drag and drop", .dragAndDrop, step: "drop", alias: "drop")
    case .clipboard: .app("Paste", .paste, step: "paste", hasTwoPaths: false, alias: "paste")
    case .contactRead:
      .app(
        "Contacts read by another app", .contactRead, step: "readContacts", isIncoming: true,
        hasTwoPaths: false)

    // By a URL
    case .openURL: .url("URL", .openURL)
    case .universalLink: .url("Universal link", .universalLink)
    case .appClip: .url("App Clip link", .appClip)

    // To and from storage
    case .saveTo: .location("Save to", .saveTo, step: "saveTo")
    case .openFrom: .location("Open from", .openFrom, step: "openFrom", isIncoming: true)

    // To the system
    case .documentPickerExport:
      .system("Document picker, export", "the document picker", .documentPickerExport)
    case .documentPickerImport:
      .system(
        "Document picker, import", "the document picker", .documentPickerImport, isIncoming: true)
    case .mailComposer:
      .system("Mail composer", "the mail composer", .mailComposer, carrier: .mail)
    case .messageComposer:
      .system("Message composer", "the message composer", .messageComposer, carrier: .message)
    case .print: .system("Print", "a printer", .print)
    case .notification: .system("Notification", "a notification", .notification)
    case .contactSync:
      .system("Contacts to the device's own", "the device's contacts", .contactSync)
    case .widget: .system("Widget", "a widget", .widget)
    case .spotlight: .system("Spotlight", "Spotlight", .spotlight)
    case .siriIntents: .system("Siri intents", "Siri", .siriIntents)
    case .appIntents: .system("App Intents", "an App Intent", .appIntents)
    case .backup: .system("Backup", "the device's backup", .backup)
    case .screenCapture: .system("Screen capture", "a screen capture", .screenCapture)
    case .writingTools: .system("Writing Tools", "Writing Tools", .writingTools)
    case .genmoji: .system("Genmoji", "Genmoji", .genmoji)
    case .keyboard: .system("Third-party keyboard", "a third-party keyboard", .keyboard)
    case .webView: .system("Web view", "a web view", .webView)
    case .safariExtension:
      .system("Safari web extension", "the app's Safari web extension", .safariExtension)
    case .fileEncryption:
      .system("File in the app's container", "a file in the app's container", .fileEncryption)
    }
  }

  /// The kind of thing at the other end.
  public var counterpart: Counterpart { row.counterpart }
  /// Whether data comes in to the app that asks, rather than leaving it.
  public var isIncoming: Bool { row.isIncoming }
  /// The carrier that takes what goes by the channel to another device; nil for channels that end on this one.
  public var carrier: Carrier? { row.carrier }
}

/// Names in files and on the command line.
extension Channel {
  /// The channel of that name, or of the word that scenarios have for it: `paste` is `clipboard`; nil where none is.
  public init?(named name: String) {
    guard let channel = Channel(rawValue: name) ?? Self.aliases[name] else { return nil }
    self = channel
  }

  /// Every name that ``init(named:)`` knows.
  public static let names = allCases.map(\.rawValue) + aliases.keys.sorted()

  private static let aliases = Dictionary(
    uniqueKeysWithValues: allCases.compactMap { channel in
      channel.row.alias.map { ($0, channel) }
    })
}
