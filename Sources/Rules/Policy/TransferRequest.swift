public import Model

/// The facts that decide one transfer, as plain values.
public struct TransferRequest: Sendable {
  public var channel: Channel
  public var via: SharingPath
  public var sender: Party
  /// The owner of the data.
  public var owner: Owner
  /// The receiver. At ``Channel/Counterpart/location``: the app itself, acting for the location's account where data
  /// is saved there (where data is opened from there, `sender` acts for that account). At
  /// ``Channel/Counterpart/system``: ``Party/system``.
  public var receiver: Party
  /// The policy of the sending app's managed account, whoever the app acts for now; nil where it has none. Only
  /// rules that hold for a whole app read it.
  public var appPolicy: EffectivePolicy?
  /// The account that ``appPolicy`` is for, which no rule reads; nil where it is not known.
  public var appAccount: Account?
  public var content: Content
  public var device: DeviceRestrictions

  /// Creates a request.
  public init(
    channel: Channel, via: SharingPath = .sdk, sender: Party, owner: Owner,
    receiver: Party = .system, appPolicy: EffectivePolicy? = nil, content: Content = Content(),
    device: DeviceRestrictions = DeviceRestrictions()
  ) {
    self.channel = channel
    self.via = via
    self.sender = sender
    self.owner = owner
    self.receiver = receiver
    self.appPolicy = appPolicy
    self.content = content
    self.device = device
  }
}

/// An app and the identity that it acts for.
public struct Party: Sendable {
  public var app: AppState
  public var identity: Identity
  /// The policy that applies to `identity` in `app`; nil: the identity is unmanaged there.
  public var policy: EffectivePolicy?

  /// Creates a party.
  public init(app: AppState, identity: Identity, policy: EffectivePolicy? = nil) {
    self.app = app
    self.identity = identity
    self.policy = policy
  }

  public var isManaged: Bool { policy != nil }

  /// Whether the policy keeps org data from some apps: then the SDK registers shared data under its own types.
  package var restrictsSending: Bool {
    policy.map { $0.settings.allowedOutboundDataTransferDestinations != .allApps } ?? false
  }

  /// The party that is no app: printers, the Files app, the keyboard, any part of the system that gets data.
  public static let system = Party(app: AppState(bundleID: ""), identity: .unset)

  /// AirDrop as a destination: no app, and on the sender's side of managed Open In, unless the device's profile has it
  /// on the unmanaged one.
  ///
  /// Source: Apple Device Management, Restrictions, `forceAirDropUnmanaged`.
  public static func airDrop(from sender: Party, on device: DeviceRestrictions) -> Party {
    var party = system
    party.app.isMDMManaged = sender.app.isMDMManaged && !device.forceAirDropUnmanaged
    return party
  }
}

/// The facts about an app that rules read.
public struct AppState: Sendable, Hashable {
  public var bundleID: String
  /// The bundle id of the app that the extension is in, by which policies name it; nil for an app.
  public var containingApp: String?
  /// `IntuneMAMSettings.MultiIdentity`.
  public var isMultiIdentity: Bool
  /// Whether MDM installed the app, which is Apple's "managed" and not Intune's.
  public var isMDMManaged: Bool
  /// Whether, on an MDM-enrolled device, the account's `IntuneMAMUPN` (and `IntuneMAMOID`) is in the app's
  /// configuration.
  public var hasEnrolledUPN: Bool
  /// Whether the app links the Intune App SDK, enrolled or not.
  public var linksSDK: Bool
  /// The SDK's version as the app states it; nil: the newest version.
  public var sdkVersion: Version?
  /// Whether the app configuration has `com.microsoft.intune.mam.screencapturecontrol` = `Disabled`.
  public var isScreenCaptureControlDisabled: Bool
  /// The identity that the app's web views act for.
  public var webViews: WebViewPolicy
  /// The URL schemes that the app registers, lower case, without colon.
  public var schemes: Set<String>

  /// Creates the state of an app.
  public init(
    bundleID: String, containingApp: String? = nil, isMultiIdentity: Bool = false,
    isMDMManaged: Bool = false,
    hasEnrolledUPN: Bool = false, linksSDK: Bool = false, sdkVersion: Version? = nil,
    isScreenCaptureControlDisabled: Bool = false, webViews: WebViewPolicy = .currentIdentity,
    schemes: Set<String> = []
  ) {
    self.bundleID = bundleID
    self.containingApp = containingApp
    self.isMultiIdentity = isMultiIdentity
    self.isMDMManaged = isMDMManaged
    self.hasEnrolledUPN = hasEnrolledUPN
    self.linksSDK = linksSDK
    self.sdkVersion = sdkVersion
    self.isScreenCaptureControlDisabled = isScreenCaptureControlDisabled
    self.webViews = webViews
    self.schemes = schemes
  }

  /// The bundle id by which policies name the app, or the app that the extension is in.
  public var protectedBundleID: String { containingApp ?? bundleID }
}

/// The owner of the data, and the policy that protects the data at its origin.
public struct Owner: Sendable {
  /// The account; nil: nobody is known to own the data.
  public var account: Account?
  /// The policy that applies to the owner in the sending app; nil: the owner is unmanaged there.
  public var policy: EffectivePolicy?

