internal import Foundation

/// The internal state of a client application: its configuration, account cache and device access.
struct TokenClient: Sendable {
  let clientId: String
  let capabilities: [String]?
  let authority: MSALAuthority
  let device: any DeviceAccess
  let cache: AccountCache
  let sessions: InteractiveSessions

  init(
    _ configuration: MSALPublicClientApplicationConfig, on device: any DeviceAccess,
    cache: AccountCache, sessions: InteractiveSessions
  ) throws(Failure) {
    guard let clientId = nonEmpty(configuration.clientId) else {
      throw .invalidParameter("an application needs a client id")
    }
    self.clientId = clientId
    capabilities = configuration.clientApplicationCapabilities
    authority = configuration.authority
    self.device = device
    self.cache = cache
    self.sessions = sessions
  }

  /// Reports in the trace that these settings have no effect. Each setting is reported only once.
  func tell(_ ineffective: [String]) {
    for name in ineffective {
      device.logOnce("MSAL: `\(name)` is set, and has no effect on this device")
    }
  }
}
