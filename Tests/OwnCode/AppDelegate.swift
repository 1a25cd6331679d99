import IntuneMAMSwift
import UIKit

@UIApplicationMain
class AppDelegate: UIResponder, UIApplicationDelegate, AccountWatching {
  var window: UIWindow?
  @IBOutlet var mailbox: UIViewController?
  private let watcher = AccountWatcher()

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    watcher.watching = self
    watcher.start()
    Surface.begin()
    let form = window?.rootViewController as? Form
    form?.hint.text = "Sign in"
    print("form \(form?.title ?? "none"): \(form?.hint.text ?? "none")")
    return true
  }

  func accountDidChange(_ accountId: String) { print("another policy for \(accountId)") }
}
