internal import Encodings
internal import Model
internal import Output
internal import Policy

/// Flows that suffice to compare two policies: if the policies differ on a channel, at least one of the channel's flows
/// shows a difference.
///
/// The simplest flows of each channel come first.
struct RepresentativeScenes {
  /// The lengths of texts in clipboard flows: each policy's limit, each limit plus 1, 1 and 65,536. A length of 0 is
  /// left out.
  private let lengths: [Int]
  private let schemes: [String]
  private let links: [String]
  /// The schemes by which the policies designate a browser (for HTTP and HTTPS links), a dialer or a messaging app.
  private let named: Set<String>

  init(_ policies: [Settings]) {
    let limits = policies.map(\.allowedOutboundClipboardSharingExceptionLength)
    lengths = Set(limits.flatMap { [$0, $0 + 1] } + [1, 65536]).subtracting([0]).sorted()
    let exempted = policies.reduce(into: Set<String>()) { $0.formUnion($1.exemptedAppProtocols) }
    let others = exempted.subtracting(Self.schemes + ["http", "https"])
    schemes = Self.schemes + others.filter { URLScheme.of(Self.url(of: $0)) == $0 }.sorted()
    named = Self.named(in: policies)
    let patterns = policies.flatMap { $0.exemptedUniversalLinks + $0.managedUniversalLinks }
    links =
      (["https://www.example.org/", "http://www.example.org/"]
      + patterns.flatMap(\.samples).sorted()).unique
  }

  /// Returns the schemes of the dialers, messaging apps and browsers that the policies designate. Omits a scheme if the
  /// other settings of every policy make it ineffective.
  private static func named(in policies: [Settings]) -> Set<String> {
    var named: [String] = []
    if policies.contains(where: { $0.dialerRestrictionLevel == .customApp }) {
      named += policies.map(\.customDialerAppProtocol)
    }
    if policies.contains(where: { $0.protectedMessagingRedirectAppType == .specificApps }) {
      named += policies.map(\.messagingRedirectAppUrlScheme)
    }
    if policies.contains(where: { $0.managedBrowser != .microsoftEdge }) {
      // Browsers open HTTPS links with a second scheme.
      let browsers = policies.map(\.customBrowserProtocol)
      named += browsers + browsers.filter(\.isURLScheme).map { $0 + "s" }
    }
    return Set(named.filter(\.isURLScheme))
  }

  /// The schemes that have separate rules, and `acme`, which has none.
  private static let schemes = ["acme", "tel", "telprompt", "sms", "imessage"]

  func scenes(of channel: Channel) -> [Scene] {
    switch channel.counterpart {
    case .app: channel == .clipboard ? clipboard : transfers(channel)
    case .url: Self.withOldSDK(urls(channel))
    case .location: storage(channel)
    case .system: system(channel)
    }
  }

  private static let pairs: [Parties] = [
    Parties(.managed, to: .managed), Parties(.managed, to: .otherOrganisation),
    Parties(.managed, to: .unmanaged), Parties(.unmanaged, to: .managed),
    Parties(.managed, to: .colleague), Parties(.managed, to: .unenrolled),
    Parties(.orgData, to: .managed), Parties(.orgData, to: .unmanaged),
  ]

  private func transfers(_ channel: Channel) -> [Scene] {
    let paths = channel.row.hasTwoPaths ? SharingPath.allCases : [.sdk]
    let scenes = paths.flatMap { via in
      DeviceCondition.allCases.flatMap { device in
        Self.pairs.map { Scene(channel, via: via, $0, .none, device) }
      }
    }
    // An old SDK does not remove apps from the system's sharing, so its apps may get other answers.
    return scenes + Self.inOldSDK(scenes.filter { $0.via == .os })
  }

  /// Returns the scenes, followed by copies in which the apps have SDK 7.
  private static func withOldSDK(_ scenes: [Scene]) -> [Scene] { scenes + inOldSDK(scenes) }

  private static func inOldSDK(_ scenes: [Scene], _ release: Version = Version(7)) -> [Scene] {
    scenes.map { scene in
      var scene = scene
      scene.sdkVersion = release
      return scene
    }
  }

