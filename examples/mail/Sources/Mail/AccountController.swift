import Foundation
import IntuneMAMSwift
import MSAL
import UIKit

/// The mailbox's account: signs in through MSAL, enrolls through the SDK, and gets tokens for the mail server.
final class AccountController: @unchecked Sendable {
  private var application: MSALPublicClientApplication?
  private let scopes = ["https://graph.microsoft.com/Mail.ReadWrite"]

  private var mailbox: UIViewController?

  /// - Parameter mailbox: the view controller that presents the sign-in.
  func start(showing mailbox: UIViewController) {
    self.mailbox = mailbox
    guard let clientId = Self.clientId else { return print("the bundle has no client ID") }
    let configuration = MSALPublicClientApplicationConfig(clientId: clientId)
    // Without this capability, conditional access does not offer app protection as a remedy.
    configuration.clientApplicationCapabilities = ["ProtApp"]
    application = try? MSALPublicClientApplication(configuration: configuration)
    if let account = (try? application?.allAccounts())?.first {
      getToken(for: account)
    } else {
      signIn()
    }
  }

  /// The client ID of the app registration, read from the same key as by the SDK.
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

  /// Retries the token request for an account that has become compliant.
  func retry() {
    guard let account = (try? application?.allAccounts())?.first else { return signIn() }
    getToken(for: account)
  }

  private func didGet(_ result: MSALResult?, _ error: (any Error)?) {
    if let result, let oid = result.account.homeAccountId?.objectId {
      print("token for \(result.account.username ?? "an unknown account")")
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

  /// Makes the account compliant: conditional access requires app protection before it issues a token.
  private func remediate(_ error: NSError) {
    guard let home = error.userInfo[MSALHomeAccountIdKey] as? String,
      let oid = home.split(separator: ".").first
    else { return print("protection is required, but the error names no account") }
    print("protection is required")
    IntuneMAMComplianceManager.instance().remediateCompliance(
      forAccountId: String(oid), silent: false)
  }

  /// Removes the account at the user's request.
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
