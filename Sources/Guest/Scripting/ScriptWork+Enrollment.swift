internal import Model
internal import SluiceKit
internal import Wire

/// Enrollment, conditional access and tokens.
extension ScriptWork {
  func useEnrollment() throws(ScriptMisuse) {
    let manager = application.enrollmentManager
    switch call {
    case .enroll, .login:
      let account = try arguments.text(orNothing: 0)
      scoped {
        manager.enroll(Enroll(account: account, isLogin: call == .login)) {
          answer([.outcome($0)])
        }
      }
    case .unenroll:
      let account = try arguments.text(0)
      let wipes = try arguments.boolean(orNothing: 1) ?? false
      scoped {
        manager.deRegisterAndUnenrollAccountId(account, withWipe: wipes) { answer([.outcome($0)]) }
      }
    case .registered: answer([.list(manager.registeredAccountIds().map(ScriptValue.text))])
    default: answer([.list(manager.enrolledAccountIds().map(ScriptValue.text))])
    }
  }

  func useConditionalAccess() throws(ScriptMisuse) {
    let account = try arguments.text(0)
    switch call {
    case .remediate:
      let isSilent = try arguments.boolean(orNothing: 1) ?? false
      scoped {
        application.complianceManager.remediateCompliance(
          forAccountId: account, silent: isSilent
        ) { answer([.outcome($0)]) }
      }
    case .isRemediating:
      answer([
        .boolean(application.complianceManager.remediationInProgress(forAccountId: account))
      ])
    default: try acquireToken(account)
    }
  }

  /// Answers with the token, or with nothing, the status, and the account for which protection is required.
  private func acquireToken(_ account: String) throws(ScriptMisuse) {
    let resource = try arguments.text(1)
    let configuration = MSALPublicClientApplicationConfig(
      clientId: application.bundleIdentifier,
      clientApplicationCapabilities: try arguments.texts(orNothing: 2))
    let client = MSALPublicClientApplication(configuration: configuration, in: application)
    scoped {
      client.acquireToken(forAccountId: account, resource: resource) { result in
        switch result {
        case .success(let token): answer([.text(token.accessToken)])
        case .failure(let error):
          answer([
            .nothing, .integer(Int64(error.code.rawValue)), .text(orNothing: error.homeAccountId),
          ])
        }
      }
    }
  }
}
