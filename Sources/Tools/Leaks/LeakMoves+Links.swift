import Model
import Policy

extension LeakMoves {
  /// The URLs that can carry data to somebody on the device, up to the place where the data stand: of each scheme, and
  /// to each host that an app claims, also by links that policies name.
  var links: [String] {
    let apps = world.apps.filter { $0.kind == .app }
    let schemes = Set(apps.flatMap { $0.personas.first?.party.app.schemes ?? [] })
      .subtracting(["http", "https"]).union(["tel", "sms"])
    let claimed = apps.flatMap(\.domains).compactMap(Self.host).map { "https://\($0)/" }
    let openers = WorldOpeners(apps: world.apps)
    let named = patterns.compactMap(\.samples.first).filter {
      openers.target(of: $0, "https").channel != .openURL
    }
    return schemes.sorted().map { $0 + ":" }
      + (claimed + named + ["https://example.org/"]).unique.map {
        $0 + ($0.contains("?") ? "&" : "?") + "q="
      }
  }

  /// The links that policies let go to other apps than browsers.
  private var patterns: [LinkPattern] {
    world.apps.flatMap(\.personas).compactMap(\.party.policy?.settings).flatMap {
      $0.exemptedUniversalLinks + $0.managedUniversalLinks
    }
  }

  /// A host that an entry of associated domains names, or one below it.
  private static func host(of entry: String) -> String? {
    guard let colon = entry.firstIndex(of: ":") else { return nil }
    let domain = entry[entry.index(after: colon)...].prefix { $0 != "?" }.lowercased()
    return domain.hasPrefix("*.") ? "www" + domain.dropFirst() : domain
  }

  /// The apps that get a URL with data in it from a sender, as the SDK and the policies lead it.
  func openings(of link: String, by sender: Sender) -> [Arrival] {
    guard let scheme = URLScheme.of(link) else { return [] }
    let openers = WorldOpeners(apps: world.apps)
    let target = openers.target(of: link, scheme)
    return receivers(of: target, from: sender).flatMap { number -> [Arrival] in
      let request = self.request(link, scheme, target, number, from: sender, openers)
      let verdict = evaluate(request)
      guard let required = openers.app(requiredBy: verdict, for: request) else {
        return [arrival(link, request, verdict, at: target.app, number, sender, openers)]
          .compactMap(\.self)
      }
      let other = URLTarget(channel: .openURL, app: Optional(required))
      return receivers(of: other, from: sender).compactMap { number in
        let request = self.request(link, scheme, other, number, from: sender, openers)
        return arrival(link, request, evaluate(request), at: required, number, sender, openers)
      }
    }
  }

  /// The personas for which the target may get a URL: where it has the sender's managed account, it is asked to act for
  /// that one. Of a target that is no app on the device, none.
  private func receivers(of target: URLTarget<Int>, from sender: Sender) -> [Int?] {
    guard let index = target.app else { return [nil] }
    let personas = world.apps[index].personas
    let own = personas.indices.first { number in
      guard let account = personas[number].account, sender.persona.party.isManaged else {
        return false
      }
      return personas[number].party.isManaged && sender.persona.account?.isSame(as: account) == true
    }
    return own.map { [$0] } ?? personas.indices.map(Optional.some)
  }

  private func request(
    _ link: String, _ scheme: String, _ target: URLTarget<Int>, _ number: Int?,
    from sender: Sender, _ openers: WorldOpeners
  ) -> TransferRequest {
    let receiver = target.app.flatMap { app in number.map { world.apps[app].personas[$0].party } }
    return TransferRequest(
      channel: target.channel, sender: sender.persona.party, owner: sender.persona.owner,
      receiver: receiver ?? .system,
      content: Content(
        scheme: scheme, isKnownManagedScheme: openers.managedTwin(of: scheme) != nil,
        opensInManagedBrowser: target.app != nil && target.app == openers.managedBrowser,
        url: link, link: WebLink(link)),
      device: world.device)
  }

  /// What comes of a verdict; nil where nobody else gets the URL.
  private func arrival(
    _ link: String, _ request: TransferRequest, _ verdict: Verdict, at app: Int?, _ number: Int?,
    _ sender: Sender, _ openers: WorldOpeners
  ) -> Arrival? {
    guard verdict.outcome == .allowed else { return nil }
    let url = redirection(of: link, for: request, verdict) ?? link
    // A URL that the policy rewrites goes to the app of its new scheme.
    let opener = url == link ? app : URLScheme.of(url).flatMap(openers.app(opening:))
    guard let opener, opener != sender.index, let number,
      world.apps[opener].personas.indices.contains(number)
    else { return nil }
    let persona = world.apps[opener].personas[number]
    return Arrival(
      app: opener, persona: number,
      hop: LeakHop(
        app: sender.app.name, persona: sender.persona.name,
        action: .open(
          LeakHop.Link(channel: request.channel, url: link, opened: url),
          to: world.apps[opener].name, as: persona.name),
        verdict: Explainer.explain(request, verdict), request: request))
  }
}

/// The apps of a world as the system finds them for a URL.
private struct WorldOpeners: URLOpeners {
  let apps: [LeakWorld.App]

  func app(claiming host: String, for service: String) -> Int? {
    first { $0.domains.contains { $0.claims(host, for: service) } }
  }

  func app(opening scheme: String) -> Int? {
    first { $0.personas.first?.party.app.schemes.contains(scheme) ?? false }
  }

  func integratesSDK(_ app: Int) -> Bool {
    apps[app].personas.first?.party.app.linksSDK ?? false
  }

  var managedBrowser: Int? {
    first { $0.personas.first?.party.app.bundleID.lowercased() == ManagedBrowser.bundleID }
  }

  private func first(where isMeant: (LeakWorld.App) -> Bool) -> Int? {
    apps.firstIndex { $0.kind == .app && isMeant($0) }
  }
}
