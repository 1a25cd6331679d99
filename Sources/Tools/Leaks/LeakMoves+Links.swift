import Model
import Policy

extension LeakMoves {
  /// The apps that get a URL with data in it from a sender, as the SDK and the policies lead it.
  func openings(of link: LeakLinks.Link, by sender: Sender) -> [Arrival] {
    receivers(of: link.target, from: sender).flatMap { persona -> [Arrival] in
      let request = request(link, link.target, persona, from: sender)
      let verdict = evaluate(request)
      guard let required = links.app(requiredBy: verdict, for: request),
        !links.openers[required].isBanned
      else { return arrivals(link, link.target, persona, request, verdict, sender) }
      let other = URLTarget(channel: .openURL, app: Optional(required))
      return receivers(of: other, from: sender).flatMap { persona in
        let request = self.request(link, other, persona, from: sender)
        return arrivals(link, other, persona, request, evaluate(request), sender)
      }
    }
  }

  /// The personas for which a target may get a URL; nil stands for the system, which has a URL that no app opens.
  private func receivers(of target: URLTarget<Int>, from sender: Sender) -> [Int?] {
    guard let opener = target.app else { return [nil] }
    guard let app = links.openers[opener].app else { return [] }
    return personas(of: app, from: sender)
  }

  /// The personas of an app that may get a URL: where it has the sender's managed account, it is asked to act for that
  /// one. The sender itself is not asked.
  private func personas(of app: Int, from sender: Sender) -> [Int] {
    let personas = world.apps[app].personas
    guard app != sender.index else { return personas.indices.filter { $0 != sender.number } }
    let account = sender.persona.party.isManaged ? sender.persona.account : nil
    let own = personas.indices.first { number in
      guard let account, personas[number].party.isManaged else { return false }
      return personas[number].account?.isSame(as: account) == true
    }
    return own.map { [$0] } ?? Array(personas.indices)
  }

  private func request(
    _ link: LeakLinks.Link, _ target: URLTarget<Int>, _ persona: Int?, from sender: Sender
  ) -> TransferRequest {
    let app = target.app.flatMap { links.openers[$0].app }
    let receiver = app.flatMap { app in persona.map { world.apps[app].personas[$0].party } }
    return TransferRequest(
      channel: target.channel, sender: sender.persona.party, owner: sender.persona.owner,
      receiver: receiver ?? .system,
      content: Content(
        scheme: link.scheme, isKnownManagedScheme: link.isKnownManagedScheme,
        opensInManagedBrowser: target.app != nil && target.app == links.managedBrowser,
        url: link.url, link: WebLink(link.url)),
      device: world.device)
  }

  /// What comes of a verdict: the URL is at the receiver or, where the policy rewrites it, at the app of its new scheme.
  private func arrivals(
    _ link: LeakLinks.Link, _ target: URLTarget<Int>, _ persona: Int?, _ request: TransferRequest,
    _ verdict: Verdict, _ sender: Sender
  ) -> [Arrival] {
    guard verdict.outcome == .allowed else { return [] }
    let url = redirection(of: link.url, for: request, verdict)
    let opener = url.map { URLScheme.of($0).flatMap(links.app(opening:)) } ?? target.app
    guard let opener, !links.openers[opener].isBanned, let app = links.openers[opener].app else {
      return []
    }
    let receivers = url == nil ? [persona].compactMap(\.self) : personas(of: app, from: sender)
    let verdict = Explainer.explain(request, verdict)
    return receivers.map { number in
      Arrival(
        app: app, persona: number,
        hop: LeakHop(
          app: sender.app.name, persona: sender.persona.name,
          action: .open(
            LeakHop.Link(channel: request.channel, url: link.url, opened: url ?? link.url),
            to: world.apps[app].name, as: world.apps[app].personas[number].name),
          verdict: verdict, request: request))
    }
  }
}
