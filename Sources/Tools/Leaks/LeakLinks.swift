import Model
internal import Output
import Policy

/// The URLs that can carry data to apps on the device, with the app that opens each unless a policy redirects it.
struct LeakLinks: Sendable {
  /// The installed apps, in the world's order.
  fileprivate let openers: [LeakWorld.Opener]
  let managedBrowser: Int?
  /// For each scheme, the index in ``openers`` of the app that opens it. It is the first app that registers the scheme
  /// and is not banned. If all such apps are banned, it is the first of them.
  private let byScheme: [String: Int]
  /// The indices of the openers that claim a host, keyed by host or wildcard domain.
  private let byHost: [String: [Int]]
  private let wildcards: [Int]
  /// The indices of the openers that have an account with a policy.
  private let protecting: Set<Int>
  private(set) var all: [Link] = []
  /// The links that each app opens unless a policy redirects them, by the app's index in the world.
  private var byApp: [Int: [Link]] = [:]
  /// The indices in ``LeakWorld/apps`` of the apps to which policies direct URLs.
  private var named: Set<Int> = []

  /// A URL to which a sender can append data.
  struct Link: Sendable {
    var url: String
    var scheme: String
    /// The channel, and the app that opens the URL unless a policy redirects it. The app is an index in `openers`.
    var target: URLTarget<Int>
    /// Whether an app that integrates the SDK registers the twin of the scheme, and therefore gets the scheme's URLs.
    var hasManagedTwin: Bool
  }

  /// Collects the URLs of a world.
  ///
  /// They cover the schemes of apps and settings, the hosts of apps and policies, and `example.org`.
  init(_ world: LeakWorld) {
    openers = world.openers
    managedBrowser = openers.firstIndex { $0.bundleID.lowercased() == ManagedBrowser.bundleID }
    var byScheme: [String: Int] = [:]
    for (index, opener) in world.openers.enumerated() {
      for scheme in opener.schemes {
        guard let first = byScheme[scheme], !world.openers[first].isBanned || opener.isBanned else {
          byScheme[scheme] = index
          continue
        }
      }
    }
    self.byScheme = byScheme
    var byHost: [String: [Int]] = [:]
    for (index, opener) in world.openers.enumerated() {
      for domain in opener.domains.compactMap(\.associatedDomain) {
        byHost[domain, default: []].append(index)
      }
    }
    self.byHost = byHost
    // Openers may name apps that the world contains only after a sign-in.
    let managed = Set(world.apps.indices.filter { world.apps[$0].hasManagedPersona })
    protecting = Set(
      world.openers.indices.filter { world.openers[$0].app.map(managed.contains) ?? false })
    wildcards = Set(byHost.filter { $0.key.hasPrefix("*.") }.flatMap(\.value)).sorted()
    let schemes = Set(byScheme.keys).union(URLRules.schemesWithSettings)
      .subtracting(["http", "https"])
    let hosts = (claimedHosts + ["example.org"]).unique
    let links = hosts.flatMap { ["https://\($0)/", "http://\($0)/"] } + Self.links(named: world)
    let urls =
      schemes.sorted().map { $0 + ":" }
      + links.unique.map { $0 + ($0.contains("?") ? "&" : "?") + "q=" }
    all = urls.compactMap(link)
    for link in all {
      guard let app = link.target.app.flatMap({ openers[$0].app }) else { continue }
      byApp[app, default: []].append(link)
    }
    named = Set(
      (Self.schemes(named: world).map(app(opening:)) + [managedBrowser])
        .compactMap { $0.flatMap { openers[$0].app } })
  }

  /// Returns the links that may reach an app, regardless of the sender.
  func links(to app: Int) -> [Link] { named.contains(app) ? all : byApp[app] ?? [] }

  private func link(_ url: String) -> Link? {
    URLScheme.of(url).map { scheme in
      Link(
        url: url, scheme: scheme, target: target(of: url, scheme),
        hasManagedTwin: managedTwin(of: scheme) != nil)
    }
  }

  /// One host for each associated-domains entry. For a wildcard entry (`*.`), it is a host that no other entry names.
  private var claimedHosts: [String] {
    let domains = openers.flatMap(\.domains).compactMap(\.associatedDomain)
    return domains.compactMap { domain in
      guard domain.hasPrefix("*.") else { return domain }
      return (0...byHost.count).lazy.map { "a\($0)" + domain.dropFirst() }
        .first { byHost[$0] == nil }
    }
  }

  /// Returns the schemes of the apps that policies select for web links, calls and messages.
  private static func schemes(named world: LeakWorld) -> Set<String> {
    Set(
      world.policies.map(\.settings).flatMap { settings in
        ["http", "https"].compactMap(settings.browserScheme) + [
          settings.customDialerAppProtocol, settings.messagingRedirectAppUrlScheme,
        ]
      }.map { $0.lowercased() })
  }

  /// Returns an example link for each pattern of exempted or managed universal links in policies.
  private static func links(named world: LeakWorld) -> [String] {
    world.policies.map(\.settings)
      .flatMap { $0.exemptedUniversalLinks + $0.managedUniversalLinks }
      .compactMap(\.samples.first)
  }
}