  private var clipboard: [Scene] {
    let subjects = lengths.map { Scene.Subject.text($0) } + [.none]
    let scenes = DeviceCondition.allCases.flatMap { device in
      subjects.flatMap { subject in
        Self.pairs.map { Scene(.clipboard, $0, subject, device) }
      }
    }
    // An old SDK does not know the limit.
    return scenes + Self.inOldSDK(scenes.filter { $0.subject != .none })
  }

  private func urls(_ channel: Channel) -> [Scene] {
    let urls = (channel == .openURL ? schemes.map { Self.url(of: $0) } : []) + links
    let pairs = [
      Parties(.managed, to: .unmanaged), Parties(.managed, to: .managed),
      Parties(.orgData, to: .unmanaged), Parties(.orgData, to: .managed),
    ]
    // An App Clip is never a managed location, even if it belongs to a managed app.
    let possible = pairs.filter { channel != .appClip || $0.to == .unmanaged }
    return urls.flatMap { url in
      openers(of: url).flatMap { opener in
        possible.map { Scene(channel, $0, .url(url, opener)) }
      }
    }
  }

  private func openers(of url: String) -> [Scene.Opener] {
    let schemes = ["tel", "telprompt", "sms", "imessage", "http", "https"]
    guard schemes.contains(URLScheme.of(url) ?? "") else { return [.any] }
    return [.any] + named.sorted().map(Scene.Opener.registering)
  }

  static func url(of scheme: String) -> String {
    switch scheme {
    case "tel", "telprompt", "sms": scheme + ":+15550100"
    case "imessage", "mailto": scheme + ":bob@example.org"
    default: scheme + "://open"  // open: any other scheme
    }
  }

  private func storage(_ channel: Channel) -> [Scene] {
    let locations =
      channel == .saveTo ? StorageLocation.saveLocations : StorageLocation.openLocations
    let scenes = locations.flatMap { location in
      Self.storagePairs(channel, location).map { Scene(channel, $0, .location(location)) }
    }
    return Self.withOldSDK(scenes)
  }

  /// Returns the possible pairs of sender and receiver. The location's account is the receiver for `saveTo`, and the
  /// sender for `openFrom`.
  private static func storagePairs(_ channel: Channel, _ location: StorageLocation) -> [Parties] {
    let pairs = [
      Parties(.managed, to: .managed), Parties(.managed, to: .otherOrganisation),
      Parties(.managed, to: .unmanaged), Parties(.unmanaged, to: .managed),
      Parties(.managed, to: .colleague), Parties(.orgData, to: .managed),
      Parties(.orgData, to: .unmanaged), Parties(.otherOrganisation, to: .managed),
    ]
    return pairs.filter { pair in
      let place = channel == .saveTo ? pair.to : pair.from
      return place != .orgData && (location.hasAccount || place == .unmanaged)
    }
  }

  private func system(_ channel: Channel) -> [Scene] {
    if channel == .documentPickerImport { return [Scene(channel, Parties(.system, to: .managed))] }
    let pairs = [End.managed, .orgData, .unmanaged].map { Parties($0, to: .system) }
    guard channel == .webView else {
      let scenes = DeviceCondition.allCases.flatMap { device in
        pairs.map { Scene(channel, $0, .none, device) }
      }
      switch channel {
      // In the releases between the two changes, screen capture follows Send although it has its
      // own setting.
      case .screenCapture:
        return Self.withOldSDK(scenes) + Self.inOldSDK(scenes, Version(20, 3))
          + pairs.map { Scene(channel, $0, .screenWithoutControl) }
      case .mailComposer, .messageComposer, .keyboard, .writingTools, .genmoji:
        return Self.withOldSDK(scenes)
      case .share, .openIn, .import, .extensionResult, .dragAndDrop, .clipboard, .contactRead,
        .openURL, .universalLink, .appClip, .saveTo, .openFrom, .documentPickerImport,
        .contactSync, .documentPickerExport, .print, .notification, .widget, .spotlight,
        .siriIntents, .appIntents, .backup, .webView, .safariExtension, .fileEncryption:
        return scenes
      }
    }
    return Scene.Page.allCases.flatMap { page in
      WebViewPolicy.allCases.flatMap { webViews in
        pairs.map { Scene(channel, $0, .page(webViews, page)) }
      }
    }
  }
}
