internal import Model
internal import SluiceKit

/// Calls about the accounts of the app, and the account that it acts for.
extension ScriptWork {
  func useAccounts() throws(ScriptMisuse) {
    switch call {
    case .signIn:
      let account = try arguments.text(0)
      scoped {
        application.enrollmentManager.signIn(account) {
          answer([.outcome($0)])
        }
      }
    case .signOut:
      let account = try arguments.text(0)
      scoped {
        application.enrollmentManager.deRegisterAndUnenrollAccountId(account) {
          answer([.outcome($0)])
        }
      }
    case .switchTo:
      let account = try arguments.text(orNothing: 0)
      let window = try arguments.text(orNothing: 1)
      scoped {
        application.policyManager.setUIPolicyAccountId(account, forWindow: window) {
          answer([.text($0.name)])
        }
      }
    case .setProcess:
      let account = try arguments.text(orNothing: 0)
      scoped { application.policyManager.setProcessAccountId(account) { answer([.text($0.name)]) } }
    case .current:
      let window = try arguments.text(orNothing: 0)
      answer([.text(orNothing: application.policyManager.getUIPolicyAccountId(forWindow: window))])
    case .process: answer([.text(orNothing: application.policyManager.getProcessAccountId())])
    default: answer([.boolean(application.policyManager.isIdentityManaged)])
    }
  }
}

extension IntuneMAMSwitchIdentityResult {
  fileprivate var name: String {
    switch self {
    case .success: "success"
    case .canceled: "canceled"
    case .notAllowed: "notAllowed"
    case .failed: "failed"
    }
  }
}
