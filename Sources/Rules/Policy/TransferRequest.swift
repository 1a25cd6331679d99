public import Model

/// Everything that decides one transfer, as plain values.
public struct TransferRequest: Sendable {
  public var channel: Channel
  public var via: SharingPath
  public var sender: Party
  /// Whose data moves.
  public var owner: Owner
  /// Who gets it. At ``Channel/Counterpart/location``: the app itself, acting for the location's account (where
  /// data is saved to; where it is opened from, `sender` is that). At ``Channel/Counterpart/system``:
  /// ``Party/system``.
  public var receiver: Party
  /// The policy of the sending app's managed account, whoever the app acts for now; nil where it has none. Only
  /// rules that hold for a whole app read it.
  public var appPolicy: EffectivePolicy?
  public var content: Content
  public var device: DeviceRestrictions

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

  public init(app: AppState, identity: Identity, policy: EffectivePolicy? = nil) {
    self.app = app
    self.identity = identity
    self.policy = policy
  }

  public var isManaged: Bool { policy != nil }

  /// No app: printers, the Files app, the keyboard, whoever the system hands data to.
  public static let system = Party(app: AppState(bundleID: ""), identity: .unset)
}

/// What rules ask about an app.
public struct AppState: Sendable, Hashable {
  public var bundleID: String
  /// `IntuneMAMSettings.MultiIdentity`.
  public var isMultiIdentity: Bool
  /// Installed by MDM, which is Apple's "managed" and not Intune's.
  public var isMDMManaged: Bool
  /// On an MDM-enrolled device: the account's `IntuneMAMUPN` (and `IntuneMAMOID`) is in the app's
  /// configuration.
  public var hasEnrolledUPN: Bool
  /// Whether the app links the Intune App SDK, enrolled or not.
  public var linksSDK: Bool
  /// The SDK's version as the app states it; nil: the newest.
  public var sdkVersion: Version?
  /// App configuration `com.microsoft.intune.mam.screencapturecontrol` = `Disabled`.
  public var isScreenCaptureControlDisabled: Bool
  /// What the app's web views act for.
  public var webViews: WebViewPolicy
  /// The URL schemes that the app registers, lower case, without colon.
  public var schemes: Set<String>

  public init(
    bundleID: String, isMultiIdentity: Bool = false, isMDMManaged: Bool = false,
    hasEnrolledUPN: Bool = false, linksSDK: Bool = false, sdkVersion: Version? = nil,
    isScreenCaptureControlDisabled: Bool = false, webViews: WebViewPolicy = .currentIdentity,
    schemes: Set<String> = []
  ) {
    self.bundleID = bundleID
    self.isMultiIdentity = isMultiIdentity
    self.isMDMManaged = isMDMManaged
    self.hasEnrolledUPN = hasEnrolledUPN
    self.linksSDK = linksSDK
    self.sdkVersion = sdkVersion
    self.isScreenCaptureControlDisabled = isScreenCaptureControlDisabled
    self.webViews = webViews
    self.schemes = schemes
  }
}

/// Whose data moves, and by what policy it is protected where it comes from.
public struct Owner: Sendable {
  /// nil: nobody is known to own the data.
  public var account: Account?
  /// The policy that applies to the owner in the sending app; nil: unmanaged there.
  public var policy: EffectivePolicy?

  public init(account: Account? = nil, policy: EffectivePolicy? = nil) {
    self.account = account
    self.policy = policy
  }

  public var isManaged: Bool { policy != nil }
}

/// What rules ask about the content.
public struct Content: Sendable, Hashable {
  /// Length in Unicode scalars; nil where the content is no text.
  public var characters: Int?
  /// The URL's scheme, lower case, without colon; nil where no URL is opened.
  public var scheme: String?
  /// Whether the caller knows that the scheme belongs to a managed app, or its `-intunemam` twin is
  /// registered.
  public var isKnownManagedScheme: Bool
  /// Whether the app that would open the URL is the managed browser (Microsoft Edge).
  public var opensInManagedBrowser: Bool
  /// The URL as it was given, which no rule asks for; nil where no URL is opened, or only its scheme is known.
  public var url: String?
  /// The URL where it is a web link, for ``Settings/exemptedUniversalLinks`` and
  /// ``Settings/managedUniversalLinks``; nil for any other URL.
  public var link: WebLink?
  /// Where data is saved to, or opened from; nil on other channels.
  public var location: StorageLocation?
  /// Whether a web view's page is none of the account's own (`isExternalURL`).
  public var isExternalPage: Bool

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

/// What rules ask about the device. The restrictions are those of `com.apple.applicationaccess`, and hold
/// on enrolled devices only.
public struct DeviceRestrictions: Sendable, Hashable {
  public var isMDMEnrolled: Bool
  /// true is Apple's default.
  public var allowOpenFromManagedToUnmanaged: Bool
  /// true is Apple's default.
  public var allowOpenFromUnmanagedToManaged: Bool
  /// Whether the two restrictions above hold for the pasteboard too; false is Apple's default.
  public var requireManagedPasteboard: Bool
  /// Speaks only where `allowOpenFromManagedToUnmanaged` is false; false is Apple's default.
  public var allowManagedToWriteUnmanagedContacts: Bool
  /// Speaks only where `allowOpenFromManagedToUnmanaged` is false; false is Apple's default.
  public var allowUnmanagedToReadManagedContacts: Bool

  public init(
    isMDMEnrolled: Bool = false, allowOpenFromManagedToUnmanaged: Bool = true,
    allowOpenFromUnmanagedToManaged: Bool = true, requireManagedPasteboard: Bool = false,
    allowManagedToWriteUnmanagedContacts: Bool = false,
    allowUnmanagedToReadManagedContacts: Bool = false
  ) {
    self.isMDMEnrolled = isMDMEnrolled
    self.allowOpenFromManagedToUnmanaged = allowOpenFromManagedToUnmanaged
    self.allowOpenFromUnmanagedToManaged = allowOpenFromUnmanagedToManaged
    self.requireManagedPasteboard = requireManagedPasteboard
    self.allowManagedToWriteUnmanagedContacts = allowManagedToWriteUnmanagedContacts
    self.allowUnmanagedToReadManagedContacts = allowUnmanagedToReadManagedContacts
  }
}
