import IntuneMAMSwift
import UIKit

@UIApplicationMain
class AppDelegate: UIResponder, UIApplicationDelegate, AccountWatching {
  @IBOutlet var mailbox: UIViewController?
  private let watcher = AccountWatcher()

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    watcher.watching = self
    watcher.start()
    Surface.begin()
    return true
  }

  func accountDidChange(_ accountId: String) { print("another policy for \(accountId)") }
}
