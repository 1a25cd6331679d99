internal import Encodings
package import GraphDocuments
package import Model
package import Policy

/// A representative flow: all properties of a transfer except the policy.
package struct Scene: Sendable, Hashable {
  package var channel: Channel
  package var via: SharingPath
  package var parties: Parties
  package var subject: Subject
  package var device: DeviceCondition
  /// The Intune App SDK release in the managed apps; nil means the newest.
  package var sdkVersion: Version?

  /// The content that is transferred, or its location.
  package enum Subject: Sendable, Hashable {
    case none
    /// A text with this number of Unicode scalars.
    case text(Int)
    case url(String, Opener = .any)
    case location(StorageLocation)
    case page(WebViewPolicy, Page)
    /// The screen of an app whose configuration sets ``Setting/screenCaptureControl`` to `Disabled`.
    case screenWithoutControl

    /// The subject as a short text; nil if there is none.
    var word: String? {
      switch self {
      case .none: nil
      case .text(let length): length.counting("character")
      case .url(let url, let opener): opener.scheme.map { "\(url) in \($0):" } ?? url
      case .location(let location): location.rawValue
      case .page(let webViews, let page): page == .external ? "externalPage" : webViews.rawValue
      case .screenWithoutControl: "\(Setting.screenCaptureControl.rawValue)=Disabled"
      }
    }

    /// The name of the subject, if a description of the flow must contain it. Nil for a text, for
    /// ``screenWithoutControl``, and if there is no subject.
    var name: String? {
      switch self {
      case .none, .text, .screenWithoutControl: nil
      case .url, .location, .page: word
      }
    }
  }

  /// The app that opens a URL.
  package enum Opener: Sendable, Hashable {
    case any
    /// An app that registers this scheme in addition to the URL's own scheme.
    case registering(String)

    package var scheme: String? { if case .registering(let scheme) = self { scheme } else { nil } }
  }

  /// The page in a web view: the account's own page, or a page of an external site.
  package enum Page: String, Sendable, CaseIterable {
    case own, external
  }

  /// Creates a scene with the newest SDK.
  package init(
    _ channel: Channel, via: SharingPath = .sdk, _ parties: Parties, _ subject: Subject = .none,
    _ device: DeviceCondition = .unenrolled
  ) {
    self.channel = channel
    self.via = via
    self.parties = parties
    self.subject = subject
    self.device = device
  }
}

// MARK: - Parties

/// One side of a representative flow: the sender or the receiver.
package enum End: String, Sendable, CaseIterable {
  /// The account that the policy protects, in a policy-managed app.
  case managed
  /// Another account of the same organisation. The same policy applies to the account.
  case colleague
  /// An account of another organisation. The same policy applies to the account.
  case otherOrganisation
  /// An app without a policy. If sender and receiver are in the same app, this is the app's personal account.
  case unmanaged
  /// An app that links the Intune App SDK, without an enrolled account.
  case unenrolled
  /// Data of the managed account, sent while the app acts for its personal account.
  case orgData
  /// A party that is not an app, such as a printer, the Files app or the keyboard.
  case system

  fileprivate var words: String {
    switch self {
    case .managed: "managed"
    case .colleague: "colleague"
    case .otherOrganisation: "other org"
    case .unmanaged: "unmanaged"
    case .unenrolled: "unenrolled SDK app"
    case .orgData: "org data (personal account acts)"
    case .system: "system"
    }
  }

  fileprivate var account: Account? {
    switch self {
    case .managed: Self.anna
    case .colleague: Account(upn: "ben@contoso.com")
    case .otherOrganisation: Account(upn: "carl@fabrikam.com")
    case .orgData: Self.personal
    case .unmanaged, .unenrolled, .system: nil
    }
  }

  /// The account that owns the data in representative flows.
  fileprivate static let anna = Account(upn: "anna@contoso.com")
  /// The unmanaged account in the managed account's app.
  fileprivate static let personal = Account(upn: "anna@example.org")

  fileprivate var isManaged: Bool {
    switch self {
    case .managed, .colleague, .otherOrganisation: true
    case .unmanaged, .unenrolled, .orgData, .system: false
    }
  }
}

