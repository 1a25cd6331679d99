public import Transfer

/// Everything that decides one transfer, as plain values.
public struct TransferRequest: Sendable {
  public var channel: Channel
  public var via: SharingPath
  public var sender: Party
  /// Whose data moves.
  public var owner: Owner
  public var receiver: Party
  public var content: Content
  public var device: DeviceState

  public init(
    channel: Channel, via: SharingPath = .sdk, sender: Party, owner: Owner, receiver: Party,
    content: Content = Content(), device: DeviceState = DeviceState()
  ) {
    self.channel = channel
    self.via = via
    self.sender = sender
    self.owner = owner
    self.receiver = receiver
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

  public init(
    bundleID: String, isMultiIdentity: Bool = false, isMDMManaged: Bool = false,
    hasEnrolledUPN: Bool = false
  ) {
    self.bundleID = bundleID
    self.isMultiIdentity = isMultiIdentity
    self.isMDMManaged = isMDMManaged
    self.hasEnrolledUPN = hasEnrolledUPN
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

  public init(
    characters: Int? = nil, scheme: String? = nil, isKnownManagedScheme: Bool = false,
    opensInManagedBrowser: Bool = false
  ) {
    self.characters = characters
    self.scheme = scheme
    self.isKnownManagedScheme = isKnownManagedScheme
    self.opensInManagedBrowser = opensInManagedBrowser
  }
}

/// What rules ask about the device.
public struct DeviceState: Sendable, Hashable {
  public var isMDMEnrolled: Bool
  /// Restriction of the MDM profile; true is Apple's default.
  public var allowOpenFromManagedToUnmanaged: Bool

  public init(isMDMEnrolled: Bool = false, allowOpenFromManagedToUnmanaged: Bool = true) {
    self.isMDMEnrolled = isMDMEnrolled
    self.allowOpenFromManagedToUnmanaged = allowOpenFromManagedToUnmanaged
  }
}
