package import Encodings
package import Model

/// The inputs of one transfer decision, as plain values.
package struct TransferRequest: Sendable {
  package var channel: Channel
  package var via: SharingPath
  package var sender: Party
  package var owner: Owner
  /// The receiving app and identity; ``Party/system`` on channels to the system. If data is saved to or opened from a
  /// location, the app is both sender and receiver. The location's account is the receiver's identity for saving, and
  /// the sender's identity for opening.
  package var receiver: Party
  /// The policy of the sending app's managed account, even if the app now acts for another account; nil if
  /// the app has no managed account. Only app-wide rules read it.
  package var appPolicy: EffectivePolicy?
  /// The account of ``appPolicy``; nil if unknown. No rule reads it.
  package var appAccount: Account?
  package var content: Content
  package var device: DeviceRestrictions

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

package struct Party: Sendable {
  package var app: AppState
  package var identity: Identity
  /// The policy that applies to `identity` in `app`; nil if the identity is unmanaged there.
  package var policy: EffectivePolicy?
  /// Whether the app acts in a view of several accounts, at least one of them managed. If so, ``policy`` is
  /// ``EffectivePolicy/lockDown``.
  package private(set) var isMixedView = false

  package init(app: AppState, identity: Identity, policy: EffectivePolicy? = nil) {
    self.app = app
    self.identity = identity
    self.policy = policy
  }

  package var isManaged: Bool { policy != nil }

  /// Marks the party as acting in a view that shows the data of several accounts, and sets its policy to
  /// ``EffectivePolicy/lockDown``. Does nothing if the party is unmanaged.
  package mutating func lockDown() {
    guard isManaged else { return }
    policy = .lockDown
    isMixedView = true
  }

  /// Whether the policy limits receivers of org data. If so, the SDK offers shared data under the Intune twins of its
  /// types.
  package var restrictsSending: Bool {
    policy.map { $0.settings.allowedOutboundDataTransferDestinations != .allApps } ?? false
  }

  /// Returns whether MDM enrolled the device for the party's account, and the party's policy treats incoming data
  /// without an owner as org data. If so, the app receives data without an owner for this account, even while it acts
  /// for an unmanaged account or for no account.
  ///
  /// Source: Microsoft Learn, "How to manage data transfer between iOS apps in Microsoft Intune", Example 2.
  package func takesUnownedData(on device: DeviceRestrictions) -> Bool {
    device.isMDMEnrolled && app.hasEnrolledUPN
      && policy?.receiving.takesIncomingDataAsOrgData == true
  }

  /// A party for all parts of the system, such as a printer, the Files app or the keyboard.
  package static let system = Party(app: AppState(bundleID: ""), identity: .unset)

  /// Returns AirDrop as a receiver. For managed Open In, AirDrop counts as managed if the sending app is managed and
  /// the MDM profile does not set `forceAirDropUnmanaged`.
  ///
  /// Source: Apple Device Management, Restrictions, `forceAirDropUnmanaged`.
  package static func airDrop(from sender: Party, on device: DeviceRestrictions) -> Party {
    var party = system
    party.app.isMDMManaged = sender.app.isMDMManaged && !device.forceAirDropUnmanaged
    return party
  }
}

package struct AppState: Sendable, Hashable {
  package var bundleID: String
  /// The bundle id of the app that contains the extension, as named in policies; nil for an app.
  package var containingApp: String?
  /// The value of `IntuneMAMSettings.MultiIdentity`.
  package var isMultiIdentity: Bool
  /// Whether MDM installed the app: "managed" in Apple's sense, not in Intune's.
  package var isMDMManaged: Bool
  /// Whether the device is MDM-enrolled, and the app's configuration contains the account as `IntuneMAMUPN` (and
  /// `IntuneMAMOID`).
  package var hasEnrolledUPN: Bool
  /// Whether the app links the Intune App SDK, even if it is not enrolled.
  package var linksSDK: Bool
  /// The SDK version that the app declares; nil for the newest version.
  package var sdkVersion: Version?
  /// Whether the app configuration sets `com.microsoft.intune.mam.screencapturecontrol` to `Disabled`.
  package var isScreenCaptureControlDisabled: Bool
  /// Whether the app configuration of the account or of the data's owner always restricts saving. If so, "Save copies
  /// of org data" acts as "Block", even if "Send org data to other apps" is "All apps".
  package var alwaysRestrictsSaving = false
  /// Whether the configuration of an app on an enrolled device sets `IntuneMAMRequireAccounts` to `Enabled`, and the
  /// account of `IntuneMAMUPN` is not signed in.
  package var lacksRequiredAccount = false
  package var webViews: WebViewPolicy
  /// The URL schemes that the app registers, in lower case, without the colon.
  package var schemes: Set<String>

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

  /// The bundle id named in policies: the bundle id of the app or, for an extension, of the containing app.
  package var protectedBundleID: String { containingApp ?? bundleID }
}

/// The owner of the data, and the policy that protects the data at its origin.
package struct Owner: Sendable {
  /// The owning account; nil if the owner is unknown.
  package var account: Account?
  /// The policy that applies to the owner in the sending app; nil if the owner is unmanaged there.
  package var policy: EffectivePolicy?

  package init(account: Account? = nil, policy: EffectivePolicy? = nil) {
    self.account = account
    self.policy = policy
  }

  package var isManaged: Bool { policy != nil }
}

/// The properties of the transferred content.
package struct Content: Sendable, Hashable {
  /// The length in Unicode scalars; nil if the content is not text.
  package var characters: Int?
  /// The URL's scheme, in lower case, without the colon; nil if no URL is opened.
  package var scheme: String?
  /// Whether the requesting app states that the scheme belongs to a managed app, or a managed app has registered the
  /// scheme's `-intunemam` twin.
  package var isKnownManagedScheme: Bool
  /// Whether the URL would open in the managed browser (Microsoft Edge).
  package var opensInManagedBrowser: Bool
  /// The URL as given; nil if no URL is opened or only its scheme is known. No rule reads it.
  package var url: String?
  /// The URL as a web link, for ``Settings/exemptedUniversalLinks`` and ``Settings/managedUniversalLinks``;
  /// nil if it is not a web link.
  package var link: WebLink?
  /// The location that data is saved to or opened from; nil on other channels.
  package var location: StorageLocation?
  /// Whether a web view's page does not belong to the account (`isExternalURL`).
  package var isExternalPage: Bool

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

/// The device properties that restrict transfers. The `com.apple.applicationaccess` restrictions apply only to enrolled
/// devices.
package struct DeviceRestrictions: Sendable, Hashable {
  package var isMDMEnrolled: Bool
  /// Whether the device is supervised. No rule reads it, because restrictions that Apple documents for supervised
  /// devices are never set on other devices.
  package var isSupervised = false
  /// Whether documents of managed apps may be opened in unmanaged apps. Apple's default is true.
  package var allowOpenFromManagedToUnmanaged: Bool
  /// Whether documents of unmanaged apps may be opened in managed apps. Apple's default is true.
  package var allowOpenFromUnmanagedToManaged: Bool
  /// Whether `allowOpenFromManagedToUnmanaged` and `allowOpenFromUnmanagedToManaged` also apply to the pasteboard.
  /// Apple's default is false.
  package var requireManagedPasteboard: Bool
  /// Whether managed apps may write unmanaged contacts if `allowOpenFromManagedToUnmanaged` is false. The
  /// default is false.
  package var allowManagedToWriteUnmanagedContacts: Bool
  /// Whether unmanaged apps may read managed contacts if `allowOpenFromManagedToUnmanaged` is false. The
  /// default is false.
  package var allowUnmanagedToReadManagedContacts: Bool
  /// Whether AirDrop counts as an unmanaged destination. Apple's default is false. No rule reads it;
  /// ``Party/airDrop(from:on:)`` does.
  package var forceAirDropUnmanaged = false
  /// Whether Handoff and Universal Clipboard work. Apple's default is true. No rule reads it.
  package var allowActivityContinuation = true
  /// Whether screenshots and screen recordings are allowed. Apple's default is true.
  package var allowScreenShot: Bool
  /// Whether Writing Tools are allowed. Apple's default is true.
  package var allowWritingTools: Bool
  /// Whether Genmoji are allowed. Apple's default is true.
  package var allowGenmoji: Bool
  /// Whether the SDK's `isFileEncryptionRequired` is true under a policy whose `appDataEncryptionType` requires
  /// encryption.
  ///
  /// Public statements conflict. According to a maintainer, no policy makes it true (ms-intune-app-sdk-ios, issue 160).
  /// According to Microsoft Learn's log reference, the service does not use `RequireFileEncryption`. The log in issue
  /// 515 shows it as true.
  package var isFileEncryptionRequired = false

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
  /// The JSON member that describes an account's policy in a written request.
  package enum PolicyNaming {
    /// The member `managed`. If it is true, all policies that the reader of the request knows apply to the account.
    case managed
    /// The member `policy`. It contains the policy's name, as the reader of the request knows it.
    case named((EffectivePolicy) -> String)
  }

  /// Writes the members of a request for `sluice decide` to the JSON object that is open in `writer`. Omits default
  /// values.
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
    // Data from a location belongs to the location's account.
    if channel == .openFrom { return true }
    guard owner.policy === sender.policy else { return false }
    guard let account = owner.account, let acting = sender.identity.account else {
      return owner.account == nil && sender.identity.account == nil
    }
    // Accounts with the same UPN may have different ids, which the request's reader distinguishes.
    return account.isSameUser(as: acting) && account.objectID == acting.objectID
      && account.tenantID == acting.tenantID
  }

  /// Writes the sender and the receiver. If one of them is a storage location, writes the location and its account
  /// instead.
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
      if isMixedView { writer.member("mixedView", true) }
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
    if lacksRequiredAccount { writer.member("lacksRequiredAccount", true) }
    if isScreenCaptureControlDisabled { writer.member("screenCaptureControl", "Disabled") }
    if alwaysRestrictsSaving { writer.member("alwaysRestrictsSaving", true) }
    if webViews != .currentIdentity { writer.member("webViews", webViews.rawValue) }
    // An invalid scheme never matches a URL.
    let valid = schemes.filter(\.isURLScheme)
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
