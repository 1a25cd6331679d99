internal import AppProcess
internal import SluiceKit

/// The simulated device that runs this process.
struct AppDevice: DeviceAccess {
  func acquireToken(
    for account: String, _ question: TokenQuestion,
    completion: @escaping @Sendable (Result<String, TokenRefusal>) -> Void
  ) {
    AppProcess.current.tell { app in
      let configuration = SluiceKit.MSALPublicClientApplicationConfig(
        clientId: question.clientId, clientApplicationCapabilities: question.capabilities)
      let client = SluiceKit.MSALPublicClientApplication(configuration: configuration, in: app)
      client.acquireToken(forAccountId: account, resource: question.resource) { result in
        completion(
          result.map(\.accessToken).mapError {
            TokenRefusal(code: $0.code.rawValue, homeAccountId: $0.homeAccountId)
          })
      }
    }
  }

  var isExtension: Bool { AppProcess.current.isExtension }

  func showSignIn(
    hint: String?, completion: @escaping @Sendable (_ account: String?) -> Void
  ) -> @Sendable () -> Void {
    AppProcess.current.signInPrompts.show(hint: hint, completion: completion)
  }

  func logOnce(_ line: String) { AppProcess.current.logOnce(line) }
}
