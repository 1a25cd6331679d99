import AppProcess
import Foundation
import IntuneMAMSwift
import UIKit

// An app with one behaviour for each test. The last part of its bundle id selects the behaviour.

/// The app's behaviour when one of its methods is called. It also prints each call.
enum Habit: String {
  case plain
  /// The app calls completion handlers twice.
  case twice
  /// The app never calls completion handlers.
  case never
  /// The app blocks the main thread for longer than users would tolerate.
  case slow
  /// The app implements no optional methods.
  case silent
  /// The app sends a request to the device in every callback.
  case curious
  /// The app implements only identity switching.
  case switching
  /// The app forwards calls to a delegate without optional methods, and also answers them itself.
  case forwarding
  /// The app does not retain its enrollment delegate.
  case losing
  /// The app reads state when it releases the objects that a completion handler held.
  case parting
  /// The app shows the prompt that a URL names: an alert, a share sheet or a document picker.
  case showing
  /// The app uses a scene.
  case scenic
  /// The app uses a scene that ignores its connection options.
  case blind
  /// The app is a share extension that prompts its user twice.
  case extending
  /// The app reads its MDM configuration.
  case configured
  /// The app enrolls and unenrolls accounts as URLs request, and prints the SDK's view of them.
  case walking

  var delegate: NSObject.Type {
    switch self {
    case .scenic, .blind: ScenicAppDelegate.self
    case .plain, .twice, .never, .slow, .silent, .curious, .switching, .forwarding, .losing,
      .parting, .showing, .extending, .configured, .walking:
      AppDelegate.self
    }
  }
}

let habit =
  Habit(
    rawValue: AppProcess.current.bundleIdentifier.split(separator: ".").last.map(String.init) ?? "")
  ?? .plain

func say(_ text: String) { print("\(text) [\(Thread.isMainThread ? "main" : "background")]") }

final class EnrollmentObserver: NSObject, IntuneMAMEnrollmentDelegate {
  func enrollmentRequest(with status: IntuneMAMEnrollmentStatus) {
    say("enrollment \(status.accountId) \(status.statusCode.rawValue) \(status.errorString ?? "-")")
    switch habit {
    case .curious: lookAround(status.accountId)
    case .showing:
      IntuneMAMPolicyManager.instance().setUIPolicyAccountId(status.accountId) { _ in
        say("acts for \(status.accountId)")
      }
    case .parting:
      let held = Held()
      IntuneMAMPolicyManager.instance().setUIPolicyAccountId(status.accountId) { _ in _ = held }
    case .plain, .twice, .never, .slow, .silent, .switching, .forwarding, .losing, .scenic, .blind,
      .extending, .configured, .walking:
      break
    }
  }

  func unenrollRequest(with status: IntuneMAMEnrollmentStatus) {
    say("unenrollment \(status.statusCode.rawValue)")
  }
}

final class Compliance: NSObject, IntuneMAMComplianceDelegate {
  func accountId(
    _ accountId: String, hasComplianceStatus status: IntuneMAMComplianceStatus,
    withErrorMessage errMsg: String, andErrorTitle errTitle: String
  ) {
    say("compliance \(accountId) \(status)")
  }
}

final class Policy: NSObject, IntuneMAMPolicyDelegate {
  func wipeData(forAccountId accountId: String) -> Bool {
    say("wipe \(accountId)")
    return true
  }

  func addAccountId(
    _ accountId: String, completionHandler: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    say("add \(accountId)")
    if habit == .never { return }
    completionHandler(.success)
    if habit == .twice { completionHandler(.failed) }
  }

  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    completionHandler: @escaping (IntuneMAMSwitchIdentityResult) -> Void
  ) {
    say("switch to \(accountId.isEmpty ? "nobody" : accountId) for \(reason)")
    completionHandler(.success)
  }
}

/// A delegate that implements no methods.
final class Nothing: NSObject, IntuneMAMPolicyDelegate {}

