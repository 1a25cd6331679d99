internal import Model
internal import Policy

/// Generates random requests like those of apps: every channel with its typical items, managed and unmanaged
/// parties, devices with and without MDM, and policies from a file.
struct RequestMix {
  /// The policies from which requests choose.
  let policies: [EffectivePolicy]
  private var generator: SeededGenerator

  init(seed: UInt64, policies count: Int = 40) throws {
    var export = PolicyExport(seed: seed, apps: Cast.apps.map(\.bundleID))
    let text = export.list(count: count)
    policies = try PolicyReader.read(Array(text.utf8), file: "policies.json")
      .map { EffectivePolicy.merging([$0]) }
    generator = SeededGenerator(seed: seed)
  }

  /// Returns `count` requests on each of `channels`, in random order.
  mutating func requests(on channels: [Channel], each count: Int) -> [TransferRequest] {
    var requests: [TransferRequest] = []
    for channel in channels {
      for _ in 0..<count { requests.append(request(on: channel)) }
    }
    return requests.shuffled(using: &generator)
  }

  private mutating func request(on channel: Channel) -> TransferRequest {
    let device = device()
    let cast = Cast(policies: [policy(), policy()], device: device)
    let path = generator.pick(SharingPath.allCases)
    let content = content(on: channel)
    var (sender, receiver) = (cast.party(&generator), cast.party(&generator))
    switch channel.counterpart {
    case .app: break
    case .url: if generator.once(in: 4) { receiver = .system }
    case .location: place(&sender, &receiver, channel, content.location, cast)
    case .system:
      if channel == .documentPickerImport { sender = .system } else { receiver = .system }
    }
    let owner = cast.owner(of: sender, &generator)
    return TransferRequest(
      channel: channel, via: path, sender: sender, owner: owner, receiver: receiver,
      appPolicy: cast.appPolicy(of: sender.app), content: content, device: device)
  }

  /// Returns a random policy, or nil in 1 of 12 cases.
  private mutating func policy() -> EffectivePolicy? {
    generator.once(in: 12) ? nil : generator.pick(policies)
  }

  /// Returns the party at a storage location. It is the app itself, acting for the location's
  /// account.
  private mutating func place(
    _ sender: inout Party, _ receiver: inout Party, _ channel: Channel,
    _ location: StorageLocation?, _ cast: Cast
  ) {
    let own = channel == .saveTo ? sender : receiver
    var identity = Identity.unset
    // In 1 of 20 cases, an account is stated by mistake for a location that has none.
    if location?.hasAccount == true || generator.once(in: 20) {
      identity = generator.pick([
        own.identity, own.identity, .account(Cast.anna), .account(Cast.eve), .unset,
      ])
    }
    let place = Party(
      app: own.app, identity: identity, policy: cast.policy(of: identity, in: own.app))
    if channel == .saveTo { receiver = place } else { sender = place }
  }

  private mutating func device() -> DeviceRestrictions {
    guard generator.once(in: 2) else { return DeviceRestrictions() }
    return DeviceRestrictions(
      isMDMEnrolled: true, allowOpenFromManagedToUnmanaged: generator.once(in: 2),
      allowOpenFromUnmanagedToManaged: generator.once(in: 2),
      requireManagedPasteboard: generator.once(in: 2),
      allowManagedToWriteUnmanagedContacts: generator.once(in: 2),
      allowUnmanagedToReadManagedContacts: generator.once(in: 2))
  }
}

extension RequestMix {
  private mutating func content(on channel: Channel) -> Content {
    if channel == .webView {
      return Content(characters: length(), isExternalPage: generator.once(in: 2))
    }
    switch channel.counterpart {
    case .url:
      let urls = channel == .openURL ? Self.urls + Self.links : Self.links
      return url(generator.pick(urls))
    case .location:
      let usual =
        channel.isIncoming ? StorageLocation.openLocations : StorageLocation.saveLocations
      return Content(location: location(usual))
    case .app, .system: return Content(characters: generator.once(in: 4) ? nil : length())
    }
  }

  private mutating func url(_ url: String) -> Content {
    Content(
      scheme: URLScheme.of(url), isKnownManagedScheme: generator.once(in: 4),
      opensInManagedBrowser: generator.once(in: 3), link: WebLink(url))
  }

  /// Returns one of the channel's usual locations, or in 1 of 50 cases any other location.
  private mutating func location(_ usual: [StorageLocation]) -> StorageLocation {
    generator.pick(generator.once(in: 50) ? StorageLocation.allCases : usual)
  }

  private mutating func length() -> Int { generator.pick([4, 10, 11, 20, 25, 80, 100, 400, 2500]) }

  private static let urls = [
    "mailto:ben@contoso.com", "tel:+15550100", "telprompt:+15550100", "sms:+15550100",
    "imessage:ben@contoso.com", "skype:ben?call", "msteams://l/chat/0/0?users=ben@contoso.com",
    "ms-word:ofe|u|https://contoso.sharepoint.com/report.docx", "whatsapp://send?text=hello",
    "contoso-notes://note/42", "itms-apps://apps.apple.com/app/id586447913",
  ]

  private static let links = [
    "https://contoso.sharepoint.com/sites/finance/Shared%20Documents/report.docx",
    "https://contoso-my.sharepoint.com/personal/anna_contoso_com/Documents/plan.xlsx?web=1",
    "https://www.example.org/", "http://intranet.contoso.com/news/2025/11/town-hall",
    "https://maps.apple.com/?q=Seattle",
    "https://eu.teams.microsoft.com/l/meetup-join/19%3ameeting",
    "https://apps.apple.com/us/app/microsoft-word/id586447913",
    "https://en.wikipedia.org/wiki/Mobile_application_management#History",
  ]
}
