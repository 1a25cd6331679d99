public import Model

/// The URL that results where a policy hands `url` to the browser, dialer or messaging app that it names; nil where no
/// policy does.
///
/// Source: Microsoft Learn, "iOS app protection policy settings", Unmanaged browser protocol, Dialer App URL
/// Scheme and Messaging App URL Scheme.
public func redirection(of url: String, for request: TransferRequest, _ verdict: Verdict) -> String?
{
  guard verdict.outcome == .allowed, let colon = url.utf8.firstIndex(of: UInt8(ascii: ":"))
  else { return nil }
  // Another side's policy keeps the link in the managed browser.
  guard !verdict.reasons.contains(where: { $0.rule == .managedBrowserUsed }) else { return nil }
  for reason in verdict.reasons {
    guard let settings = request.policy(of: reason.side)?.settings else { continue }
    switch reason.rule {
    case .customBrowser:
      return settings.browserScheme(for: url[..<colon].lowercased()).map { $0 + url[colon...] }
    case .dialerSpecificApp: return settings.customDialerAppProtocol + url[colon...]
    case .messagingSpecificApp: return settings.messagingRedirectAppUrlScheme + url[colon...]
    default: continue
    }
  }
  return nil
}

/// The scheme of the app to which a policy hands a URL that the verdict refuses to another app; nil where none does.
public func redirectedScheme(for request: TransferRequest, _ verdict: Verdict) -> String? {
  for reason in verdict.reasons {
    guard let settings = request.policy(of: reason.side)?.settings else { continue }
    switch reason.rule {
    case .customBrowserRequired:
      return request.content.scheme.flatMap(settings.browserScheme)
    case .dialerOtherApp: return settings.dialerScheme
    case .messagingOtherApp: return settings.messagingScheme
    default: continue
    }
  }
  return nil
}
