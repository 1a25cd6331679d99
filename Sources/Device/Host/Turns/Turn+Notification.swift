internal import Model
internal import Wire

extension Turn {
  /// Tells the app that something has changed, as the SDK's notifications do.
  func notify(_ guest: Guest, _ notification: IntuneMAMNotification, _ account: Account?) {
    guard guest.isReady || guest.state == .suspended else { return }
    send(HostMessage(.notice(notification.rawValue, account: account?.upn ?? "")), to: guest)
  }
}
