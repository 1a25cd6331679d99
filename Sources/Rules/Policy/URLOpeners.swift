package import Model

/// The apps of a device that open URLs: who gets one, before any rule is asked and after.
///
/// Source: Apple, "Supporting universal links in your app" and App Clips; Microsoft Learn, Intune App SDK for iOS, stage 4, URL
/// schemes with `-intunemam`, and "iOS app protection policy settings" for browsers, dialers and messaging apps.
package protocol URLOpeners<App> {
  associatedtype App
  /// The first app whose associated domains list the host for a service, such as `applinks`.
  func app(claiming host: String, for service: String) -> App?
  /// The first app that registered a scheme; one that the organisation bans comes after all others. A link that a banned app
  /// claims is that app's nonetheless, and gets nowhere.
  func app(opening scheme: String) -> App?
  /// Whether an app integrates the Intune App SDK.
  func integratesSDK(_ app: App) -> Bool
  /// Whether a policy protects an account in an app.
  func protectsAccount(_ app: App) -> Bool
  /// Microsoft Edge; nil where it is not installed.
  var managedBrowser: App? { get }
}

/// The app that gets a URL, and the channel; the app is nil where none on the device would.
package struct URLTarget<App> {
  package var channel: Channel
  package var app: App?

  package init(channel: Channel, app: App?) {
    self.channel = channel
    self.app = app
  }
}

extension URLOpeners {
  /// The target of a URL: an app that claims the link, its App Clip, else the app of the scheme.
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

  /// The app with the SDK that registered the scheme's `-intunemam` twin, and so gets the scheme's URLs; nil where
  /// there is none.
  package func managedTwin(of scheme: String) -> App? {
    app(opening: URLScheme.twin(of: scheme)).flatMap { integratesSDK($0) ? $0 : nil }
  }

  /// Whether the scheme belongs to a managed app by its twin. A twin alone does not make an app managed.
  ///
  /// Source: ms-intune-app-sdk-ios, issue 507: an app with the SDK and the twin in which the account is not managed is
  /// refused.
  package func belongsToManagedTwin(_ scheme: String) -> Bool {
    managedTwin(of: scheme).map(protectsAccount) ?? false
  }

  /// Whether opening a URL fails although the verdict allows it: to a managed app the SDK opens the scheme's twin, and no
  /// app registers that one. iOS answers -10814, `kLSApplicationNotFoundErr`.
  ///
  /// Source: ms-intune-app-sdk-ios, issues 73 and 185.
  package func lacksTwin(_ scheme: String, for verdict: Verdict) -> Bool {
    verdict.outcome == .allowed && !URLScheme.isTwin(scheme)
      && verdict.reasons.contains { $0.rule == .managedScheme }
      && app(opening: URLScheme.twin(of: scheme)) == nil
  }

  /// The app to which the SDK hands a URL where the policy wants that: the managed browser, or the browser, dialer or
  /// messaging app that the policy names; nil where that is not installed, or the verdict asks for none.
  package func app(requiredBy verdict: Verdict, for transfer: TransferRequest) -> App? {
    if verdict.deciding.rule == .managedBrowserRequired { return managedBrowser }
    return redirectedScheme(for: transfer, verdict).flatMap(app(opening:))
  }
}

extension String {
  /// Whether a list of associated domains has this entry for a host: itself, or `*.` and a domain above it.
  package func claims(_ host: String, for service: String) -> Bool {
    let entry = lowercased()
    guard entry.hasPrefix(service + ":") else { return false }
    let domain = entry.dropFirst(service.count + 1).prefix { $0 != "?" }
    return domain.hasPrefix("*.") ? host.hasSuffix(domain.dropFirst()) : domain == host
  }
}

extension URLTarget: Sendable where App: Sendable {}
