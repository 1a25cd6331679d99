package import Enrollment
package import Model

/// Questions and changes about enrollment for callers that drive a device from outside.
extension EnrollmentCoordinator {
  /// The state of an account's enrollment in an app.
  package struct View {
    /// `unregistered`, `registered`, `enrolled`, or the activity under way: `asking`, `waiting`, `restarting`,
    /// `wiping`.
    package var state: String
    /// The last status that the app's delegate heard; nil: none.
    package var status: EnrollmentStatus?
    package var compliance: ComplianceStatus?
    /// Whether a policy protects the account in the app.
    package var isManaged: Bool
  }

  /// The state of the account's enrollment in the app `name`; nil where there is no such app.
  package func view(of account: Account, in name: String) -> View? {
    guard let guest = registry[name] else { return nil }
    let known = guest.accounts.signedIn.first { $0.account.isSame(as: account) }
    let registration = guest.accounts.registration(of: account)
    return View(
      state: registration?.machine.state ?? (known == nil ? "unregistered" : "enrolled"),
      status: registration?.lastStatus, compliance: registration?.lastCompliance,
      isManaged: known?.policy != nil)
  }

  /// Makes the SDK ask whether the policies of an account have changed, as it does from time to time.
  ///
  /// - Throws: ``HostError`` where there is no such app.
  package func checkIn(_ account: Account, in name: String) throws(HostError) {
    let guest = try registry.find(name)
    turn { advance(registration(of: account, in: guest), .checkIn, in: guest) }
  }

  /// Changes the service's answers from now on.
  package func changeService(_ body: (inout EnrollmentService) -> Void) {
    body(&service)
  }
}

extension AccountEnrollment {
  fileprivate var state: String {
    guard activity == .idle else { return activity.name }
    return switch standing {
    case .unregistered: "unregistered"
    case .registered: "registered"
    case .enrolled: "enrolled"
    }
  }
}
