/// A channel through which data leaves its owner, transferred or shown.
public enum Channel: String, Sendable, CaseIterable {
  // Between two apps
  /// An item offered to another app or to an extension.
  case share
  /// A document opened in another app.
  case openIn
  /// An item that the receiving app requests from another app.
  case `import`
  /// An item that an extension returns to its calling app.
  case extensionResult
  /// Content dragged from one app and dropped in another.
  case dragAndDrop
  /// Content pasted from the device's pasteboard.
  case clipboard
  /// Contacts of the sender's accounts, read by another app.
  case contactRead

  // By URL
  /// A URL handed to the app that registered its scheme. Includes `tel`, `sms` and web links.
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
  /// A copy handed to the system's document picker, in its export and move modes.
  case documentPickerExport
  /// A document received from the system's document picker, in its import and open modes.
  case documentPickerImport

  // To the system
  case mailComposer
  case messageComposer
  case print
  /// Org data shown in a notification.
  case notification
  /// Contacts written to the device's contacts.
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
  /// Input through a third-party keyboard.
  case keyboard
  /// Content uploaded to, or pasted into, a web view.
  case webView
  /// Content handed to the app's own Safari web extension.
  case safariExtension
  /// A managed file written to the app's container.
  case fileEncryption

  /// The kind of endpoint at the far end of a channel.
  public enum Counterpart: Sendable {
    /// Another app or an extension.
    case app
    /// The app that opens the URL.
    case url
    case location
    /// The system, which is not an app and has no account.
    case system
  }
}

// MARK: - Rows

/// The properties of a channel.
public struct ChannelRow: Sendable {
  /// The kind of endpoint at the far end.
  public let counterpart: Channel.Counterpart
  /// The title of the channel's row in documents and reports.
  public let title: String
  /// A noun phrase for the far end, with its article.
  public let counterpartWords: String
  /// The operation by which a guest uses the channel.
  public let operation: Operation
  /// The scenario step that uses the channel; nil if the channel only follows from other steps.
  public let step: String?
  /// Whether data comes in to the requesting app instead of leaving it.
  public let isIncoming: Bool
  /// Whether SDK sharing and system sharing are distinct paths for the channel.
  public let hasTwoPaths: Bool
  /// The carrier to another device; nil if the channel ends on this device.
  public let carrier: Carrier?
  /// Another name for the channel in scenarios; nil if there is none.
  public let alias: String?

  fileprivate static func app(
    _ title: String, _ operation: Operation, step: String?, isIncoming: Bool = false,
    hasTwoPaths: Bool = true, alias: String? = nil
  ) -> ChannelRow {
    ChannelRow(
      counterpart: .app, title: title, counterpartWords: "another app", operation: operation,
      step: step, isIncoming: isIncoming, hasTwoPaths: hasTwoPaths, carrier: nil, alias: alias)
  }

  fileprivate static func url(_ title: String, _ operation: Operation) -> ChannelRow {
    ChannelRow(
      counterpart: .url, title: title, counterpartWords: "whoever opens the URL",
      operation: operation, step: "openURL", isIncoming: false, hasTwoPaths: false, carrier: nil,
      alias: nil)
  }

  fileprivate static func location(
    _ title: String, _ operation: Operation, step: String, isIncoming: Bool = false
  ) -> ChannelRow {
    ChannelRow(
      counterpart: .location, title: title, counterpartWords: "a storage location",
      operation: operation, step: step, isIncoming: isIncoming, hasTwoPaths: false, carrier: nil,
      alias: nil)
  }

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
  /// The channel's row. A channel without one does not compile.
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

    // By URL
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

  /// The kind of endpoint at the far end.
  public var counterpart: Counterpart { row.counterpart }
  /// Whether data comes in to the requesting app instead of leaving it.
  public var isIncoming: Bool { row.isIncoming }
  /// The carrier to another device; nil if the channel ends on this device.
  public var carrier: Carrier? { row.carrier }
}

/// Names in files and on the command line.
extension Channel {
  /// Creates the channel with a raw value or a scenario alias: `paste` is `clipboard`. Returns nil for any
  /// other name.
  public init?(named name: String) {
    guard let channel = Channel(rawValue: name) ?? Self.aliases[name] else { return nil }
    self = channel
  }