/// The sender and receiver of a representative flow.
package struct Parties: Sendable, Hashable {
  package var from: End
  package var to: End

  package init(_ from: End, to: End) {
    self.from = from
    self.to = to
  }

  /// Returns the sender and the receiver as text, such as `managed -> unmanaged`.
  func words(on channel: Channel) -> String {
    let isFromFar = channel == .openFrom
    let words = [(from, isFromFar), (to, !isFromFar)].map { end, isFar in
      isFar ? farWords(end, on: channel) : nearWords(end, on: channel)
    }
    return words.joined(separator: " -> ")
  }

  /// Returns the text for the party that makes the request. If the other party is not an app, an unmanaged party is a
  /// personal account of the requesting app.
  private func nearWords(_ end: End, on channel: Channel) -> String {
    end == .unmanaged && channel.counterpart != .app ? "personal account" : end.words
  }

  /// Returns the text for the party that does not make the request.
  private func farWords(_ end: End, on channel: Channel) -> String {
    switch end {
    case .managed:
      switch channel.counterpart {
      case .app: from == to ? "same account" : end.words
      case .location: from == to ? "own account" : end.words
      case .url: "managed app"
      case .system: end.words
      }
    case .unmanaged:
      switch channel.counterpart {
      case .location: "no account"
      case .url: "unmanaged app"
      case .app, .system: nearWords(end, on: channel)
      }
    case .colleague, .otherOrganisation, .unenrolled, .orgData, .system: end.words
    }
  }

  /// Whether both parties are of a common kind. A difference in a flow between other parties is reported only if no
  /// flow between common parties has the same difference.
  var isPlain: Bool {
    ![from, to].contains { [.colleague, .unenrolled, .orgData].contains($0) }
  }
}

// MARK: - Device condition

package enum DeviceCondition: String, Sendable, CaseIterable {
  case unenrolled
  /// The device is enrolled, and the app's configuration lacks `IntuneMAMUPN`.
  case enrolledWithoutUPN
  /// The device is enrolled, and the app's configuration contains the account.
  case enrolled
  /// Like ``enrolled``, but the MDM profile does not allow other apps to open documents from MDM-managed apps.
  case restricted
  /// Like ``restricted``, but MDM has also installed the receiving app.
  case restrictedToMDMApp

  /// Creates the condition for a management state without further restrictions.
  package init(_ state: ManagementState) {
    self =
      switch state {
      case .unenrolled: .unenrolled
      case .enrolledWithoutUPN: .enrolledWithoutUPN
      case .enrolled: .enrolled
      }
  }

  /// The management state, which policies can target.
  package var state: ManagementState {
    switch self {
    case .unenrolled: .unenrolled
    case .enrolledWithoutUPN: .enrolledWithoutUPN
    case .enrolled, .restricted, .restrictedToMDMApp: .enrolled
    }
  }

  fileprivate var device: DeviceRestrictions {
    DeviceRestrictions(
      isMDMEnrolled: self != .unenrolled,
      allowOpenFromManagedToUnmanaged: self != .restricted && self != .restrictedToMDMApp)
  }
}

// MARK: - Request

/// The bundle ids of the managed apps in representative flows.
package struct SceneApps: Sendable {
  /// The bundle id of the app that makes the request.
  var asking = "com.contoso.mail"
  /// The bundle id of the app that does not make the request.
  var other = "com.contoso.notes"

  /// The default apps, which policies need not target.
  package static let standard = SceneApps()

  private init() {}

  /// Chooses the apps from the targeted apps, and prefers well-known apps. If there are fewer than two, adds standard
  /// apps.
  ///
  /// - Parameter targeted: Bundle ids. Patterns such as `*`, and Edge, which a scene uses as the managed browser, are
  ///   ignored.
  package init(targeted: some Collection<String>) {
    let apps = Set(targeted).filter {
      !$0.contains("*") && $0.lowercased() != "com.microsoft.msedge"
    }
    let known = ["com.microsoft.office.outlook", "com.microsoft.skype.teams"]
    let first = known.filter { name in apps.contains { $0.lowercased() == name } }
    let rest = apps.filter { !first.contains($0.lowercased()) }.sorted()
    let all = first + rest
    asking = all.first ?? asking
    other = all.dropFirst().first ?? (asking == other ? "com.contoso.mail" : other)
  }
}

