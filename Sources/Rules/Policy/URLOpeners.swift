package import Model

/// The installed apps. They are searched twice: before the rules apply, for the app that opens a URL, and afterwards
/// for the app that the verdict requires instead.
///
/// Source: Apple, "Supporting universal links in your app" and App Clips; Microsoft Learn, Intune App SDK for iOS,
/// stage 4, URL schemes with `-intunemam`, and "iOS app protection policy settings" for browsers, dialers and messaging
/// apps.
package protocol URLOpeners<App> {
  associatedtype App
  /// Returns the first app whose associated domains for `service`, such as `applinks`, contain the host. If the
  /// organisation bans this app, the link does not open.
  func app(claiming host: String, for service: String) -> App?
  /// Returns the first app that registered a scheme. Apps that the organisation bans come last.
  func app(opening scheme: String) -> App?
  func integratesSDK(_ app: App) -> Bool
  func protectsAccount(_ app: App) -> Bool
  /// Microsoft Edge; nil if it is not installed.
  var managedBrowser: App? { get }
}

/// The app that receives a URL, and the channel. The app is nil if no app on the device would open the URL.
package struct URLTarget<App> {
  package var channel: Channel
  package var app: App?

  package init(channel: Channel, app: App?) {
    self.channel = channel
    self.app = app
  }
}

extension URLOpeners {
  /// Returns the app that a URL opens in before policies apply. It is the first of these apps that exists: the app that
  /// claims the link, the app with the App Clip for the link, the SDK app that registered the scheme's `-intunemam`
  /// twin, the app that registered the scheme.
  package func target(of url: String, _ scheme: String) -> URLTarget<App> {
    if let host = WebLink(url)?.host {
      if let app = app(claiming: host, for: "applinks") {
        return URLTarget(channel: .universalLink, app: app)
      }
      if let app = app(claiming: host, for: "appclips") {
        return URLTarget(channel: .appClip, app: app)
      }
    }
    return URLTarget(channel: .openURL, app: managedTwin(of: scheme) ?? app(opening: scheme))
  }

  /// Returns the SDK app that receives the scheme's URLs because it registered the `-intunemam` twin; nil if there is
  /// none.
  package func managedTwin(of scheme: String) -> App? {
    app(opening: URLScheme.twin(of: scheme)).flatMap { integratesSDK($0) ? $0 : nil }
  }

  /// Returns whether an SDK app with a managed account has registered the scheme's `-intunemam` twin.
  ///
  /// Source: ms-intune-app-sdk-ios, issue 507. An SDK app with a twin but without a managed account is refused.
  package func belongsToManagedTwin(_ scheme: String) -> Bool {
    managedTwin(of: scheme).map(protectsAccount) ?? false
  }

  /// Returns whether opening a URL fails although it is allowed: to reach a managed app, the SDK opens the URL with the
  /// scheme's twin, but no app has registered the twin. iOS then returns -10814, `kLSApplicationNotFoundErr`.
  ///
  /// Source: ms-intune-app-sdk-ios, issues 73 and 185.
  package func lacksTwin(_ scheme: String, for verdict: Verdict) -> Bool {
    verdict.outcome == .allowed && !URLScheme.isTwin(scheme)
      && verdict.reasons.contains { $0.rule == .managedScheme }
      && app(opening: URLScheme.twin(of: scheme)) == nil
  }

  /// Returns the app to which the SDK redirects a denied URL: the managed browser, or the designated browser, dialer or
  /// messaging app. Returns nil if the verdict requires no other app, or if that app is not installed.
  package func app(requiredBy verdict: Verdict, for transfer: TransferRequest) -> App? {
    if verdict.deciding.rule == .managedBrowserRequired { return managedBrowser }
    return redirectedScheme(for: transfer, verdict).flatMap(app(opening:))
  }
}

extension String {
  /// Returns whether this entry of an app's associated domains covers `host` for `service`. After the service and a
  /// colon, the entry contains the host itself, or `*.` and a parent domain of the host.
  package func claims(_ host: String, for service: String) -> Bool {
    let entry = lowercased()
    guard entry.hasPrefix(service + ":") else { return false }
    let domain = entry.dropFirst(service.count + 1).prefix { $0 != "?" }
    return domain.hasPrefix("*.") ? host.hasSuffix(domain.dropFirst()) : domain == host
  }
}

extension URLTarget: Sendable where App: Sendable {}
