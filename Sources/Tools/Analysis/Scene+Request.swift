internal import GraphDocuments
internal import Model
public import Policy

extension Scene {
  /// The transfer under `policy`, which applies to every managed account that takes part.
  public func request(under policy: EffectivePolicy) -> TransferRequest {
    let sender = party(parties.from, policy, isAsking: !channel.isIncoming)
    let owner =
      parties.from == .orgData
      ? Owner(account: End.anna, policy: policy)
      : Owner(account: sender.identity.account, policy: sender.policy)
    let isSenderManagedApp = parties.from != .system && sender.app.isMultiIdentity
    return TransferRequest(
      channel: channel, via: via, sender: sender, owner: owner,
      receiver: party(parties.to, policy, isAsking: channel.isIncoming),
      appPolicy: isSenderManagedApp ? policy : nil, content: content, device: device.device)
  }

  private func party(_ end: End, _ policy: EffectivePolicy, isAsking: Bool) -> Party {
    if end == .system { return .system }
    return Party(
      app: app(end, isAsking: isAsking), identity: identity(end, isAsking: isAsking),
      policy: end.isManaged ? policy : nil)
  }

  /// Whether an unmanaged end is an app of its own, rather than the personal account of the managed app.
  private func isForeign(_ end: End, isAsking: Bool) -> Bool {
    guard end == .unmanaged || end == .unenrolled else { return false }
    return channel.counterpart == .app || (channel.counterpart == .url && !isAsking)
  }

  /// The identity of an end: none for an unmanaged end in an app of its own, or as the account of a storage location.
  private func identity(_ end: End, isAsking: Bool) -> Identity {
    if let account = end.account { return .account(account) }
    guard isAsking, !isForeign(end, isAsking: isAsking) else { return .unset }
    return .account(End.personal)
  }

  private func app(_ end: End, isAsking: Bool) -> AppState {
    guard !isForeign(end, isAsking: isAsking) else {
      return AppState(
        bundleID: end == .unenrolled ? "com.example.scanner" : foreignApp,
        isMDMManaged: device == .restrictedToMDMApp, linksSDK: end == .unenrolled,
        schemes: isAsking ? [] : schemes)
    }
    let isOther = !isAsking && (channel.counterpart == .app || channel.counterpart == .url)
    let other = opensInBrowser ? "com.microsoft.msedge" : "com.contoso.notes"
    return AppState(
      bundleID: isOther ? other : "com.contoso.mail", isMultiIdentity: true,
      isMDMManaged: device != .unenrolled, hasEnrolledUPN: device.state == .enrolled,
      linksSDK: true, sdkVersion: sdkVersion, webViews: webViews, schemes: isAsking ? [] : schemes)
  }

  /// The schemes that the app that opens a URL registers beside the URL's own scheme.
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

  /// Whether a browser opens the URL.
  private var opensInBrowser: Bool {
    guard channel == .openURL, case .url(let url, .any) = subject else { return false }
    return WebLink(url) != nil
  }

  private var webViews: WebViewPolicy {
    if case .page(let webViews, _) = subject { webViews } else { .currentIdentity }
  }

  private var content: Content {
    switch subject {
    case .none: Content()
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
