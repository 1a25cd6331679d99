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
      state: registration?.machine.state ?? "unregistered",
      status: registration?.lastStatus, compliance: registration?.lastCompliance,
      isManaged: known?.policy != nil)
  }

  /// Makes the SDK ask whether the policies of an account have changed, as it does from time to time. The app's
  /// delegate hears 213 if no account is enrolled in the app, and 214 if another one is.
  ///
  /// Sources: Intune App SDK for iOS, `IntuneMAMEnrollmentStatus.h`; the log in ms-intune-app-sdk-ios, issue 527, for
  /// 214.
  ///
  /// - Throws: ``HostError`` where there is no such app, or the guest does not check in.
  package func checkIn(_ account: Account, in name: String) throws(HostError) {
    let guest = try registry.find(name)
    guard guest.app.integratesSDK else {
      throw HostError(
        .entitlements, "`\(name)` does not integrate the Intune App SDK, so it does not check in")
    }
    guard guest.app.kind == .app else {
      throw HostError(.entitlements, "`\(name)` is an extension; its app checks in")
    }
    turn {
      let registration = registration(of: account, in: guest)
      switch registration.machine.activity {
      case .idle where !registration.machine.isEnrolled,
        .waiting where !registration.machine.isEnrolled:
        tell(.init(.policy, statusWithoutEnrollment(in: guest)), registration, guest)
      case .idle, .asking, .waiting, .restarting, .wiping:
        advance(registration, .checkIn, in: guest)
      }
    }
  }

  /// Changes the service's answers from now on.
  package func changeService(_ body: (inout EnrollmentService) -> Void) {
    body(&service)
    turn { catchUpOnPushes() }
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
