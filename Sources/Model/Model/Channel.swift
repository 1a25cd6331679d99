/// The kind of a transfer. Showing data, such as in a notification, also counts as a transfer.
public enum Channel: String, Sendable, CaseIterable {
  // Between two apps
  /// An item offered to another app or to an extension.
  case share
  case openIn
  /// An item that the receiving app requests from another app.
  case `import`
  /// An item that an extension returns to its calling app.
  case extensionResult
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
  case saveTo
  case openFrom
  /// A copy handed to the system's document picker, in its export and move modes.
  case documentPickerExport
  /// A document received from the system's document picker, in its import and open modes.
  case documentPickerImport

  // To the system
  case mailComposer
  case messageComposer
  case print
  case notification
  /// Contacts written to the device's contacts.
  case contactSync
  case widget
  case spotlight
  case siriIntents
  case appIntents
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

  /// The kind of endpoint with which the requesting app exchanges data.
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

/// The operation by which a guest offers an item to another guest. Raw values match the wire protocol.
public enum Way: UInt64, Sendable, CaseIterable {
  /// A copy is sent.
  case share = 0
  case openIn = 1
  case dragAndDrop = 2

  public var channel: Channel {
    switch self {
    case .share: .share
    case .openIn: .openIn
    case .dragAndDrop: .dragAndDrop
    }
  }
}

// MARK: - Rows

/// The properties of a channel. Each channel has one row.
public struct ChannelRow: Sendable {
  /// The kind of endpoint with which the requesting app exchanges data.
  public let counterpart: Channel.Counterpart
  /// The title of the channel's row in documents and reports.
  public let title: String
  /// A noun phrase for the counterpart, with its article.
  public let counterpartWords: String
  /// The operation by which a guest uses the channel.
  public let operation: Operation
  /// The scenario step that uses the channel directly; nil if the channel is used only as a consequence of other steps.
  public let step: String?
  /// Whether data enters the requesting app rather than leaving it.
  public let isIncoming: Bool
  /// Whether a request on the channel can take either of two paths: the app's own sharing UI with the SDK, or the
  /// system's UI.
  public let hasTwoPaths: Bool
  /// The transport to another device; nil if requests on the channel cannot address a device.
  public let transport: Transport?
  /// Another name for the channel in scenarios; nil if there is none.
  public let alias: String?

  fileprivate static func app(
    _ title: String, _ operation: Operation, step: String?, isIncoming: Bool = false,
    hasTwoPaths: Bool = true, alias: String? = nil
  ) -> ChannelRow {
    ChannelRow(
      counterpart: .app, title: title, counterpartWords: "another app", operation: operation,
      step: step, isIncoming: isIncoming, hasTwoPaths: hasTwoPaths, transport: nil, alias: alias)
  }

  fileprivate static func url(_ title: String, _ operation: Operation) -> ChannelRow {
    ChannelRow(
      counterpart: .url, title: title, counterpartWords: "the app that opens the URL",
      operation: operation, step: "openURL", isIncoming: false, hasTwoPaths: false, transport: nil,
      alias: nil)
  }

  fileprivate static func location(
    _ title: String, _ operation: Operation, step: String, isIncoming: Bool = false
  ) -> ChannelRow {
    ChannelRow(
      counterpart: .location, title: title, counterpartWords: "a storage location",
      operation: operation, step: step, isIncoming: isIncoming, hasTwoPaths: false, transport: nil,
      alias: nil)
  }