  /// The names that ``init(named:)`` accepts.
  public static let names = allCases.map(\.rawValue) + aliases.keys.sorted()

  private static let aliases = Dictionary(
    uniqueKeysWithValues: allCases.compactMap { channel in
      channel.row.alias.map { ($0, channel) }
    })
}

// MARK: - Operations, carriers and locations

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
  /// Asks whether a received item may be shown to the guest's acting identity.
  case canReceive
  case keychainAdd
  case keychainQuery
  case keychainDelete
  case signIn
  case signOut
  /// `registerAndEnroll` and `loginAndEnroll`.
  case enroll
  case unenroll
  /// Makes an account compliant with conditional access.
  case remediate
  case acquireToken
  case switchIdentity
  /// Opens a file, or returns its owner.
  case openFile
  case moveFile
  case removeFile
  case protectData
  case unprotectData
  /// The policy's checks before an account opens: at launch, on resuming and on an identity switch.
  case conditionalLaunch
  /// An extension loads an item shared with it.
  case loadItem
  case completeExtension
  /// An app calls a VPN or single sign-on extension through the system.
  case extensionCall
  // Between devices
  case airDrop
  /// An app opens an item received by AirDrop, mail or message.
  case openReceived
  /// Offers copied content to the other devices of the user's Apple Account.
  case universalClipboard
  /// The administrator's configuration for a managed app.
  case managedConfiguration
  case legacyManagedConfiguration
  case managedIdentifiers
  case managedPassword
  case managedCertificate
  case managedIdentity
  case managedSignature
  /// An app's report on its configuration.
  case managedReport

  /// Creates the operation that uses `channel`.
  public init(_ channel: Channel) { self = channel.row.operation }
}

/// The means by which an item passes from one device to another.
public enum Carrier: String, Sendable, CaseIterable {
  case airDrop
  case mail
  case message
  /// Content copied on one of the user's devices can be pasted on the others.
  case universalClipboard
  /// A document in cloud storage, visible on every device of the owning account.
  case storage

  /// The carriers whose documents an app can open.
  public static let opened: [Carrier] = [.airDrop, .mail, .message]
}

/// The code that carries a transfer: the SDK or the system.
///
/// The SDK filters the app's own sharing UI. The system knows no policies, so the SDK can only encrypt data
/// that leaves by it.
public enum SharingPath: String, Sendable, CaseIterable {
  case sdk
  case os
}

/// A storage location for saving or opening. Raw values are the SDK's names in lower camel case.
///
/// Source: Intune App SDK for iOS, `IntuneMAMSaveLocation` and `IntuneMAMOpenLocation`.
public enum StorageLocation: String, Sendable, CaseIterable {
  /// Any location without a name of its own, including the Files app and document pickers.
  case other
  case oneDriveForBusiness
  case sharePoint
  case box
  case dropbox
  case googleDrive
  /// The app's own container, for saving.
  case localDrive
  case cameraRoll
  /// Storage that belongs to an account of the app.
  case accountDocument
  case iManage
  case egnyte
  case camera
  /// The app's own container, for opening.
  case localStorage
  case photos

  /// The locations that `isSaveToAllowed(for:accountId:)` accepts.
  public static let saveLocations: [StorageLocation] = [
    .other, .oneDriveForBusiness, .sharePoint, .box, .dropbox, .googleDrive, .localDrive,
    .cameraRoll, .accountDocument, .iManage, .egnyte,
  ]

  /// The locations that `isOpenFromAllowed(for:accountId:)` accepts.
  public static let openLocations: [StorageLocation] = [
    .other, .oneDriveForBusiness, .sharePoint, .camera, .localStorage, .photos, .accountDocument,
    .box, .iManage, .egnyte,
  ]

  /// Whether the location can belong to an account. If false, nil is its only valid account.
  public var hasAccount: Bool {
    switch self {
    case .cameraRoll, .camera, .photos: false
    case .other, .oneDriveForBusiness, .sharePoint, .box, .dropbox, .googleDrive, .localDrive,
      .accountDocument, .iManage, .egnyte, .localStorage:
      true
    }
  }
}