/// A delegate that implements one method.
final class Switching: NSObject, IntuneMAMPolicyDelegate {
  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    completionHandler: @escaping (IntuneMAMSwitchIdentityResult) -> Void
  ) {
    say("switch to \(accountId.isEmpty ? "nobody" : accountId) for \(reason)")
    completionHandler(.success)
  }
}

/// A delegate that first forwards each call to another delegate.
final class Forwarding: NSObject, IntuneMAMPolicyDelegate {
  private let next = Nothing()

  func addAccountId(
    _ accountId: String, completionHandler: @escaping @Sendable (IntuneMAMAddIdentityResult) -> Void
  ) {
    next.addAccountId(accountId, completionHandler: completionHandler)
    completionHandler(.success)
  }
}

/// An object that a completion handler holds.
final class Held: Sendable {
  deinit { say("parted from \(IntuneMAMPolicyManager.instance().managedAccountIds.count)") }
}

func lookAround(_ account: String) {
  let manager = IntuneMAMPolicyManager.instance()
  let policy = manager.policy(forAccountId: account)
  say("managed \(manager.managedAccountIds) primary \(manager.primaryAccountId ?? "-")")
  say("enrolled \(IntuneMAMEnrollmentManager.instance().enrolledAccountId() ?? "-")")
  say("local drive \(policy?.isSaveToAllowed(for: .localDrive, withAccountId: nil) as Any)")
  say("pin \(policy?.isPINRequired as Any) encrypted \(policy?.isFileEncryptionRequired as Any)")
  say("notifications \(policy?.notificationPolicy as Any)")
  let configuration = IntuneMAMAppConfigManager.instance().appConfig(forAccountId: account)
  say(
    "limit \(configuration.numberValue(forKey: "limit", queryType: .min) ?? -1)"
      + " conflict \(configuration.hasConflict("limit"))")
  let data = Data("secret".utf8)
  let manager2 = IntuneMAMDataProtectionManager.instance()
  let protected = manager2.protect(data, accountId: account)
  say(
    "protected \(protected != nil && protected != data) owner \(protected.flatMap { manager2.protectionInfo($0)?.accountId } ?? "-")"
  )
  IntuneMAMSwiftContextManager.setAccountId(account) {
    say("restored \(protected.flatMap { manager2.unprotect($0) } == data)")
    say("scope \(IntuneMAMSwiftContextManager.getScopedAccountId() ?? "-")")
  }
  do {
    let path = NSHomeDirectory() + "/Documents/note"
    let file = try IntuneMAMFile.createFile(atPath: path, forAccountId: account)
    data.withUnsafeBytes { _ = file.write($0.baseAddress!, count: $0.count, error: nil) }
    file.close(nil)
    let plain = try Data(contentsOf: URL(fileURLWithPath: path))
    say(
      "file encrypted \(IntuneMAMFile.isFileEncrypted(atPath: path)) on disk \(plain != data) owner \(IntuneMAMFileProtectionManager.instance().protectionInfo(path)?.accountId ?? "-")"
    )
  } catch {
    say("no file: \(error)")
  }
}

func sayConfiguration() {
  let list = UserDefaults.standard.dictionary(forKey: "com.apple.configuration.managed")
  say("server \(list?["server"] as? String ?? "-")")
}

/// Performs the call in a URL of the form `probe:CALL/ACCOUNT`.
func walk(_ url: URL) {
  let manager = IntuneMAMEnrollmentManager.instance()
  let words = url.absoluteString.dropFirst("probe:".count).split(separator: "/").map(String.init)
  guard let account = words.last else { return }
  switch words.first {
  case "register": manager.registerAndEnrollAccountId(account)
  case "login": manager.loginAndEnrollAccount(account)
  case "unenroll": manager.deRegisterAndUnenrollAccountId(account, withWipe: true)
  case "leave": manager.deRegisterAndUnenrollAccountId(account, withWipe: false)
  default:  // open: any other call, such as `look`
    let registered = manager.registeredAccountIds().compactMap { $0 as? String }.sorted()
    say(
      "look \(account) registered \(registered) enrolled \(manager.enrolledAccountIds().sorted())"
        + " primary \(manager.enrolledAccountId() ?? "-")")
  }
}