  /// Creates an owner.
  public init(account: Account? = nil, policy: EffectivePolicy? = nil) {
    self.account = account
    self.policy = policy
  }

  public var isManaged: Bool { policy != nil }
}

/// The facts about the content that rules read.
public struct Content: Sendable, Hashable {
  /// The length in Unicode scalars; nil where the content is no text.
  public var characters: Int?
  /// The URL's scheme, lower case, without colon; nil where no URL is opened.
  public var scheme: String?
  /// Whether the caller knows that the scheme belongs to a managed app, or its `-intunemam` twin is
  /// registered.
  public var isKnownManagedScheme: Bool
  /// Whether the app that would open the URL is the managed browser (Microsoft Edge).
  public var opensInManagedBrowser: Bool
  /// The URL as it was given, which no rule reads; nil where no URL is opened, or only its scheme is known.
  public var url: String?
  /// The URL where it is a web link, for ``Settings/exemptedUniversalLinks`` and
  /// ``Settings/managedUniversalLinks``; nil for any other URL.
  public var link: WebLink?
  /// The location that data is saved to, or opened from; nil on other channels.
  public var location: StorageLocation?
  /// Whether a web view's page does not belong to the account (`isExternalURL`).
  public var isExternalPage: Bool

  /// Creates content.
  public init(
    characters: Int? = nil, scheme: String? = nil, isKnownManagedScheme: Bool = false,
    opensInManagedBrowser: Bool = false, url: String? = nil, link: WebLink? = nil,
    location: StorageLocation? = nil, isExternalPage: Bool = false
  ) {
    self.characters = characters
    self.scheme = scheme
    self.isKnownManagedScheme = isKnownManagedScheme
    self.opensInManagedBrowser = opensInManagedBrowser
    self.url = url
    self.link = link
    self.location = location
    self.isExternalPage = isExternalPage
  }
}

/// The facts about the device that rules read. The restrictions are those of `com.apple.applicationaccess`, and hold
/// on enrolled devices only.
public struct DeviceRestrictions: Sendable, Hashable {
  public var isMDMEnrolled: Bool
  /// `allowOpenFromManagedToUnmanaged`; true is Apple's default.
  public var allowOpenFromManagedToUnmanaged: Bool
  /// `allowOpenFromUnmanagedToManaged`; true is Apple's default.
  public var allowOpenFromUnmanagedToManaged: Bool
  /// Whether the two restrictions above hold for the pasteboard too; false is Apple's default.
  public var requireManagedPasteboard: Bool
  /// Whether managed apps may write unmanaged contacts where `allowOpenFromManagedToUnmanaged` is false; false is
  /// Apple's default.
  public var allowManagedToWriteUnmanagedContacts: Bool
  /// Whether unmanaged apps may read managed contacts where `allowOpenFromManagedToUnmanaged` is false; false is
  /// Apple's default.
  public var allowUnmanagedToReadManagedContacts: Bool
  /// Whether AirDrop counts as an unmanaged destination; false is Apple's default. No rule reads it:
  /// ``Party/airDrop(from:on:)`` is what follows from it.
  public var forceAirDropUnmanaged = false
  /// Whether Handoff, and with it Universal Clipboard, works; true is Apple's default. No rule reads it.
  public var allowActivityContinuation = true
  /// Whether screenshots and recordings of the screen may be made; true is Apple's default.
  public var allowScreenShot: Bool
  /// Whether Writing Tools may be used; true is Apple's default.
  public var allowWritingTools: Bool
  /// Whether Genmoji may be made; true is Apple's default.
  public var allowGenmoji: Bool
  /// Whether `isFileEncryptionRequired` is true where `appDataEncryptionType` asks for encryption.
  ///
  /// Public statements contradict each other. A maintainer says that no policy makes it true (ms-intune-app-sdk-ios,
  /// issue 160), and Microsoft Learn's log reference that the service does not use `RequireFileEncryption`; the log in
  /// issue 515 has that as true.
  public var isFileEncryptionRequired = false

  /// Creates the restrictions of a device.
  public init(
    isMDMEnrolled: Bool = false, allowOpenFromManagedToUnmanaged: Bool = true,
    allowOpenFromUnmanagedToManaged: Bool = true, requireManagedPasteboard: Bool = false,
    allowManagedToWriteUnmanagedContacts: Bool = false,
    allowUnmanagedToReadManagedContacts: Bool = false, allowScreenShot: Bool = true,
    allowWritingTools: Bool = true, allowGenmoji: Bool = true
  ) {
    self.isMDMEnrolled = isMDMEnrolled
    self.allowOpenFromManagedToUnmanaged = allowOpenFromManagedToUnmanaged
    self.allowOpenFromUnmanagedToManaged = allowOpenFromUnmanagedToManaged
    self.requireManagedPasteboard = requireManagedPasteboard
    self.allowManagedToWriteUnmanagedContacts = allowManagedToWriteUnmanagedContacts
    self.allowUnmanagedToReadManagedContacts = allowUnmanagedToReadManagedContacts
    self.allowScreenShot = allowScreenShot
    self.allowWritingTools = allowWritingTools
    self.allowGenmoji = allowGenmoji
  }
}
