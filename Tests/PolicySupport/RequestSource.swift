package import Model
package import Policy
internal import TestSupport

/// Creates random transfer requests over the whole domain: every channel, account, app, setting and
/// content.
package struct RequestSource {
  package let seed: UInt64
  private var generator: SeededGenerator
  /// The policies that are drawn in advance, because drawing them is slow.
  private var pool: [EffectivePolicy] = []

  package init(seed: UInt64) {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      pool.append(
        EffectivePolicy(
          settings: .random(using: &generator, on: [.dataProtection], from: Self.pool)))
    }
  }

  /// Returns a request of an app on one of `channels`.
  package mutating func request(on channels: [Channel] = Channel.allCases) -> TransferRequest {
    let channel = pick(channels)
    var request =
      switch channel.counterpart {
      case .app: betweenApps(channel)
      case .url: toURL(channel)
      case .location: channel.isIncoming ? opening(channel) : saving(channel)
      case .system: channel.isIncoming ? picking(channel) : toSystem(channel)
      }
    request.via = pick(SharingPath.allCases)
    request.device = device()
    return request
  }

  package mutating func policy() -> EffectivePolicy { pick(pool) }

  // MARK: Shapes of requests

  private mutating func betweenApps(_ channel: Channel) -> TransferRequest {
    let sender = party()
    return TransferRequest(
      channel: channel, sender: sender, owner: owner(of: sender), receiver: receiver(from: sender),
      content: Content(
        characters: flag(outOf: 4) ? nil : pick([0, 1, 2, 5, 6, 10, 11, 70_000])))
  }

  private mutating func toURL(_ channel: Channel) -> TransferRequest {
    let sender = party()
    return TransferRequest(
      channel: channel, sender: sender, owner: owner(of: sender),
      receiver: flag(outOf: 4) ? .system : receiver(from: sender), content: url(on: channel))
  }

  private mutating func saving(_ channel: Channel) -> TransferRequest {
    let sender = party()
    let owner = owner(of: sender)
    let known = [Owner(account: sender.identity.account, policy: sender.policy), owner]
    let location = location()
    return TransferRequest(
      channel: channel, sender: sender, owner: owner,
      receiver: holder(of: location, in: sender.app, known: known),
      content: Content(location: location))
  }

  private mutating func opening(_ channel: Channel) -> TransferRequest {
    let receiver = party()
    let known = [Owner(account: receiver.identity.account, policy: receiver.policy)]
    let location = location()
    let holder = holder(of: location, in: receiver.app, known: known)
    let owner = Owner(account: holder.identity.account, policy: holder.policy)
    return TransferRequest(
      channel: channel, sender: holder, owner: owner, receiver: receiver,
      content: Content(location: location))
  }

  private mutating func picking(_ channel: Channel) -> TransferRequest {
    TransferRequest(channel: channel, sender: .system, owner: Owner(), receiver: party())
  }

  private mutating func toSystem(_ channel: Channel) -> TransferRequest {
    let sender = party()
    let held = flag() ? sender.policy : policy()
    return TransferRequest(
      channel: channel, sender: sender, owner: owner(of: sender),
      appPolicy: flag(outOf: 4) ? nil : held, content: Content(isExternalPage: flag()))
  }

  // MARK: People

  /// A few accounts in many spellings: with and without object id and tenant, renamed, and one UPN
  /// that another account reuses.
  package static let accounts: [Account] = [
    Account(upn: "anna@contoso.com", objectID: "a1b2", tenantID: "t-contoso"),
    Account(upn: "Anna@Contoso.com", objectID: "A1B2"),
    Account(upn: "ANNA@contoso.com"),
    Account(upn: "anna.new@contoso.com", objectID: "a1b2", tenantID: "T-Contoso"),
    Account(upn: "anna@contoso.com", objectID: "ffff", tenantID: "t-contoso"),
    Account(upn: "bert@contoso.com", objectID: "b3c4", tenantID: "t-contoso"),
    Account(upn: "bert@CONTOSO.com"),
    Account(upn: "carl@fabrikam.com", objectID: "c5d6", tenantID: "t-fabrikam"),
    Account(upn: "carl@fabrikam.com"),
    Account(upn: "dora@fabrikam.com", objectID: "d7e8", tenantID: "t-contoso"),
    Account(upn: "emil"),
  ]

  private mutating func party() -> Party {
    let app = app()
    let identity = identity()
    return Party(app: app, identity: identity, policy: policy(for: identity.account))
  }

  /// Returns the sender's own account half of the time. An account has one policy in an app.
  private mutating func owner(of sender: Party) -> Owner {
    let account = flag() ? sender.identity.account : identity().account
    guard let account else { return Owner() }
    if let active = sender.identity.account, active.isSameUser(as: account) {
      return Owner(account: account, policy: sender.policy)
    }
    return Owner(account: account, policy: policy(for: account))
  }

  private mutating func receiver(from sender: Party) -> Party {
    var receiver = party()
    if flag(outOf: 4) { receiver.identity = sender.identity }
    let isSameApp = receiver.app.bundleID == sender.app.bundleID
    if isSameApp && receiver.identity.isSameUser(as: sender.identity) {
      receiver.policy = sender.policy
    } else if receiver.identity.account == nil {
      receiver.policy = nil
    }
    return receiver
  }

  /// Returns the location's account. It has its policy in the app if it is one of the `known`
  /// accounts.
  private mutating func holder(
    of location: StorageLocation?, in app: AppState, known: [Owner]
  ) -> Party {
    var identity = flag(outOf: 3) ? .unset : identity()
    if flag(outOf: 3), let account = pick(known).account { identity = .account(account) }
    if location?.hasAccount == false, !flag(outOf: 4) { identity = .unset }
    guard let account = identity.account else { return Party(app: app, identity: identity) }
    let person = known.first { $0.account?.isSameUser(as: account) == true }
    let policy = person.map(\.policy) ?? policy(for: account)
    return Party(app: app, identity: identity, policy: policy)
  }

  private mutating func identity() -> Identity {
    switch generator.index(below: 8) {
    case 0: .unset
    case 1: .unknown
    default:  // open: the last of the numbers
      .account(pick(Self.accounts))
    }
  }

  private mutating func policy(for account: Account?) -> EffectivePolicy? {
    account == nil || flag(outOf: 4) ? nil : policy()
  }

  // MARK: Apps and devices

  private static let versions = [
    "7.0", "8.0.1", "8.0.2", "8.0.14", "9.0.14", "11.0.9", "12.0.15", "12.0.16", "12.7", "14.5",
    "15.0.9", "15.1", "19.0", "19.7.5", "19.7.6", "19.7.12", "20.2", "20.2.1", "20.4", "21.7.1",
  ].map { Version($0) }

  private mutating func app() -> AppState {
    var app = AppState(
      bundleID: pick(["com.example.mail", "com.example.notes", "com.example.files"]),
      isMultiIdentity: flag(), isMDMManaged: flag(), hasEnrolledUPN: flag(), linksSDK: flag(),
      sdkVersion: flag() ? nil : pick(Self.versions),
      isScreenCaptureControlDisabled: flag(outOf: 4), webViews: pick(WebViewPolicy.allCases),
      schemes: pick([
        [], ["phone"], ["messages"], ["firefox", "firefoxs"],
        ["phone", "messages", "no_scheme", "no_schemes", "firefox"],
      ]))
    app.lacksRequiredAccount = app.isScreenCaptureControlDisabled && !app.hasEnrolledUPN
    return app
  }

  private mutating func device() -> DeviceRestrictions {
    guard flag() else { return DeviceRestrictions(allowOpenFromManagedToUnmanaged: flag()) }
    var device = DeviceRestrictions(
      isMDMEnrolled: true, allowOpenFromManagedToUnmanaged: flag(),
      allowOpenFromUnmanagedToManaged: flag(), requireManagedPasteboard: flag(),
      allowManagedToWriteUnmanagedContacts: flag(), allowUnmanagedToReadManagedContacts: flag(),
      allowScreenShot: flag(), allowWritingTools: flag(), allowGenmoji: flag())
    device.isFileEncryptionRequired = flag()
    return device
  }

  // MARK: Contents

  private static let schemes = [
    "http", "https", "tel", "telprompt", "sms", "imessage", "mailto", "skype",
  ]

  private static let links = [
    "https://contoso.com", "https://WWW.Contoso.com/docs/1", "http://www.contoso.com/docs/1?x#y",
    "http://fabrikam.com/", "https://evil.example/https://contoso.com/",
  ]

  private mutating func url(on channel: Channel) -> Content {
    var content = Content(isKnownManagedScheme: flag(), opensInManagedBrowser: flag(outOf: 4))
    if channel == .openURL && flag() {
      content.scheme = flag(outOf: 8) ? nil : pick(Self.schemes)
    } else {
      let url = pick(Self.links)
      content.scheme = url.hasPrefix("https") ? "https" : "http"
      content.link = flag(outOf: 8) ? nil : WebLink(url)
    }
    return content
  }

  /// Returns any existing location, and sometimes none.
  private mutating func location() -> StorageLocation? {
    flag(outOf: 20) ? nil : pick(StorageLocation.allCases)
  }

  // MARK: Settings

  /// Values that occur in apps and contents.
  private static let pool = {
    var pool = SettingPool()
    pool.counts = [0, 0, 1, 5, 10, 65_535]
    pool.exemptedSchemes = schemes
    pool.links = [
      "https://*.contoso.com/*", "https://contoso.com/", "http*://fabrikam.com", "*contoso*", "*",
      "http://www.contoso.com",
    ].map { LinkPattern($0) }
    pool.listOdds = 7
    pool.schemes = [
      .customBrowserProtocol: ["", "", "firefox", "no_scheme"],
      .customDialerAppProtocol: ["", "phone", "phone", "no_scheme"],
      .messagingRedirectAppUrlScheme: ["", "messages", "messages", "no_scheme"],
    ]
    return pool
  }()

  // MARK: Drawing

  package mutating func pick<Value>(_ values: [Value]) -> Value { generator.element(of: values) }

  /// Returns true with a probability of one in `count`.
  package mutating func flag(outOf count: Int = 2) -> Bool { generator.flag(outOf: count) }
}
