public import Foundation

/// The redirect URI, by which a browser returns the user to the app after a sign-in.
open class MSALRedirectUri: NSObject, NSCopying, @unchecked Sendable {
  public let url: URL
  /// Whether a broker, such as Microsoft Authenticator, could use the URI. Required of apps for organisational
  /// accounts.
  public let brokerCapable: Bool

  init(url: URL, brokerCapable: Bool) {
    self.url = url
    self.brokerCapable = brokerCapable
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension MSALRedirectUri {
  /// Returns the redirect URI `custom`, or the default redirect URI if `custom` is nil or blank.
  ///
  /// - Throws: An error if `custom` is not a URI with a scheme.
  static func of(bundleIdentifier: String, custom: String?) throws(Failure) -> MSALRedirectUri {
    let own = "msauth.\(bundleIdentifier)://auth"
    let text = nonEmpty(custom) ?? own
    guard let url = URL(string: text), nonEmpty(url.scheme) != nil else {
      throw .internal(.internalErrorInvalidRedirectURI, "the redirect URI `\(text)` has no scheme")
    }
    let isOwn = [own, own + "/"].contains { $0.lowercased() == text.lowercased() }
    return MSALRedirectUri(url: url, brokerCapable: isOwn)
  }

  /// Checks the redirect URI as MSAL does. An app for organisational accounts must have a redirect URI that a broker
  /// can use.
  ///
  /// Source: MSAL for iOS, "Redirect URI".
  static func validate(_ configuration: MSALPublicClientApplicationConfig, bundleIdentifier: String)
    throws(Failure)
  {
    guard !configuration.bypassRedirectURIValidation else { return }
    let uri = try of(bundleIdentifier: bundleIdentifier, custom: configuration.redirectUri)
    guard !uri.brokerCapable, configuration.authority is MSALAADAuthority,
      AuthorityURL.components(of: configuration.authority.url).first != "consumers"
    else { return }
    throw .internal(
      .internalErrorInvalidRedirectURI,
      "the redirect URI must be `msauth.\(bundleIdentifier)://auth`, found `\(uri.url.absoluteString)`"
    )
  }
}
