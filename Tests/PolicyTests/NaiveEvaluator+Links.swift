import Model
import Policy

/// Evaluates URLs: schemes, web links, calls and messages.
extension NaiveEvaluator {
  /// The app or the system that receives a URL.
  enum Opener {
    case scheme, universalLink, appClip
  }

  static func mayOpen(
    _ settings: Settings, _ request: TransferRequest, by opener: Opener
  ) -> Bool {
    let content = request.content
    guard let scheme = content.scheme else { return maySendURL(settings, request) }
    if settings.exemptedAppProtocols.contains(scheme) { return true }
    return switch scheme {
    case "http", "https":
      mayBrowse(scheme, settings, request)
        || mayLeaveBrowser(settings, request, by: opener)
    case "tel" where !has(request.sender.app, Version(12, 7)),
      "telprompt" where !has(request.sender.app, Version(12, 7)),
      "sms" where !has(request.sender.app, Version(19)),
      "imessage" where !has(request.sender.app, Version(19)):
      maySendURL(settings, request)
    case "tel", "telprompt":
      mayCall(settings, request.receiver.app.schemes, isManaged: isOpenedByManaged(request))
    case "sms", "imessage":
      mayText(settings, request.receiver.app.schemes, isManaged: isOpenedByManaged(request))
    default:  // open: any other scheme
      maySendURL(settings, request)
    }
  }

  private static func maySendURL(_ settings: Settings, _ request: TransferRequest) -> Bool {
    switch settings.allowedOutboundDataTransferDestinations {
    case .allApps: true
    case .none: false
    case .managedApps: isOpenedByManaged(request)
    }
  }

  private static func isOpenedByManaged(_ request: TransferRequest) -> Bool {
    request.content.isKnownManagedScheme || request.receiver.policy != nil
  }

  private static func mayBrowse(
    _ scheme: String, _ settings: Settings, _ request: TransferRequest
  ) -> Bool {
    let schemes = request.receiver.app.schemes
    let inManagedBrowser = request.content.opensInManagedBrowser
    let name = has(request.sender.app, Version(11, 0, 9)) ? settings.customBrowserProtocol : ""
    let hasCustomBrowser = name != "" && !name.contains("_")
    let browser = settings.managedBrowser
    let isRequired = settings.managedBrowserToOpenLinksRequired
    return switch (hasCustomBrowser, browser, isRequired, inManagedBrowser) {
    case (true, .notConfigured, _, _): schemes.contains(scheme == "https" ? name + "s" : name)
    case (false, .notConfigured, false, _): true
    case (_, _, _, true): true
    case (_, .microsoftEdge, _, false): false
    case (false, .notConfigured, true, false): false
    }
  }

  /// Returns whether an app other than a browser may open the link.
  private static func mayLeaveBrowser(
    _ settings: Settings, _ request: TransferRequest, by opener: Opener
  ) -> Bool {
    guard let link = request.content.link else { return false }
    let isExempted = settings.exemptedUniversalLinks.contains { describes($0, link) }
    let isManaged = settings.managedUniversalLinks.contains { describes($0, link) }
    return switch opener {
    case .scheme: false
    case .universalLink: isExempted || isManaged && request.receiver.policy != nil
    case .appClip: isExempted
    }
  }

  /// Returns whether the pattern matches the link. `*` stands for any characters of the host or the
  /// path. A host without `*` matches all its paths.
  private static func describes(_ pattern: LinkPattern, _ link: WebLink) -> Bool {
    guard let parts = parts(pattern.text.lowercased()), let linkParts = self.parts(link.text) else {
      return false
    }
    let isHostAlone =
      pattern.text.split(separator: "/", omittingEmptySubsequences: false).count == 3
    if isHostAlone, !pattern.text.contains("*") { return parts[..<2] == linkParts[..<2] }
    return zip(parts, linkParts).allSatisfy { fits($0[...], $1[...]) }
  }

  /// Returns scheme, host and path; nil without `://`.
  private static func parts(_ url: String) -> [String]? {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count > 2, parts[0].hasSuffix(":"), parts[1].isEmpty else { return nil }
    return [String(parts[0]), String(parts[2]), "/" + (parts.count > 3 ? parts[3] : "")]
  }

  private static func fits(_ pattern: Substring, _ text: Substring) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return fits(pattern.dropFirst(), text) || !text.isEmpty && fits(pattern, text.dropFirst())
    }
    return text.first == first && fits(pattern.dropFirst(), text.dropFirst())
  }

  // MARK: Calls and messages

  private static func mayCall(
    _ settings: Settings, _ schemes: Set<String>, isManaged: Bool
  ) -> Bool {
    switch (settings.dialerRestrictionLevel, isManaged) {
    case (.allApps, _): true
    case (.customApp, _): isNamed(schemes, by: settings.customDialerAppProtocol)
    case (.managedApps, let isManaged): isManaged
    case (.blocked, _): false
    }
  }

  private static func mayText(
    _ settings: Settings, _ schemes: Set<String>, isManaged: Bool
  ) -> Bool {
    switch (settings.protectedMessagingRedirectAppType, isManaged) {
    case (.anyApp, _): true
    case (.specificApps, _): isNamed(schemes, by: settings.messagingRedirectAppUrlScheme)
    case (.anyManagedApp, let isManaged): isManaged
    case (.blocked, _): false
    }
  }

  /// Returns whether the schemes name the scheme. An invalid scheme names no app, even if an app
  /// registers it.
  private static func isNamed(_ schemes: Set<String>, by name: String) -> Bool {
    name != "" && !name.contains("_") && schemes.contains(name)
  }

  static func mayMail(_ settings: Settings, _ app: AppState) -> Bool {
    settings.exemptedAppProtocols.contains("mailto") && has(app, Version(14, 5))
      || maySendAnywhere(settings)
  }

  /// Returns whether an app may open the composer. The composer belongs to the system, which is not
  /// a managed app.
  static func mayMessage(_ settings: Settings, _ app: AppState) -> Bool {
    settings.exemptedAppProtocols.contains("sms") && has(app, Version(14, 5))
      || maySendAnywhere(settings)
        && (!has(app, Version(19)) || mayText(settings, [], isManaged: false))
  }
}
