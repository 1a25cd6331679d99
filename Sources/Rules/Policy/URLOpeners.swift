package import Model

/// The device's apps that open URLs, for finding a URL's target before and after the rules apply.
///
/// Source: Apple, "Supporting universal links in your app" and App Clips; Microsoft Learn, Intune App SDK for
/// iOS, stage 4, URL schemes with `-intunemam`, and "iOS app protection policy settings" for browsers,
/// dialers and messaging apps.
package protocol URLOpeners<App> {
  associatedtype App
  /// Returns the first app that lists the host in its associated domains for a service, such as
  /// `applinks`. The app may be banned by the organisation; the link then does not open.
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
  /// Returns the first existing target of a URL: the app that claims the link, its App Clip, the SDK app with the
  /// scheme's `-intunemam` twin, or the app that registered the scheme.
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

  /// Returns the SDK app that registered the scheme's `-intunemam` twin and receives its URLs; nil for none.
  package func managedTwin(of scheme: String) -> App? {
    app(opening: URLScheme.twin(of: scheme)).flatMap { integratesSDK($0) ? $0 : nil }
  }

  /// Returns whether an SDK app with a managed account has registered the scheme's `-intunemam` twin.
  ///
  /// Source: ms-intune-app-sdk-ios, issue 507. An SDK app with a twin but without a managed account is refused.
  package func belongsToManagedTwin(_ scheme: String) -> Bool {
    managedTwin(of: scheme).map(protectsAccount) ?? false
  }

  /// Returns whether opening a URL fails although it is allowed. This happens if the SDK opens the scheme's twin in
  /// managed apps, but no app has registered the twin. iOS returns -10814, `kLSApplicationNotFoundErr`.
  ///
  /// Source: ms-intune-app-sdk-ios, issues 73 and 185.
  package func lacksTwin(_ scheme: String, for verdict: Verdict) -> Bool {
    verdict.outcome == .allowed && !URLScheme.isTwin(scheme)
      && verdict.reasons.contains { $0.rule == .managedScheme }
      && app(opening: URLScheme.twin(of: scheme)) == nil
  }

  /// Returns the app to which the SDK redirects a URL if the policy requires it: the managed browser, or the designated
  /// browser, dialer or messaging app. Nil if the app is not installed, or the verdict requires no app.
  package func app(requiredBy verdict: Verdict, for transfer: TransferRequest) -> App? {
    if verdict.deciding.rule == .managedBrowserRequired { return managedBrowser }
    return redirectedScheme(for: transfer, verdict).flatMap(app(opening:))
  }
}

extension String {
  /// Returns whether this entry of associated domains covers a host. The entry is the host itself, or `*.` and a parent
  /// domain of the host.
  package func claims(_ host: String, for service: String) -> Bool {
    let entry = lowercased()
    guard entry.hasPrefix(service + ":") else { return false }
    let domain = entry.dropFirst(service.count + 1).prefix { $0 != "?" }
    return domain.hasPrefix("*.") ? host.hasSuffix(domain.dropFirst()) : domain == host
  }
}

extension URLTarget: Sendable where App: Sendable {}