/// A view controller that dismisses itself.
final class Sheet: UIViewController {
  override func viewDidAppear(_ animated: Bool) {
    say("presented \(isBeingPresented) \(isBeingDismissed)")
    dismiss(animated: false)
  }

  override func viewWillDisappear(_ animated: Bool) {
    say("dismissed \(isBeingPresented) \(isBeingDismissed)")
  }
}

/// Shows prompts to the user.
final class Screen: UIViewController, UIDocumentPickerDelegate {
  func show(_ what: String) {
    switch what {
    case "alert": showAlert()
    case "sheet": present(Sheet(), animated: true)
    case "scene":
      let scene = UIApplication.shared.connectedScenes.first as? UIWindowScene
      say("scene of the window \(scene != nil && view.window?.windowScene === scene)")
    case "share": share()
    case "signIn":
      AppProcess.current.signInPrompts.show(hint: nil) { say("signed in as \($0 ?? "nobody")") }
    case "pick":
      pick(UIDocumentPickerViewController(forOpeningContentTypes: [.plainText], asCopy: true))
    default:  // open: any other word, such as `export`
      export()
    }
  }

  private func showAlert() {
    let alert = UIAlertController(title: "Remove?", message: nil, preferredStyle: .alert)
    for title in ["Remove", "Keep"] {
      alert.addAction(UIAlertAction(title: title, style: .default) { say("tapped \($0.title!)") })
    }
    present(alert, animated: true)
  }

  private func share() {
    let sheet = UIActivityViewController(activityItems: ["Lunch"], applicationActivities: nil)
    sheet.completionWithItemsHandler = { activity, isDone, _, _ in
      say("shared with \(activity?.rawValue ?? "nobody") \(isDone)")
    }
    present(sheet, animated: true)
  }

  private func export() {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("figures.txt")
    try? Data("Figures".utf8).write(to: file)
    pick(UIDocumentPickerViewController(forExporting: [file]))
  }

  private func pick(_ picker: UIDocumentPickerViewController) {
    picker.delegate = self
    present(picker, animated: true)
  }

  func documentPicker(
    _ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL]
  ) {
    for url in urls {
      let owner = IntuneMAMFileProtectionManager.instance().protectionInfo(url.path)?.accountId
      say("picked \(url.lastPathComponent) of \(owner ?? "nobody")")
    }
  }

  func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) {
    say("picked nothing")
  }
}