extension Scene {
  static let personal = Identity.account(End.personal)

  /// Returns the request for this flow. `policy` applies to every managed account in it.
  package func request(
    under policy: EffectivePolicy, in apps: SceneApps = .standard
  ) -> TransferRequest {
    let sender = party(parties.from, policy, apps, isAsking: !channel.isIncoming)
    let owner =
      parties.from == .orgData
      ? Owner(account: End.anna, policy: policy)
      : Owner(account: sender.identity.account, policy: sender.policy)
    let isSenderManagedApp = parties.from != .system && sender.app.isMultiIdentity
    return TransferRequest(
      channel: channel, via: via, sender: sender, owner: owner,
      receiver: party(parties.to, policy, apps, isAsking: channel.isIncoming),
      appPolicy: isSenderManagedApp ? policy : nil, content: content, device: device.device)
  }

  private func party(
    _ end: End, _ policy: EffectivePolicy, _ apps: SceneApps, isAsking: Bool
  ) -> Party {
    if end == .system { return .system }
    return Party(
      app: app(end, apps, isAsking: isAsking), identity: identity(end, isAsking: isAsking),
      policy: end.isManaged ? policy : nil)
  }

  /// Returns whether the party is a separate app without a managed account.
  private func isForeign(_ end: End, isAsking: Bool) -> Bool {
    guard end == .unmanaged || end == .unenrolled else { return false }
    return channel.counterpart == .app || (channel.counterpart == .url && !isAsking)
  }

  /// Returns the identity of a party. A party without an account has the personal account if it makes the request in a
  /// managed app; otherwise, its identity is unset.
  private func identity(_ end: End, isAsking: Bool) -> Identity {
    if let account = end.account { return .account(account) }
    guard isAsking, !isForeign(end, isAsking: isAsking) else { return .unset }
    return Self.personal
  }

  private func app(_ end: End, _ apps: SceneApps, isAsking: Bool) -> AppState {
    guard !isForeign(end, isAsking: isAsking) else {
      return AppState(
        bundleID: end == .unenrolled ? "com.example.scanner" : foreignApp,
        isMDMManaged: device == .restrictedToMDMApp, linksSDK: end == .unenrolled,
        schemes: isAsking ? [] : schemes)
    }
    let isOther = !isAsking && (channel.counterpart == .app || channel.counterpart == .url)
    let other = opensInBrowser ? "com.microsoft.msedge" : apps.other
    return AppState(
      bundleID: isOther ? other : apps.asking, isMultiIdentity: true,
      isMDMManaged: device != .unenrolled, hasEnrolledUPN: device.state == .enrolled,
      linksSDK: true, sdkVersion: sdkVersion,
      isScreenCaptureControlDisabled: subject == .screenWithoutControl, webViews: webViews,
      schemes: isAsking ? [] : schemes)
  }

  /// The schemes that the opening app registers in addition to the URL's own scheme.
  private var schemes: Set<String> {
    guard case .url(_, let opener) = subject else { return [] }
    return Set([opener.scheme].compactMap(\.self))
  }

  private var foreignApp: String {
    guard case .url(let url, .any) = subject else { return "org.example.viewer" }
    return switch URLScheme.of(url) {
    case "http" where channel == .openURL, "https" where channel == .openURL:
      "com.apple.mobilesafari"
    case "tel", "telprompt": "com.apple.mobilephone"
    case "sms", "imessage": "com.apple.mobilesms"
    default: "org.example.viewer"  // open: any other scheme
    }
  }

  private var opensInBrowser: Bool {
    guard channel == .openURL, case .url(let url, .any) = subject else { return false }
    return WebLink(url) != nil
  }

  private var webViews: WebViewPolicy {
    if case .page(let webViews, _) = subject { webViews } else { .currentIdentity }
  }

  private var content: Content {
    switch subject {
    case .none, .screenWithoutControl: Content()
    case .text(let characters): Content(characters: characters)
    case .location(let location): Content(location: location)
    case .page(_, let page): Content(isExternalPage: page == .external)
    case .url(let url, _):
      Content(
        scheme: URLScheme.of(url),
        opensInManagedBrowser: opensInBrowser && parties.to.isManaged, url: url,
        link: WebLink(url))
    }
  }
}
