public import Foundation

/// The URI that a sign-in ends with.
open class MSALRedirectUri: NSObject, NSCopying, @unchecked Sendable {
  public let url: URL
  /// Whether Microsoft Authenticator could answer there, as an app for organisations must allow.
  public let brokerCapable: Bool

  init(url: URL, brokerCapable: Bool) {
    self.url = url
    self.brokerCapable = brokerCapable
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension MSALRedirectUri {
  /// The redirect URI of an app that names `custom`, or none.
  ///
  /// - Throws: where `custom` is no URI with a scheme.
  static func of(bundleIdentifier: String, custom: String?) throws(Failure) -> MSALRedirectUri {
    let own = "msauth.\(bundleIdentifier)://auth"
    let text = nonEmpty(custom) ?? own
    guard let url = URL(string: text), nonEmpty(url.scheme) != nil else {
      throw .internal(.internalErrorInvalidRedirectURI, "the redirect URI `\(text)` has no scheme")
    }
    let isOwn = [own, own + "/"].contains { $0.lowercased() == text.lowercased() }
    return MSALRedirectUri(url: url, brokerCapable: isOwn)
  }

  /// Refuses what MSAL refuses to make an application with: an app that signs in users of organisations must have the
  /// URI of a broker's answer.
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
      "the redirect URI is `\(uri.url.absoluteString)`, and must be `msauth.\(bundleIdentifier)://auth`"
    )
  }
}
