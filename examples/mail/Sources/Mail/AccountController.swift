import Foundation
import IntuneMAMSwift
import MSAL
import UIKit

/// The mailbox's account: signs in by MSAL, has the SDK enroll it, and gets tokens for the mail server.
final class AccountController: @unchecked Sendable {
  private var application: MSALPublicClientApplication?
  private let scopes = ["https://graph.microsoft.com/Mail.ReadWrite"]

  private var mailbox: UIViewController?

  /// - Parameter mailbox: the controller over which the user signs in.
  func start(showing mailbox: UIViewController) {
    self.mailbox = mailbox
    guard let clientId = Self.clientId else { return print("the bundle names no client") }
    let configuration = MSALPublicClientApplicationConfig(clientId: clientId)
    // Without it conditional access would not let the SDK protect the app first.
    configuration.clientApplicationCapabilities = ["ProtApp"]
    application = try? MSALPublicClientApplication(configuration: configuration)
    if let account = (try? application?.allAccounts())?.first {
      getToken(for: account)
    } else {
      signIn()
    }
  }

  /// The client that the app's registration has, which the SDK reads in the same place.
  private static var clientId: String? {
    let settings = Bundle.main.object(forInfoDictionaryKey: "IntuneMAMSettings")
    return (settings as? [String: Any])?["ADALClientId"] as? String
  }

  func signIn() {
    guard let mailbox else { return }
    let parameters = MSALInteractiveTokenParameters(
      scopes: scopes,
      webviewParameters: MSALWebviewParameters(authPresentationViewController: mailbox))
    application?.acquireToken(with: parameters) { [weak self] result, error in
      self?.didGet(result, error)
    }
  }

  func getToken(for account: MSALAccount) {
    let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
    application?.acquireTokenSilent(with: parameters) { [weak self] result, error in
      self?.didGet(result, error)
    }
  }

  /// Tries again for an account that has become compliant.
  func retry() {
    guard let account = (try? application?.allAccounts())?.first else { return signIn() }
    getToken(for: account)
  }

  private func didGet(_ result: MSALResult?, _ error: (any Error)?) {
    if let result, let oid = result.account.homeAccountId?.objectId {
      print("token for \(result.account.username ?? "nobody")")
      IntuneMAMEnrollmentManager.instance().registerAndEnrollAccountId(oid)
      return
    }
    guard let error = error as NSError?, error.domain == MSALErrorDomain else { return }
    switch error.code {
    case MSALError.serverProtectionPoliciesRequired.rawValue:
      remediate(error)
    case MSALError.interactionRequired.rawValue:
      print("the user has to sign in again")
      DispatchQueue.main.async { self.signIn() }
    default:  // open: any other code
      print("no token: \(error.code)")
    }
  }

  /// Conditional access wants the app protected before there is a token.
  private func remediate(_ error: NSError) {
    guard let home = error.userInfo[MSALHomeAccountIdKey] as? String,
      let oid = home.split(separator: ".").first
    else { return print("protection is required, and nobody says for whom") }
    print("protection is required")
    IntuneMAMComplianceManager.instance().remediateCompliance(
      forAccountId: String(oid), silent: false)
  }

  /// The user has had enough of the account.
  func signOut() {
    guard let oid = IntuneMAMEnrollmentManager.instance().enrolledAccountId() else { return }
    IntuneMAMEnrollmentManager.instance().deRegisterAndUnenrollAccountId(oid, withWipe: true)
    forget()
  }

  func forget() {
    guard let account = (try? application?.allAccounts())?.first else { return }
    try? application?.remove(account)
  }
}
