internal import Model
internal import Wire

/// Changes on the device: the object that holds the state takes them in, then the delegate is told.
///
/// The app itself is a parameter: the delegate's calls name it.
final class DeviceUpdates {
  let delegate: any ApplicationDelegate
  private let appConfigManager: IntuneMAMAppConfigManager
  private let managedApp: ManagedAppClient
  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  private(set) var now: Int

  /// - Parameter now: the clock when the app starts.
  init(
    delegate: any ApplicationDelegate, _ appConfigManager: IntuneMAMAppConfigManager,
    _ managedApp: ManagedAppClient, now: Int
  ) {
    self.delegate = delegate
    self.appConfigManager = appConfigManager
    self.managedApp = managedApp
    self.now = now
  }

  func clockDidAdvance(to time: Int, in application: Application) {
    now = time
    delegate.asynchronous.clockDidAdvance(in: application)
  }

  /// - Parameters:
  ///   - name: the name of one of the SDK's notifications; one that this version does not know is dropped.
  ///   - account: `""` where the notification is not about a single account.
  func post(_ name: String, about account: String, in application: Application) {
    guard let notification = IntuneMAMNotification(rawValue: name) else { return }
    delegate.application(
      application, didPost: notification, forAccountId: account.isEmpty ? nil : account)
  }

  func configurationDidChange(_ news: ConfigurationNews, in application: Application) {
    appConfigManager.adopt(news)
    guard news.isChange else { return }
    delegate.application(
      application, didPost: .appConfigDidChange, forAccountId: news.account)
  }

  func managedAppDidChange(_ aspect: ManagedAspect, in application: Application) {
    managedApp.didChange(aspect)
    delegate.application(application, managedAppDidChange: aspect)
  }
}
