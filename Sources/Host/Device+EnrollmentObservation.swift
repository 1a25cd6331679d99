package import Enrollment
package import Transfer

/// What those may ask and change of enrollment who drive a device from outside.
extension Device {
  /// How far an account has come in an app.
  package struct EnrollmentView {
    /// `unregistered`, `registered`, `enrolled`, or what goes on: `asking`, `waiting`, `restarting`, `wiping`.
    package var state: String
    /// What the app's delegate heard last; nil: nothing.
    package var status: EnrollmentStatus?
    package var compliance: ComplianceStatus?
    /// Whether a policy protects the account in the app.
    package var isManaged: Bool
  }

  /// nil where there is no such app.
  package func enrollment(of account: Account, in name: String) -> EnrollmentView? {
    guard let guest = guests[name] else { return nil }
    let known = guest.accounts.first { $0.account.isSame(as: account) }
    let registration = knownRegistration(of: account, in: guest)
    return EnrollmentView(
      state: registration?.machine.state ?? (known == nil ? "unregistered" : "enrolled"),
      status: registration?.lastStatus, compliance: registration?.lastCompliance,
      isManaged: known?.policy != nil)
  }

  /// Has the SDK ask whether the policies of an account have changed, as it does now and then.
  ///
  /// - Throws: ``HostError`` where there is no such app.
  package func checkIn(_ account: Account, in name: String) throws(HostError) {
    guard let guest = guests[name] else {
      throw HostError(.folder, "the device has no app named `\(name)`")
    }
    turn { advance(registration(of: account, in: guest), .checkIn, in: guest) }
  }

  /// Changes what the service answers from now on.
  package func changeService(_ body: (inout EnrollmentService) -> Void) {
    body(&desk.service)
  }

  /// Targets a conditional access policy at these accounts, in place of all that it was for.
  package func assignConditionalAccess(_ name: String, to accounts: [Account]) {
    desk.conditionalAccess.assign(name, to: accounts)
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
