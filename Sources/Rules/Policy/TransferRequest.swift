package import JSON
package import Model

/// The facts that decide one transfer, as plain values.
package struct TransferRequest: Sendable {
  package var channel: Channel
  package var via: SharingPath
  package var sender: Party
  /// The owner of the data.
  package var owner: Owner
  /// The receiver. At ``Channel/Counterpart/location``: the app itself, acting for the location's account where data
  /// is saved there (where data is opened from there, `sender` acts for that account). At
  /// ``Channel/Counterpart/system``: ``Party/system``.
  package var receiver: Party
  /// The policy of the sending app's managed account, whoever the app acts for now; nil where it has none. Only
  /// rules that hold for a whole app read it.
  package var appPolicy: EffectivePolicy?
  /// The account that ``appPolicy`` is for, which no rule reads; nil where it is not known.
  package var appAccount: Account?
  package var content: Content
  package var device: DeviceRestrictions

  /// Creates a request.
  package init(
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
package struct Party: Sendable {
  package var app: AppState
  package var identity: Identity
  /// The policy that applies to `identity` in `app`; nil: the identity is unmanaged there.
  package var policy: EffectivePolicy?

  /// Creates a party.
  package init(app: AppState, identity: Identity, policy: EffectivePolicy? = nil) {
    self.app = app
    self.identity = identity
    self.policy = policy
  }

  package var isManaged: Bool { policy != nil }

  /// Whether the policy keeps org data from some apps: then the SDK registers shared data under its own types.
  package var restrictsSending: Bool {
    policy.map { $0.settings.allowedOutboundDataTransferDestinations != .allApps } ?? false
  }

  /// The party that is no app: printers, the Files app, the keyboard, any part of the system that gets data.
  package static let system = Party(app: AppState(bundleID: ""), identity: .unset)

  /// AirDrop as a destination: no app, and on the sender's side of managed Open In, unless the device's profile has it
  /// on the unmanaged one.
  ///
  /// Source: Apple Device Management, Restrictions, `forceAirDropUnmanaged`.
  package static func airDrop(from sender: Party, on device: DeviceRestrictions) -> Party {
    var party = system
    party.app.isMDMManaged = sender.app.isMDMManaged && !device.forceAirDropUnmanaged
    return party
  }
}

/// The facts about an app that rules read.
package struct AppState: Sendable, Hashable {
  package var bundleID: String
  /// The bundle id of the app that the extension is in, by which policies name it; nil for an app.
  package var containingApp: String?
  /// `IntuneMAMSettings.MultiIdentity`.
  package var isMultiIdentity: Bool
  /// Whether MDM installed the app, which is Apple's "managed" and not Intune's.
  package var isMDMManaged: Bool
  /// Whether, on an MDM-enrolled device, the account's `IntuneMAMUPN` (and `IntuneMAMOID`) is in the app's
  /// configuration.
  package var hasEnrolledUPN: Bool
  /// Whether the app links the Intune App SDK, enrolled or not.
  package var linksSDK: Bool
  /// The SDK's version as the app states it; nil: the newest version.
  package var sdkVersion: Version?
  /// Whether the app configuration has `com.microsoft.intune.mam.screencapturecontrol` = `Disabled`.
  package var isScreenCaptureControlDisabled: Bool
  /// The identity that the app's web views act for.
  package var webViews: WebViewPolicy
  /// The URL schemes that the app registers, lower case, without colon.
  package var schemes: Set<String>

  /// Creates the state of an app.
  package init(
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
  package var protectedBundleID: String { containingApp ?? bundleID }
}

/// The owner of the data, and the policy that protects the data at its origin.
package struct Owner: Sendable {
  /// The account; nil: nobody is known to own the data.
  package var account: Account?
  /// The policy that applies to the owner in the sending app; nil: the owner is unmanaged there.
  package var policy: EffectivePolicy?

  /// Creates an owner.
  package init(account: Account? = nil, policy: EffectivePolicy? = nil) {
    self.account = account
    self.policy = policy
  }

  package var isManaged: Bool { policy != nil }
}

/// The facts about the content that rules read.
package struct Content: Sendable, Hashable {
  /// The length in Unicode scalars; nil where the content is no text.
  package var characters: Int?
  /// The URL's scheme, lower case, without colon; nil where no URL is opened.
  package var scheme: String?
  /// Whether the caller knows that the scheme belongs to a managed app, or its `-intunemam` twin is
  /// registered.
  package var isKnownManagedScheme: Bool
  /// Whether the app that would open the URL is the managed browser (Microsoft Edge).
  package var opensInManagedBrowser: Bool
  /// The URL as it was given, which no rule reads; nil where no URL is opened, or only its scheme is known.
  package var url: String?
  /// The URL where it is a web link, for ``Settings/exemptedUniversalLinks`` and
  /// ``Settings/managedUniversalLinks``; nil for any other URL.
  package var link: WebLink?
  /// The location that data is saved to, or opened from; nil on other channels.
  package var location: StorageLocation?
  /// Whether a web view's page does not belong to the account (`isExternalURL`).
  package var isExternalPage: Bool

  /// Creates content.
  package init(
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
package struct DeviceRestrictions: Sendable, Hashable {
  package var isMDMEnrolled: Bool
  /// `allowOpenFromManagedToUnmanaged`; true is Apple's default.
  package var allowOpenFromManagedToUnmanaged: Bool
  /// `allowOpenFromUnmanagedToManaged`; true is Apple's default.
  package var allowOpenFromUnmanagedToManaged: Bool
  /// Whether the two restrictions above hold for the pasteboard too; false is Apple's default.
  package var requireManagedPasteboard: Bool
  /// Whether managed apps may write unmanaged contacts where `allowOpenFromManagedToUnmanaged` is false; false is
  /// Apple's default.
  package var allowManagedToWriteUnmanagedContacts: Bool
  /// Whether unmanaged apps may read managed contacts where `allowOpenFromManagedToUnmanaged` is false; false is
  /// Apple's default.
  package var allowUnmanagedToReadManagedContacts: Bool
  /// Whether AirDrop counts as an unmanaged destination; false is Apple's default. No rule reads it:
  /// ``Party/airDrop(from:on:)`` is what follows from it.
  package var forceAirDropUnmanaged = false
  /// Whether Handoff, and with it Universal Clipboard, works; true is Apple's default. No rule reads it.
  package var allowActivityContinuation = true
  /// Whether screenshots and recordings of the screen may be made; true is Apple's default.
  package var allowScreenShot: Bool
  /// Whether Writing Tools may be used; true is Apple's default.
  package var allowWritingTools: Bool
  /// Whether Genmoji may be made; true is Apple's default.
  package var allowGenmoji: Bool
  /// Whether `isFileEncryptionRequired` is true where `appDataEncryptionType` asks for encryption.
  ///
  /// Public statements contradict each other. A maintainer says that no policy makes it true (ms-intune-app-sdk-ios,
  /// issue 160), and Microsoft Learn's log reference that the service does not use `RequireFileEncryption`; the log in
  /// issue 515 has that as true.
  package var isFileEncryptionRequired = false

  /// Creates the restrictions of a device.
  package init(
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

// MARK: - Writing

extension TransferRequest {
  /// How a written request says which policy an account is under.
  package enum PolicyNaming {
    /// By `managed`: the account is under all policies that the reader has.
    case managed
    /// By `policy`, the name that the reader knows the policy by.
    case named((EffectivePolicy) -> String)
  }

  /// Writes the members of the request, as `sluice decide` reads them, into the open object. Members that have their
  /// defaults are left out.
  package func writeFacts(to writer: inout JSONWriter, policies naming: PolicyNaming) {
    writer.member("channel", channel.rawValue)
    if via != .sdk { writer.member("via", via.rawValue) }
    writeParties(to: &writer, naming)
    if !isOwnedBySender { write(owner, to: &writer, as: "owner", naming) }
    if channel == .keyboard, appPolicy !== sender.policy {
      let holder = appPolicy.map { _ in appAccount ?? Account(upn: "account") }
      write(Owner(account: holder, policy: appPolicy), to: &writer, as: "appAccount", naming)
    }
    content.write(to: &writer)
    if device != DeviceRestrictions() {
      writer.object("device") { device.writeMembers(to: &$0) }
    }
  }

  private var isOwnedBySender: Bool {
    // What comes from a location is its account's.
    if channel == .openFrom { return true }
    guard owner.policy === sender.policy else { return false }
    guard let account = owner.account, let acting = sender.identity.account else {
      return owner.account == nil && sender.identity.account == nil
    }
    // Accounts with the same UPN may have different numbers; the receiver distinguishes them by number.
    return account.isSame(as: acting) && account.objectID == acting.objectID
      && account.tenantID == acting.tenantID
  }

  /// Writes the parties. A storage location is no party: it is named, with the account that it belongs to.
  private func writeParties(to writer: inout JSONWriter, _ naming: PolicyNaming) {
    let isRequired = channel.counterpart == .app
    if channel != .openFrom, isRequired || !sender.app.bundleID.isEmpty {
      writer.object("sender") { sender.write(to: &$0, naming) }
    }
    if channel != .saveTo, isRequired || !receiver.app.bundleID.isEmpty {
      writer.object("receiver") { receiver.write(to: &$0, naming) }
    }
    guard let location = content.location else { return }
    writer.member("location", location.rawValue)
    let place = channel == .saveTo ? receiver : sender
    guard place.identity.accountID != nil else { return }
    write(
      Owner(account: place.identity.account, policy: place.policy), to: &writer,
      as: "locationAccount", naming)
  }

  private func write(
    _ owner: Owner, to writer: inout JSONWriter, as name: StaticString, _ naming: PolicyNaming
  ) {
    writer.object(name) { writer in
      writer.member("account", owner.account?.upn ?? "")
      owner.account?.writeNumbers(to: &writer)
      if owner.account != nil { naming.write(owner.policy, to: &writer) }
    }
  }
}

extension TransferRequest.PolicyNaming {
  fileprivate func write(_ policy: EffectivePolicy?, to writer: inout JSONWriter) {
    guard case .named(let name) = self, let policy else {
      return writer.member("managed", policy != nil)
    }
    writer.member("policy", name(policy))
  }
}

extension Party {
  fileprivate func write(
    to writer: inout JSONWriter, _ naming: TransferRequest.PolicyNaming
  ) {
    writer.member("app", app.bundleID)
    writer.member("containingApp", app.containingApp)
    writer.member("account", identity.accountID)
    if let account = identity.account {
      account.writeNumbers(to: &writer)
      naming.write(policy, to: &writer)
    }
    app.writeMembers(to: &writer)
  }
}

extension Account {
  fileprivate func writeNumbers(to writer: inout JSONWriter) {
    writer.member("objectId", objectID)
    writer.member("tenant", tenantID)
  }
}

extension AppState {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    if isMultiIdentity { writer.member("multiIdentity", true) }
    if isMDMManaged { writer.member("mdmManaged", true) }
    if hasEnrolledUPN { writer.member("enrolledUPN", true) }
    if linksSDK { writer.member("linksSDK", true) }
    writer.member("sdkVersion", sdkVersion?.description)
    if isScreenCaptureControlDisabled { writer.member("screenCaptureControl", "Disabled") }
    if webViews != .currentIdentity { writer.member("webViews", webViews.rawValue) }
    // What is no scheme, no URL has.
    let valid = schemes.filter(URLScheme.isValid)
    guard !valid.isEmpty else { return }
    writer.strings("schemes", valid.sorted())
  }
}

extension Content {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("characters", characters)
    writer.member("url", url ?? link?.text)
    if isKnownManagedScheme { writer.member("knownManagedScheme", true) }
    if isExternalPage { writer.member("externalPage", true) }
  }
}

extension DeviceRestrictions {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    if isMDMEnrolled { writer.member("mdmEnrolled", true) }
    if !allowOpenFromManagedToUnmanaged {
      writer.member("allowOpenFromManagedToUnmanaged", false)
    }
    if !allowOpenFromUnmanagedToManaged {
      writer.member("allowOpenFromUnmanagedToManaged", false)
    }
    if requireManagedPasteboard { writer.member("requireManagedPasteboard", true) }
    if allowManagedToWriteUnmanagedContacts {
      writer.member("allowManagedToWriteUnmanagedContacts", true)
    }
    if allowUnmanagedToReadManagedContacts {
      writer.member("allowUnmanagedToReadManagedContacts", true)
    }
    if !allowScreenShot { writer.member("allowScreenShot", false) }
    if !allowWritingTools { writer.member("allowWritingTools", false) }
    if !allowGenmoji { writer.member("allowGenmoji", false) }
    if isFileEncryptionRequired { writer.member("isFileEncryptionRequired", true) }
  }
}
