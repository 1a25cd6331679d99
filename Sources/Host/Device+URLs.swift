internal import Policy
internal import Transfer
internal import Wire

/// URLs, opened in the app that registered their scheme.
extension Device {
  func open(_ url: String, isKnownManagedScheme: Bool, _ origin: Origin) {
    let sender = origin.guest
    guard let scheme = scheme(of: url) else {
      return refuse(origin, .openURL, .malformedURL, subject: url)
    }
    let receiver = app(opening: scheme)
    let hasTwin = app(opening: scheme + "-intunemam")?.app.integratesSDK ?? false
    let party = receiver?.party ?? Party(app: AppState(bundleID: ""), identity: .unset)
    let transfer = TransferRequest(
      channel: .openURL, sender: sender.party, owner: sender.ownership.owner, receiver: party,
      content: Content(
        scheme: scheme, isKnownManagedScheme: isKnownManagedScheme || hasTwin,
        opensInManagedBrowser: receiver?.app.bundleID == Self.managedBrowser),
      device: configuration.state)
    let ruling = Ruling(transfer, evaluate(transfer), sender.ownership, arena: encoding)
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: .openURL, sender: sender.participant,
        receiver: receiver?.participant, owner: sender.ownership.owner.account?.upn ?? "",
        subject: url,
        verdict: ruling.explained))
    if ruling.verdict.outcome == .blocked {
      finish(origin, .refused, ruling.answer(.refused))
    } else if let receiver {
      deliver(url: url, from: origin, to: receiver, ruling)
    } else {
      finish(
        origin, .failed, ruling.answer(.failed), detail: "no app on this device opens `\(scheme)`")
    }
  }

  /// Microsoft Edge.
  private static let managedBrowser = "com.microsoft.msedge"

  private func app(opening scheme: String) -> Guest? {
    order.first { $0.app.schemes.contains(scheme) }
  }

  /// The scheme of a URL, lower case (RFC 3986, section 3.1); nil where it has none.
  private func scheme(of url: String) -> String? {
    guard let end = url.utf8.firstIndex(of: UInt8(ascii: ":")), end > url.startIndex else {
      return nil
    }
    let scheme = url[..<end].lowercased()
    let isValid =
      scheme.first.map { ("a"..."z").contains($0) } ?? false
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    return isValid ? scheme : nil
  }
}
