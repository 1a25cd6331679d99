import Model
import Policy

extension LeakMoves {
  /// An app that may get a URL, as one of its personas.
  private struct Receiver {
    var app: Int
    var persona: Int
  }

  /// The apps that get a URL with data in it from a sender, as the SDK and the policies lead it.
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

  /// Those for whom a target may get a URL; nil stands for the system, which has a URL that no app opens.
  private func receivers(of target: URLTarget<Int>, from sender: Sender) -> [Receiver?] {
    guard let opener = target.app else { return [nil] }
    guard let app = links.openers[opener].app else { return [] }
    return receivers(in: app, from: sender)
  }

  /// The personas of an app that may get a URL: where it has the sender's managed account, it is asked to act for that
  /// one. The sender itself is not asked.
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
        return personas[number].account?.isSame(as: account) == true
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

  /// What comes of a verdict: the URL is at the receiver or, where the policy rewrites it, at the app of its new scheme.
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