extension LeakLinks: URLOpeners {
  func app(claiming host: String, for service: String) -> Int? {
    ((byHost[host] ?? []) + wildcards).sorted()
      .first { openers[$0].domains.contains { $0.claims(host, for: service) } }
  }

  func app(opening scheme: String) -> Int? { byScheme[scheme] }

  func integratesSDK(_ app: Int) -> Bool { openers[app].integratesSDK }

  func protectsAccount(_ app: Int) -> Bool { protecting.contains(app) }
}

extension String {
  /// The domain of an associated-domains entry, in lower case; nil if the text is not such an entry.
  fileprivate var associatedDomain: String? {
    split(separator: ":", maxSplits: 1).dropFirst().first?.prefix { $0 != "?" }.lowercased()
  }
}

extension LeakWorld.App {
  fileprivate var hasManagedPersona: Bool { personas.contains(where: \.party.isManaged) }
}

// MARK: - Moves by URL

extension LeakTransitions {
  /// An app that may receive a URL, with the persona (the identity that the app acts for), both as indices.
  private struct Receiver {
    var app: Int
    var persona: Int
  }

  /// Returns the arrivals of data that the sender appends to the link, as the SDK and the policies route the URL.
  func openings(of link: LeakLinks.Link, by sender: Sender) -> [Arrival] {
    receivers(of: link.target, from: sender).flatMap { receiver -> [Arrival] in
      let request = request(link, link.target, receiver, from: sender)
      let verdict = evaluate(request)
      guard let required = links.app(requiredBy: verdict, for: request),
        !links.openers[required].isBanned
      else { return arrivals(link, link.target, receiver, request, verdict, sender) }
      let other = URLTarget(channel: .openURL, app: Optional(required))
      return receivers(of: other, from: sender).flatMap { receiver in
        let request = self.request(link, other, receiver, from: sender)
        return arrivals(link, other, receiver, request, evaluate(request), sender)
      }
    }
  }

  /// Returns the personas that may receive a URL with this target. A persona is an app that acts for one of its
  /// identities. A nil element is the system, which handles URLs that no app opens.
  private func receivers(of target: URLTarget<Int>, from sender: Sender) -> [Receiver?] {
    guard let opener = target.app else { return [nil] }
    guard let app = links.openers[opener].app else { return [] }
    return receivers(in: app, from: sender)
  }

  /// Returns the personas of an app (one for each of its identities) that may receive a URL. The sender itself is not
  /// among them.
  ///
  /// If the app has the sender's managed account, only that account's persona receives the URL.
  private func receivers(in app: Int, from sender: Sender) -> [Receiver] {
    guard world.apps[app].name != sender.app.name else {
      return sender.app.personas.indices.filter { $0 != sender.number }
        .map { Receiver(app: sender.index, persona: $0) }
    }
    let account = sender.persona.party.isManaged ? sender.persona.account : nil
    return (variants[world.apps[app].name] ?? []).flatMap { index -> [Receiver] in
      let personas = world.apps[index].personas
      let own = personas.indices.first { number in
        guard let account, personas[number].party.isManaged else { return false }
        return personas[number].account?.isSameUser(as: account) == true
      }
      return (own.map { [$0] } ?? Array(personas.indices)).map { Receiver(app: index, persona: $0) }
    }
  }

  private func request(
    _ link: LeakLinks.Link, _ target: URLTarget<Int>, _ receiver: Receiver?,
    from sender: Sender
  ) -> TransferRequest {
    TransferRequest(
      channel: target.channel, sender: sender.persona.party, owner: sender.persona.owner,
      receiver: receiver.map { world.apps[$0.app].personas[$0.persona].party } ?? .system,
      content: Content(
        scheme: link.scheme,
        isKnownManagedScheme: link.hasManagedTwin
          && receiver.map { world.apps[$0.app].hasManagedPersona } ?? false,
        opensInManagedBrowser: target.app != nil && target.app == links.managedBrowser,
        url: link.url, link: WebLink(link.url)),
      device: world.device)
  }

  /// Returns the arrivals that a verdict allows: at the receiver or, if the policy rewrites the URL, at the app that
  /// opens the new scheme.
  private func arrivals(
    _ link: LeakLinks.Link, _ target: URLTarget<Int>, _ receiver: Receiver?,
    _ request: TransferRequest,
    _ verdict: Verdict, _ sender: Sender
  ) -> [Arrival] {
    guard verdict.outcome == .allowed, !links.lacksTwin(link.scheme, for: verdict) else {
      return []
    }
    let url = redirection(of: link.url, for: request, verdict)
    let opener = url.map { URLScheme.of($0).flatMap(links.app(opening:)) } ?? target.app
    guard let opener, !links.openers[opener].isBanned, let app = links.openers[opener].app else {
      return []
    }
    let receivers = url == nil ? [receiver].compactMap(\.self) : receivers(in: app, from: sender)
    return receivers.map { receiver in
      let app = world.apps[receiver.app]
      return Arrival(
        app: receiver.app, persona: receiver.persona,
        hop: LeakHop(
          app: sender.app.name, persona: sender.persona.name,
          action: .open(
            LeakHop.Link(channel: request.channel, url: link.url, opened: url ?? link.url),
            to: app.name, as: app.personas[receiver.persona].name),
          requests: [request]))
    }
  }
}