  fileprivate static func system(
    _ title: String, _ counterpartWords: String, _ operation: Operation, isIncoming: Bool = false,
    transport: Transport? = nil
  ) -> ChannelRow {
    ChannelRow(
      counterpart: .system, title: title, counterpartWords: counterpartWords,
      operation: operation, step: "use", isIncoming: isIncoming, hasTwoPaths: false,
      transport: transport, alias: nil)
  }
}

extension Channel {
  /// The channel's row. The switch has no default, so each channel must have a row.
  public var row: ChannelRow {
    switch self {
    // Between two apps
    case .share: .app("Share", .share, step: "share")
    case .openIn: .app("Open in", .openIn, step: "share")
    case .import: .app("Import", .import, step: "import", isIncoming: true)
    case .extensionResult: .app("Extension result", .completeExtension, step: nil)
    case .dragAndDrop:
      .app("Drag and drop", .dragAndDrop, step: "drop", alias: "drop")
    case .clipboard:
      .app("Paste", .paste, step: "paste", hasTwoPaths: false, alias: "paste")
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
      .system("Mail composer", "the mail composer", .mailComposer, transport: .mail)
    case .messageComposer:
      .system("Message composer", "the message composer", .messageComposer, transport: .message)
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

  public var counterpart: Counterpart { row.counterpart }
  /// Whether data enters the requesting app rather than leaving it.
  public var isIncoming: Bool { row.isIncoming }
  public var transport: Transport? { row.transport }
  /// The operation by which a guest offers an item on the channel; nil if guests do not offer items on it.
  package var way: Way? { Way.allCases.first { $0.channel == self } }
}

/// The names of channels in files and on the command line.
extension Channel {
  /// Creates the channel with this raw value or scenario alias, such as `paste` for `clipboard`. Returns nil for other
  /// names.
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

// MARK: - Operations

/// A kind of request to the device.
public enum Operation: String, Sendable, CaseIterable {
  // Operations named after their channel
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

  // Operations that are not named after a channel
  case copy
  case paste
  case canReceive
  case keychainAdd
  case keychainQuery
  case keychainDelete
  case signIn
  case signOut
  case enroll
  case unenroll
  case remediate
  case acquireToken
  case switchIdentity
  case openFile
  case moveFile
  case removeFile
  case protectData
  case unprotectData
  case conditionalLaunch
  case loadItem
  case completeExtension
  case extensionCall
  case airDrop
  case openReceived
  case universalClipboard
  case managedConfiguration
  case legacyManagedConfiguration
  case managedIdentifiers
  case managedPassword
  case managedCertificate
  case managedIdentity
  case managedSignature
  case managedReport

  public init(_ channel: Channel) { self = channel.row.operation }

  package enum Area: Sendable {
    /// Transfers on this device, which transfer rules decide, and queries about such transfers.
    case transfers
    /// Operations that no policy restricts: copying an item, and calling an extension with content. Policies apply to a
    /// copy only when it is pasted.
    case ungoverned
    /// Transfers to and from other devices.
    case devices
    case keychain
    /// Sign-in, sign-out, enrollment and tokens.
    case accounts
    /// The identity that an app acts for, and the checks before the app acts for it.
    case identities
    /// Files and protected data.
    case files
    /// Values that an administrator provides to managed apps.
    case managedApps
  }

  /// The endpoint with which the requesting guest exchanges data.
  package enum FarEnd: Sendable {
    /// Another app or an extension. The decision names it, unless the request failed before the device found it.
    case app
    /// The app that opens the URL. The decision names it only if the device found one.
    case opener
    /// The page in a web view.
    case page
    /// The system feature after which the operation is named.
    case system
    /// The storage location that the decision's subject names.
    case location
    case pasteboard
    /// The keychain group that the decision's subject names.
    case keychain
    /// The file that the decision's subject names.
    case file
    /// A file in the app's container, which the device encrypts.
    case encryptedFile
    /// The device that the decision's subject names.
    case device
    /// A device that the decision does not name. The decision's subject is the transport.
    case unnamedDevice
    /// The other devices of the user's Apple Account.
    case ownDevices
  }

  /// The content that the receiver gets if the request is allowed.
  package enum Delivery: Sendable {
    case item
    /// An item if the decision states a size. A request without a stated size is a query and delivers nothing.
    case itemOfStatedSize
    /// Nothing. The guest gets the data elsewhere, such as from the system.
    case permission
    /// Nothing. The request is a query, and no data moves.
    case answer
  }
}

/// The properties of an operation. Each operation has one row.
package struct OperationRow: Sendable {
  package let area: Operation.Area
  /// The endpoint with which the guest exchanges data; nil if the request concerns only the guest itself, its accounts
  /// or its administrator.
  package let farEnd: Operation.FarEnd?
  package let delivery: Operation.Delivery
  /// Whether the guest receives stored content: from a file, protected data or the keychain.
  package let returnsStoredContent: Bool
  /// The request's purpose, as a clause for the journal's schema; nil if the operation is named
  /// after its channel.
  package let summary: String?

  fileprivate init(
    _ area: Operation.Area, with farEnd: Operation.FarEnd? = nil,
    delivers delivery: Operation.Delivery = .item, returnsStoredContent: Bool = false,
    _ summary: String? = nil
  ) {
    self.area = area
    self.farEnd = farEnd
    self.delivery = delivery
    self.returnsStoredContent = returnsStoredContent
    self.summary = summary
  }
}

extension Operation {
  /// Returns whether the data stays under the account's policy: in a file in the app's container, or on a web page that
  /// acts for the account.
  ///
  /// - Parameter rule: The deciding rule, which shows whether a web page acts for the account; nil means that no page
  ///   does.
  package func staysWithAccount(decidedBy rule: Rule?) -> Bool {
    switch row.farEnd {
    case .page: rule == .webViewOfIdentity || rule == .webViewWithoutUpload
    case .encryptedFile: true
    case .app, .opener, .system, .location, .pasteboard, .keychain, .file, .device, .unnamedDevice,
      .ownDevices, nil:
      false
    }
  }

  package var row: OperationRow {
    switch self {
    // Operations named after their channel
    case .share, .openIn, .import, .dragAndDrop: OperationRow(.transfers, with: .app)
    // The decision names no app as the source of the contacts.
    case .contactRead: OperationRow(.transfers, with: .system, delivers: .permission)
    case .openURL, .universalLink, .appClip: OperationRow(.transfers, with: .opener)
    case .saveTo: OperationRow(.transfers, with: .location)
    case .openFrom: OperationRow(.transfers, with: .location, delivers: .itemOfStatedSize)
    case .documentPickerImport: OperationRow(.transfers, with: .system, delivers: .permission)
    case .documentPickerExport, .mailComposer, .messageComposer, .print, .notification,
      .contactSync, .widget, .spotlight, .siriIntents, .appIntents, .backup, .screenCapture,
      .writingTools, .genmoji, .keyboard, .safariExtension:
      OperationRow(.transfers, with: .system)
    case .webView: OperationRow(.transfers, with: .page)
    case .fileEncryption: OperationRow(.transfers, with: .encryptedFile)

    // Data
    case .copy:
      OperationRow(.ungoverned, with: .pasteboard, "copies an item to the pasteboard")
    case .paste:
      OperationRow(
        .transfers, with: .pasteboard, "pastes the item from the pasteboard")
    case .canReceive:
      OperationRow(
        .transfers, with: .app, delivers: .answer,
        "asks whether a received item may be shown to the account that the guest acts for")
    case .loadItem:
      OperationRow(
        .transfers, with: .app, "an extension loads an attachment as one of its types")
    case .completeExtension:
      OperationRow(
        .transfers, with: .app, "an extension returns an item")
    case .extensionCall:
      OperationRow(
        .ungoverned, with: .app, "calls an extension through the system")

    // Between devices
    case .airDrop: OperationRow(.devices, with: .device, "sends an item to another device")
    case .openReceived:
      OperationRow(
        .devices, with: .unnamedDevice, "opens an item that arrived by AirDrop, mail or message")
    case .universalClipboard:
      OperationRow(
        .devices, with: .ownDevices,
        "offers a copied item to the user's other devices, after `copy`")

    // Keychain
    case .keychainAdd: OperationRow(.keychain, with: .keychain, "adds an item to the keychain")
    case .keychainQuery:
      OperationRow(
        .keychain, with: .keychain, returnsStoredContent: true, "searches the keychain for an item")
    case .keychainDelete:
      OperationRow(.keychain, with: .keychain, "deletes an item from the keychain")

    // Accounts
    case .signIn: OperationRow(.accounts, "signs an account in to the app")
    case .signOut: OperationRow(.accounts, "signs an account out of the app, and wipes its data")
    case .enroll: OperationRow(.accounts, "`registerAndEnroll` and `loginAndEnroll`")
    case .unenroll: OperationRow(.accounts, "unenrolls an account")
    case .remediate: OperationRow(.accounts, "makes an account compliant with conditional access")
    case .acquireToken: OperationRow(.accounts, "gets an access token for an account")
    case .switchIdentity:
      OperationRow(.identities, "acts for another account, in a window or in the whole process")
    case .conditionalLaunch: OperationRow(.identities, "answers the prompt of a locked app")

    // Files
    case .openFile:
      OperationRow(
        .files, with: .file, returnsStoredContent: true,
        "gets access to a file's content, or asks for its owner")
    case .moveFile: OperationRow(.files, with: .file, "renames a file")
    case .removeFile: OperationRow(.files, with: .file, "removes a file")
    case .protectData: OperationRow(.files, "protects data for an account")
    case .unprotectData:
      OperationRow(.files, returnsStoredContent: true, "decrypts protected data")

    // Managed apps
    case .managedConfiguration:
      OperationRow(.managedApps, "gets the administrator's configuration of the app")
    case .legacyManagedConfiguration:
      OperationRow(
        .managedApps,
        "gets the administrator's configuration from `com.apple.configuration.managed`")
    case .managedIdentifiers:
      OperationRow(.managedApps, "lists the app's passwords, certificates or identities")
    case .managedPassword: OperationRow(.managedApps, "gets a password")
    case .managedCertificate: OperationRow(.managedApps, "gets a certificate")
    case .managedIdentity: OperationRow(.managedApps, "gets the certificate of an identity")
    case .managedSignature:
      OperationRow(.managedApps, "requests a signature made with an identity's key")
    case .managedReport:
      OperationRow(.managedApps, "reports whether the app accepts its configuration")
    }
  }
}

// MARK: - Transports and locations

/// A way to transfer an item between devices.
public enum Transport: String, Sendable, CaseIterable {
  case airDrop
  case mail
  case message
  /// Universal Clipboard: content copied on one of the user's devices, pasted on another device.
  case universalClipboard
  /// A document in cloud storage, visible on every device of the owning account.
  case storage

  /// The transports that deliver a document for an app to open.
  public static let opened: [Transport] = [.airDrop, .mail, .message]
}

/// The code that carries a transfer: the SDK or the system.
///
/// The SDK filters the app's own sharing UI. The system knows no policies, so the SDK can only
/// encrypt data that leaves through it.
public enum SharingPath: String, Sendable, CaseIterable {
  case sdk
  case os
}

/// A storage location for saving or opening. Raw values are the SDK's names in lower camel case.
///
/// Source: Intune App SDK for iOS, `IntuneMAMSaveLocation` and `IntuneMAMOpenLocation`.
public enum StorageLocation: String, Sendable, CaseIterable {
  /// Any location without its own case, including the Files app and document pickers.
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

  /// The location's name for users, in the form that follows "saves it to".
  public var title: String {
    switch self {
    case .other: "another location"
    case .oneDriveForBusiness: "OneDrive for Business"
    case .sharePoint: "SharePoint"
    case .box: "Box"
    case .dropbox: "Dropbox"
    case .googleDrive: "Google Drive"
    case .localDrive, .localStorage: "local storage"
    case .cameraRoll, .photos: "Photos"
    case .accountDocument: "account documents"
    case .iManage: "iManage"
    case .egnyte: "Egnyte"
    case .camera: "the camera"
    }
  }

  /// Returns a location and its account as text for users, such as `Box of anna@contoso.com`.
  ///
  /// - Parameters:
  ///   - name: A raw value. Other names, such as names of system features, are returned unchanged.
  ///   - account: The account's name; omitted if nil (no account) or `""` (unknown).
  public static func text(_ name: String, of account: String?) -> String {
    let title = StorageLocation(rawValue: name)?.title ?? name
    guard let account, !account.isEmpty else { return title }
    return "\(title) of \(account)"
  }

  /// Returns the location's name and account in a decision's subject, such as
  /// `` box of `anna@contoso.com` ``.
  ///
  /// - Returns: The account is nil if the subject states none, and `""` if it is unknown.
  public static func parts(ofSubject subject: String) -> (name: String, account: String?) {
    let parts = subject.split(separator: "`", omittingEmptySubsequences: false)
    return (String(subject.prefix { $0 != " " }), parts.count > 2 ? String(parts[1]) : nil)
  }

  /// Whether the location can belong to an account. If false, the account must be nil.
  public var hasAccount: Bool {
    switch self {
    case .cameraRoll, .camera, .photos: false
    case .other, .oneDriveForBusiness, .sharePoint, .box, .dropbox, .googleDrive, .localDrive,
      .accountDocument, .iManage, .egnyte, .localStorage:
      true
    }
  }
}
