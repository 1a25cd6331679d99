internal import Model
internal import Wire

/// The SDK's notifications, by the last part of their names.
enum MAMNotice: String {
  case policyDidChange
  case wipeDidComplete
  case allowedAccountsDidChange
  case dataProtectionDidChange
}

extension Turn {
  /// Tells the app that something has changed, as the SDK's notifications do.
  func notify(_ guest: Guest, _ notice: MAMNotice, _ account: Account?) {
    guard guest.isReady || guest.state == .suspended else { return }
    send(HostMessage(.notice(notice.rawValue, account: account?.upn ?? "")), to: guest)
  }
}
