/// The way by which data asks to move, or to be shown to others than its owner.
public enum Channel: String, Sendable, CaseIterable {
  // Between two apps
  /// An item offered to another app or to an extension.
  case share
  /// A document opened in another app.
  case openIn
  /// An item that the receiving app asks another app for.
  case `import`
  /// An item that an extension hands back to the app that called it.
  case extensionResult
  /// Content dragged from one app and dropped in another.
  case dragAndDrop
  /// Content pasted from the device's pasteboard.
  case clipboard
  /// Contacts that the sender's accounts hold, read by another app.
  case contactRead

  // By a URL
  /// A URL handed to the app that registered its scheme; also `tel`, `sms` and web links.
  case openURL
  /// A web link that an installed app claims as a universal link.
  case universalLink
  /// A web link that invokes an App Clip.
  case appClip

  // To and from storage
  /// A copy saved to a storage location.
  case saveTo
  /// A document opened from a storage location.
  case openFrom
  /// A copy handed to the system's document picker: its modes export and move.
  case documentPickerExport
  /// A document taken from the system's document picker: its modes import and open.
  case documentPickerImport

  // To the system
  case mailComposer
  case messageComposer
  case print
  /// Org data shown in a notification.
  case notification
  /// Contacts written to the device's own contacts.
  case contactSync
  case widget
  case spotlight
  case siriIntents
  case appIntents
  /// The app's data in the device's backup.
  case backup
  case screenCapture
  case writingTools
  case genmoji
  /// Input through a keyboard of a third party.
  case keyboard
  /// Content uploaded to, or pasted into, a page in a web view.
  case webView
  /// Content handed to the app's own Safari web extension.
  case safariExtension
  /// A managed file written to the app's container.
  case fileEncryption

  /// The kind of thing at the other end of a channel.
  public enum Counterpart: Sendable {
    /// Another app, or an extension.
    case app
    /// The opener of the URL.
    case url
    case location
    /// The system, which is no app and has no account.
    case system
  }
}

// MARK: - Rows

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

// MARK: - Operations and their parts

/// A request that a guest can make to the device.
public enum Operation: String, Sendable, CaseIterable {
  // By a channel of the same name
  case share
  case openIn
  case `import`
  case dragAndDrop
  case contactRead
  case openURL
  case universalLink
  case appClip
  case saveTo
  case openFrom
  case documentPickerExport
  case documentPickerImport
  case mailComposer
  case messageComposer
  case print
  case notification
  case contactSync
  case widget
  case spotlight
  case siriIntents
  case appIntents
  case backup
  case screenCapture
  case writingTools
  case genmoji
  case keyboard
  case webView
  case safariExtension
  case fileEncryption

  case copy
  case paste
  /// A question whether an item that came in may be shown to the account that the guest acts for.
  case canReceive
  case keychainAdd
  case keychainQuery
  case keychainDelete
  case signIn
  case signOut
  /// `registerAndEnroll` and `loginAndEnroll`.
  case enroll
  case unenroll
  /// A request to make an account compliant with conditional access.
  case remediate
  case acquireToken
  case switchIdentity
  /// Opens a file, or asks for its owner.
  case openFile
  case moveFile
  case removeFile
  case protectData
  case unprotectData
  /// The checks of an account's policy before the account opens: at launch, on resuming and at a switch.
  case conditionalLaunch
  /// An extension takes an item that was shared with it.
  case loadItem
  case completeExtension
  /// An app has the system ask something of a VPN or single sign-on extension.
  case extensionCall
  // Between devices
  case airDrop
  /// An app opens what has come from another device, by AirDrop, mail or message.
  case openReceived
  /// What an app has copied is offered to the other devices of the user's Apple Account.
  case universalClipboard
  /// The configuration that an administrator provides for a managed app.
  case managedConfiguration
  case legacyManagedConfiguration
  case managedIdentifiers
  case managedPassword
  case managedCertificate
  case managedIdentity
  case managedSignature
  /// An app's report on its configuration.
  case managedReport

  /// The operation by which data takes `channel`.
  public init(_ channel: Channel) { self = channel.row.operation }
}

/// The way by which an item passes from one device to another.
public enum Carrier: String, Sendable, CaseIterable {
  case airDrop
  case mail
  case message
  /// What was copied on one of the user's devices can be pasted on the others.
  case universalClipboard
  /// A document in cloud storage, which all devices see under the account that owns it.
  case storage

  /// The ways by which documents come that an app can open.
  public static let opened: [Carrier] = [.airDrop, .mail, .message]
}

/// The code that carries a transfer: the SDK, which filters the app's own sharing UI, or the system, which
/// knows nothing of policies, so that the SDK can only encrypt the data that leaves.
public enum SharingPath: String, Sendable, CaseIterable {
  case sdk
  case os
}

/// A location that an app saves to or opens documents from. Raw values are the SDK's names, in lower camel case.
///
/// Source: Intune App SDK for iOS, `IntuneMAMSaveLocation` and `IntuneMAMOpenLocation`.
public enum StorageLocation: String, Sendable, CaseIterable {
  /// Every location without a name of its own; also the Files app and document pickers.
  case other
  case oneDriveForBusiness
  case sharePoint
  case box
  case dropbox
  case googleDrive
  /// The app's own container, to save to.
  case localDrive
  case cameraRoll
  /// Storage that belongs to an account of the app.
  case accountDocument
  case iManage
  case egnyte
  case camera
  /// The app's own container, to open from.
  case localStorage
  case photos

  /// The locations that `isSaveToAllowed(for:accountId:)` takes.
  public static let saveLocations: [StorageLocation] = [
    .other, .oneDriveForBusiness, .sharePoint, .box, .dropbox, .googleDrive, .localDrive,
    .cameraRoll, .accountDocument, .iManage, .egnyte,
  ]

  /// The locations that `isOpenFromAllowed(for:accountId:)` takes.
  public static let openLocations: [StorageLocation] = [
    .other, .oneDriveForBusiness, .sharePoint, .camera, .localStorage, .photos, .accountDocument,
    .box, .iManage, .egnyte,
  ]

  /// Whether the location can belong to an account. Where it cannot, nil is its only valid account.
  public var hasAccount: Bool {
    switch self {
    case .cameraRoll, .camera, .photos: false
    case .other, .oneDriveForBusiness, .sharePoint, .box, .dropbox, .googleDrive, .localDrive,
      .accountDocument, .iManage, .egnyte, .localStorage:
      true
    }
  }
}