class Delegate: UIResponder {
  let enrollment = EnrollmentObserver()
  var window: UIWindow?
  let compliance = Compliance()
  var observers: [any NSObjectProtocol] = []

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    IntuneMAMPolicyManager.instance().delegate =
      switch habit {
      case .silent: Nothing()
      case .switching: Switching()
      case .forwarding: Forwarding()
      case .plain, .twice, .never, .slow, .curious, .losing, .parting, .showing, .scenic, .blind,
        .extending, .configured, .walking:
        Policy()
      }
    IntuneMAMEnrollmentManager.instance().delegate =
      habit == .losing ? EnrollmentObserver() : enrollment
    IntuneMAMComplianceManager.instance().delegate = compliance
    observe(.IntuneMAMPolicyDidChange, IntuneMAMPolicyDidChangeNotificationAccountId)
    observe(.IntuneMAMAppConfigDidChange, IntuneMAMAppConfigDidChangeNotificationAccountId)
    observe(.IntuneMAMWipeDidComplete, IntuneMAMSDKLifecycleEventAccountId)
    say("launched")
    if habit == .configured {
      sayConfiguration()
      observers.append(
        NotificationCenter.default.addObserver(
          forName: UserDefaults.didChangeNotification, object: nil, queue: nil
        ) { _ in sayConfiguration() })
    }
    if let url = launchOptions?[.url] as? URL {
      say(
        "launched to open \(url.named) from \(launchOptions?[.sourceApplication] as? String ?? "-")"
      )
    }
    if habit == .showing {
      window = UIWindow()
      window?.rootViewController = Screen()
      window?.makeKeyAndVisible()
    }
    if habit != .walking {
      IntuneMAMEnrollmentManager.instance().registerAndEnrollAccountId("anna@contoso.com")
    }
    return true
  }

  func applicationWillResignActive(_ application: UIApplication) { say("resigns active") }
  func applicationDidEnterBackground(_ application: UIApplication) {
    say("in the background \(application.applicationState == .background)")
  }
  func applicationWillEnterForeground(_ application: UIApplication) { say("comes back") }
  func applicationDidBecomeActive(_ application: UIApplication) { say("active") }

  private func observe(_ name: NSNotification.Name, _ key: String) {
    observers.append(
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
        say("\(name.rawValue) \(note.userInfo?[key] as? String ?? "-")")
        if habit == .slow { Thread.sleep(forTimeInterval: 1.1) }
      })
  }

  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    if habit == .walking { walk(url) }
    if habit == .showing {
      (window?.rootViewController as? Screen)?.show(
        url.absoluteString.split(separator: ":").last.map(String.init) ?? "")
    }
    say(
      "opened \(url.named) from \(options[.sourceApplication] as? String ?? "-") for \(IntuneMAMPolicyManager.instance().getAccountIdForCurrentActivity() ?? "-")"
    )
    return true
  }
}

extension URL {
  fileprivate var named: String { isFileURL ? lastPathComponent : absoluteString }
}

final class AppDelegate: Delegate, UIApplicationDelegate {}

final class ScenicAppDelegate: Delegate, UIApplicationDelegate {
  func application(
    _ application: UIApplication,
    configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    let configuration = UISceneConfiguration(
      name: "Main", sessionRole: connectingSceneSession.role)
    configuration.delegateClass = SceneDelegate.self
    return configuration
  }
}

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    if habit == .blind { return say("connects") }
    let urls = connectionOptions.urlContexts.map { "\($0.url.named) for \(account)" }
    let links = connectionOptions.userActivities.compactMap { $0.webpageURL?.absoluteString }
    say("connects to open \(urls + links) from \(connectionOptions.sourceApplication ?? "-")")
  }

  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
    for context in URLContexts { say("opened \(context.url.named) in the scene") }
  }

  func sceneDidBecomeActive(_ scene: UIScene) { say("scene active") }

  private var account: String {
    IntuneMAMPolicyManager.instance().getAccountIdForCurrentActivity() ?? "-"
  }
}

final class Asking: UIViewController {
  override func viewDidAppear(_ animated: Bool) {
    let buttons: [(String, () -> Void)] = [
      ("Save", { self.askWhere() }),
      ("Cancel", { self.extensionContext?.cancelRequest(withError: CocoaError(.userCancelled)) }),
    ]
    ask("Save?", buttons)
  }

  private func askWhere() {
    ask(
      "Where?",
      [
        (
          "Here",
          {
            say("saved here")
            self.extensionContext?.open(URL(string: "probe:a")!) { say("context opened \($0)") }
            let chain = sequence(first: self as UIResponder, next: \.next)
            let app = chain.lazy.compactMap { $0 as? UIApplication }.first
            say("chain has the application \(app != nil)")
            self.extensionContext?.completeRequest(returningItems: nil)
          }
        )
      ])
  }

  private func ask(_ title: String, _ buttons: [(String, () -> Void)]) {
    let alert = UIAlertController(title: title, message: nil, preferredStyle: .alert)
    for (button, action) in buttons {
      alert.addAction(UIAlertAction(title: button, style: .default) { _ in action() })
    }
    present(alert, animated: true)
  }
}

if habit == .extending { UIExtensionMain(Asking.self) }
UIApplicationMain(
  CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(habit.delegate))
