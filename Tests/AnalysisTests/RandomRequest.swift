import Model
import Policy
import PolicySupport
import TestSupport

extension SettingPool {
  /// The values that occur in ``RandomRequest``.
  static let flows = {
    var pool = SettingPool()
    pool.counts = [0, 0, 1, 5, 20, 65_535]
    pool.exemptedSchemes = ["skype", "tel", "sms", "mailto", "https", "webex"]
    pool.links = [
      "https://maps.example.com", "https://*.example.com/*", "*://files.example.net/*",
    ].map { LinkPattern($0) }
    pool.schemes = [
      .customDialerAppProtocol: ["", "dial", "call"], .messagingRedirectAppUrlScheme: ["", "chat"],
      .customBrowserProtocol: ["", "", "browse"],
    ]
    return pool
  }()
}

extension Settings {
  /// Draws the settings that affect flows.
  static func random(_ generator: inout SeededGenerator) -> Settings {
    random(using: &generator, on: [.dataProtection], from: .flows)
  }

  /// Returns a copy of the settings with a few redrawn values.
  func varied(_ generator: inout SeededGenerator) -> Settings {
    let other = Settings.random(&generator)
    var settings = self
    let differing = differences(from: other)
    let count = Int.random(in: 1...3, using: &generator)
    for setting in differing.shuffled(using: &generator).prefix(count) {
      settings.copy(setting, from: other)
    }
    return settings
  }
}

/// A request without policies. It is drawn independently of the representative flows.
struct RandomRequest {
  private var template: TransferRequest
  private let isSenderManaged: Bool
  private let isOwnerManaged: Bool
  private let isReceiverManaged: Bool
  private let hasAppPolicy: Bool

  init(_ channel: Channel, _ generator: inout SeededGenerator) {
    let counterpart = channel.counterpart
    let device = Self.device(&generator)
    var sender = Self.party("com.contoso.mail", device, &generator)
    var receiver = Self.party("com.contoso.notes", device, &generator)
    if counterpart == .location {
      let app = channel == .saveTo ? sender.app : receiver.app
      sender.app = app
      receiver.app = app
    }
    if counterpart == .system {
      if channel == .documentPickerImport { sender = .system } else { receiver = .system }
    }
    let owner = Bool.random(using: &generator) ? sender.identity.account : Self.account(&generator)
    template = TransferRequest(
      channel: channel, via: generator.choice(), sender: sender, owner: Owner(account: owner),
      receiver: receiver, content: Self.content(channel, &generator), device: device)
    isSenderManaged = sender.identity.account != nil && Bool.random(using: &generator)
    isOwnerManaged = owner != nil && Bool.random(using: &generator)
    isReceiverManaged = receiver.identity.account != nil && Bool.random(using: &generator)
    hasAppPolicy = isSenderManaged || Bool.random(using: &generator)
  }

  /// Returns the request with `policy` applied to every managed account.
  func under(_ policy: EffectivePolicy) -> TransferRequest {
    var request = template
    request.sender.policy = isSenderManaged ? policy : nil
    request.receiver.policy = isReceiverManaged ? policy : nil
    request.owner.policy = isOwnerManaged ? policy : nil
    let isOwnedBySender =
      switch (request.owner.account, request.sender.identity.account) {
      case (let owner?, let sender?): owner.isSameUser(as: sender)
      case (nil, _), (_, nil): false
      }
    if isOwnedBySender { request.owner.policy = request.sender.policy }
    request.appPolicy = hasAppPolicy ? policy : nil
    return request
  }

  private static func account(_ generator: inout SeededGenerator) -> Account? {
    let names = ["anna@contoso.com", "ben@contoso.com", "carl@fabrikam.com", nil]
    return (names.randomElement(using: &generator) ?? nil).map { Account(upn: $0) }
  }

  private static func party(
    _ bundleID: String, _ device: DeviceRestrictions, _ generator: inout SeededGenerator
  ) -> Party {
    let version = [nil, Version(7), Version(14), Version(19)].randomElement(using: &generator)
    let app = AppState(
      bundleID: bundleID, isMultiIdentity: .random(using: &generator),
      isMDMManaged: device.isMDMEnrolled && .random(using: &generator),
      hasEnrolledUPN: device.isMDMEnrolled && .random(using: &generator),
      linksSDK: .random(using: &generator), sdkVersion: version ?? nil,
      isScreenCaptureControlDisabled: .random(using: &generator), webViews: generator.choice(),
      schemes: [[], ["dial"], ["call"], ["chat"], ["browse", "browses"]].randomElement(
        using: &generator) ?? [])
    return Party(app: app, identity: account(&generator).map(Identity.account) ?? .unset)
  }

  private static func device(_ generator: inout SeededGenerator) -> DeviceRestrictions {
    DeviceRestrictions(
      isMDMEnrolled: .random(using: &generator),
      allowOpenFromManagedToUnmanaged: .random(using: &generator),
      allowOpenFromUnmanagedToManaged: .random(using: &generator),
      requireManagedPasteboard: .random(using: &generator),
      allowManagedToWriteUnmanagedContacts: .random(using: &generator),
      allowUnmanagedToReadManagedContacts: .random(using: &generator),
      allowScreenShot: .random(using: &generator), allowWritingTools: .random(using: &generator),
      allowGenmoji: .random(using: &generator))
  }

  private static let lengths = [nil, 0, 1, 3, 5, 6, 12, 20, 21, 400, 65535, 65536]

  private static func content(_ channel: Channel, _ generator: inout SeededGenerator) -> Content {
    var content = Content(
      characters: lengths.randomElement(using: &generator) ?? nil,
      isKnownManagedScheme: .random(using: &generator),
      opensInManagedBrowser: .random(using: &generator),
      isExternalPage: .random(using: &generator))
    if channel.counterpart == .url {
      let links = [
        "https://maps.example.com/", "https://a.example.com/b", "http://files.example.net/x",
        "https://files.example.net/y", "https://other.example.org/",
      ]
      let schemes = SettingPool.flows.exemptedSchemes + ["other", "telprompt", "imessage"]
      let urls = links + (channel == .openURL ? schemes.map { $0 + ":x" } : [])
      let url = urls.randomElement(using: &generator) ?? ""
      content.scheme = URLScheme.of(url)
      content.link = WebLink(url)
    }
    if channel.counterpart == .location { content.location = generator.choice() }
    return content
  }
}
