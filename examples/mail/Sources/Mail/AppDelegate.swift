import IntuneMAMSwift
import MSAL
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
  // The SDK holds its enrollment and compliance delegates weakly.
  private let enrollment = EnrollmentDelegate()
  private let compliance = ComplianceDelegate()
  private let policy = PolicyDelegate()
  private let configuration = MailConfiguration()
  private let policyObserver = PolicyObserver()
  private let account = AccountController()
  private let mailbox = MailboxController()
  var window: UIWindow?

  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    IntuneMAMPolicyManager.instance().delegate = policy
    IntuneMAMEnrollmentManager.instance().delegate = enrollment
    IntuneMAMComplianceManager.instance().delegate = compliance
    return true
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    enrollment.account = account
    compliance.account = account
    configuration.observe()
    policyObserver.observe()
    mailbox.onSignOut = { [account] in account.signOut() }
    window = UIWindow()
    window?.rootViewController = mailbox
    window?.makeKeyAndVisible()
    account.start(showing: mailbox)
    return true
  }

  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    if MSALPublicClientApplication.handleMSALResponse(
      url, sourceApplication: options[.sourceApplication] as? String)
    {
      return true
    }
    switch url.absoluteString {
    case "org-example-mail:attach": mailbox.attach()
    case "org-example-mail:forward": mailbox.share("Lunch at noon")
    case "org-example-mail:sign-out": mailbox.signOut()
    default:  // open: any other URL
      return Composer().open(
        url, for: IntuneMAMPolicyManager.instance().getAccountIdForCurrentActivity())
    }
    return true
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    print("drafts are saved")
  }
}
