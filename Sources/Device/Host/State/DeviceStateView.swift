internal import Encodings
internal import Enrollment
internal import GraphDocuments
internal import Model
internal import Policy

/// The accounts in one app. For each account, it contains the policies that apply, and the reasons why other policies
/// do not apply.
package struct DeviceStateView: Sendable {
  package var app: String
  package var bundleID: String
  /// Conditions that affect all accounts in the app, as one clause each. A condition concerns the SDK, the app that
  /// contains an extension, MDM, or `IntuneMAMUPN`.
  package var remarks: [String]
  package var accounts: [AccountView]

  package struct AccountView: Sendable {
    package var account: String
    /// Whether a policy currently protects the account in the app.
    package var isManaged: Bool
    /// The state of the account's sign-in and enrollment, as a clause.
    package var standing: String
    /// The management state of the app for the account: `unenrolled`, `enrolledWithoutUPN` or `enrolled`. A policy may
    /// target only apps in some of these states.
    package var managementState: String
    /// The policies that are assigned to the account, in order of assignment.
    package var policies: [PolicyView]
    /// All conditional access policies, in the order of their assignments.
    package var conditionalAccess: [AccessPolicyView]
  }

  /// A policy that is assigned to the account.
  package struct PolicyView: Sendable {
    package var name: String
    package var file: String
    package var isTargeted: Bool
    /// The reason why the policy applies or does not, as a clause, such as `targeted by bundle id`.
    package var why: String
  }

  /// A conditional access policy and its effect on the account.
  package struct AccessPolicyView: Sendable {
    package var name: String
    package var file: String
    /// The state in Graph: `enabled`, `disabled` or `enabledForReportingButNotEnforced`.
    package var state: String
    /// Whether the policy is enabled and applies to the account. Nil if this depends on the organisation's directory,
    /// which the device does not know.
    package var applies: Bool?
    /// The policy's effect if the account signed in now, as a clause, such as `does not apply: its filter excludes the
    /// device`.
    package var why: String
    /// The policy's resources, by their names in the policy.
    package var resources: [String]
    package var userActions: [String]
  }

  /// The view as text: the app, then each account with its policies.
  package var text: String {
    var lines = ["\(app) (\(bundleID))"] + remarks.map { "  \($0)" }
    for account in accounts {
      lines.append(
        "\(account.account): \(account.isManaged ? "managed" : "not managed"), \(account.standing)")
      if account.policies.isEmpty { lines.append("  no policy is assigned to it") }
      for policy in account.policies {
        let verdict = policy.isTargeted ? "targeted" : "not targeted"
        lines.append("  \(verdict): `\(policy.name)` (\(policy.file)): \(policy.why)")
      }
      for policy in account.conditionalAccess {
        lines.append(
          "  conditional access: `\(policy.name)` (\(policy.file)): \(policy.why)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The view as one JSON object, followed by a line break.
  package var json: String {
    return JSONWriter.objectLine { writer in
      writer.member("app", app)
      writer.member("bundle", bundleID)
      writer.array("remarks") { for remark in remarks { $0.string(remark) } }
      writer.objects("accounts", of: accounts) { writer, account in
        writer.member("account", account.account)
        writer.member("managed", account.isManaged)
        writer.member("standing", account.standing)
        writer.member("managementState", account.managementState)
        writer.objects("policies", of: account.policies) { writer, policy in
          writer.member("name", policy.name)
          writer.member("file", policy.file)
          writer.member("targeted", policy.isTargeted)
          writer.member("why", policy.why)
        }
        writer.objects("conditionalAccess", of: account.conditionalAccess) { writer, policy in
          writer.member("name", policy.name)
          writer.member("file", policy.file)
          writer.member("state", policy.state)
          if let applies = policy.applies {
            writer.member("applies", applies)
          } else {
            writer.member(named: "applies") { $0.null() }
          }
          writer.member("why", policy.why)
          writer.strings("resources", policy.resources)
          writer.strings("userActions", policy.userActions)
        }
      }
    }
  }
}

// MARK: - Creating a view

struct DeviceStateReporter {
  let registry: GuestRegistry
  let policies: PolicyAssignments
  let directory: AccountDirectory
  let accounts: SignInCoordinator
  let tokens: TokenService

  /// Returns the view of an app or extension; nil if it does not exist. The view lists the directory's accounts. Other
  /// accounts follow if they are signed in to the app, or to the app that contains the extension.
  func view(of name: String) -> DeviceStateView? {
    guard let guest = registry[name] else { return nil }
    let unknown = registry.app(of: guest).accounts.signedIn.map(\.account).filter {
      !directory.contains($0)
    }
    return DeviceStateView(
      app: name, bundleID: guest.app.bundleID, remarks: remarks(on: guest),
      accounts: (directory.accounts + unknown).map { view(of: $0, in: guest) })
  }

  private func remarks(on guest: Guest) -> [String] {
    let noun = guest.app.kind == .app ? "app" : "extension"
    var remarks = [
      guest.app.integratesSDK
        ? "the \(noun) integrates the Intune App SDK"
        : "the \(noun) does not integrate the Intune App SDK, so no policy applies in it"
    ]
    let app = registry.app(of: guest)
    if app !== guest {
      remarks.append(
        "an extension has no sign-in of its own: accounts are signed in and enrolled in its app, "
          + "`\(app.name)`")
    }
    guard policies.deviceState.isMDMEnrolled else {
      remarks.append(
        "the device is not enrolled in MDM: policies for unmanaged devices apply, "
          + "and `IntuneMAMUPN` has no effect")
      return remarks
    }
    return remarks + configurationRemarks(on: guest)
  }

  private func configurationRemarks(on guest: Guest) -> [String] {
    let app = registry.completed(guest.app)
    // An extension without its own configuration uses its app's configuration.
    let isItsApps = guest.app.kind == .app || guest.app.configuration.isEmpty
    let whose = isItsApps ? "the app's" : "the extension's"
    var remarks: [String] = []
    if let user = onlyUser(of: guest) {
      remarks.append(
        "MDM enrolled the device for `\(user.upn ?? user.objectID ?? "")`: no other account can enroll in this app "
          + "(status 210)")
    }
    if !app.isMDMManaged, app.statedByMDM("IntuneMAMUPN") != nil {
      remarks.append(
        "the device is enrolled in MDM, but MDM does not manage the app, so `IntuneMAMUPN` has no effect in it: "
          + "policies treat the device as unmanaged")
    } else if app.configured("IntuneMAMUPN") == nil {
      remarks.append(
        "the device is enrolled in MDM, but \(whose) configuration has no `IntuneMAMUPN`: "
          + "policies treat the device as unmanaged")
    } else if app.configured("IntuneMAMOID") == nil {
      remarks.append(
        "the device is enrolled in MDM, and \(whose) configuration has `IntuneMAMUPN`: "
          + "policies treat the device as managed for that account, and as unmanaged for any other")
    } else {
      remarks.append(
        "the device is enrolled in MDM, and \(whose) configuration has `IntuneMAMUPN` and "
          + "`IntuneMAMOID`: policies treat the device as managed for the account that both name, and "
          + "as unmanaged for any other")
    }
    let keys = Set(app.configuration.keys).union(app.managedConfiguration.keys)
    for other in keys.sorted()
    where other != "IntuneMAMUPN" && other.filter({ !$0.isWhitespace }) == "IntuneMAMUPN" {
      remarks.append(
        "\(whose) configuration has `\(other)`, which does not match `IntuneMAMUPN`")
    }
    return remarks
  }

  private func view(of account: Account, in guest: Guest) -> DeviceStateView.AccountView {
    let app = registry.completed(guest.app)
    let state = ManagementState(
      isMDMEnrolled: policies.deviceState.isMDMEnrolled,
      hasEnrolledUPN: app.namesEnrolledUser(account))
    let known = app.kind == .app ? guest.accounts.signedIn : accounts.accounts(ofExtension: app)
    let isManaged = known.contains { $0.policy != nil && $0.account.isSameUser(as: account) }
    return DeviceStateView.AccountView(
      account: account.upn, isManaged: isManaged,
      standing: standing(of: account, in: guest), managementState: state.rawValue,
      policies: policies.judgements(
        on: account, bundleID: app.protectedBundleID, state: state),
      conditionalAccess: accessPolicies(for: account))
  }

  private func accessPolicies(for account: Account) -> [DeviceStateView.AccessPolicyView] {
    let signIn = SignIn(account, device: tokens.directoryDevice)
    return tokens.conditionalAccess.judgements(on: signIn).map { policy, judgement in
      DeviceStateView.AccessPolicyView(
        name: policy.displayName, file: policy.file, state: policy.state.rawValue,
        applies: policy.state == .enabled ? judgement.applies : false,
        why: policy.clause(of: judgement),
        resources: policy.scope.resources, userActions: policy.scope.userActions)
    }
  }

  /// Returns the MDM user if only this user can enroll in the app. Returns nil if MDM names no user, or the app
  /// supports several managed accounts.
  private func onlyUser(of guest: Guest) -> EnrolledUser? {
    let app = registry.app(of: guest).app
    return app.allowsSeveralManagedAccounts ? nil : policies.enrolledUser(of: app)
  }

  private static let configured =
    "enrolled only to get an app configuration; no policy protects the account"

  private func standing(of account: Account, in guest: Guest) -> String {
    let (description, app) = (registry.completed(guest.app), registry.app(of: guest))
    let isTargeted = !policies.entries(for: account, in: description).isEmpty
    let isConfigured = accounts.revision(for: account, in: description) != nil
    guard app.accounts.signedIn.contains(where: { $0.account.isSameUser(as: account) }) else {
      if isTargeted || isConfigured, onlyUser(of: guest)?.isSameUser(as: account) == false {
        return
          "not signed in; MDM enrolled the device for another account, so this one cannot enroll"
      }
      return isTargeted || isConfigured
        ? "not signed in; targeted policies and configurations apply once it is enrolled"
        : "not signed in"
    }
    guard description.integratesSDK else { return "signed in; without the SDK no policy applies" }
    guard let registration = app.accounts.registration(of: account) else {
      guard !isTargeted else { return "enrolled" }
      return isConfigured ? Self.configured : "signed in, but not targeted"
    }
    if registration.machine.appliesPolicy { return "enrolled" }
    if registration.machine.isTargeted, !isTargeted { return Self.configured }
    let last = registration.lastStatus.map { ", last status \($0.rawValue) \($0.name)" } ?? ""
    // ms-intune-app-sdk-ios, issue 672: the app integrates the SDK and a policy targets the
    // account, but the policy does not apply.
    let half =
      isTargeted
      ? "signed in, but not enrolled: targeted policies and configurations do not apply, and encrypted items from managed apps cannot "
        + "be read" : "signed in, but not targeted"
    return half + last
  }
}

extension PolicyAssignments {
  /// Returns all policies that are assigned to the account. For each policy, the result states whether it targets the
  /// app in its current management state, and why.
  fileprivate func judgements(
    on account: Account, bundleID: String, state: ManagementState
  ) -> [DeviceStateView.PolicyView] {
    assignments.filter { !$0.isWithdrawn && $0.account.isSameUser(as: account) }.map { assignment in
      let document = assignment.document
      guard let apps = assignment.apps else {
        let result = document.targets(bundleID: bundleID, state: state)
        return DeviceStateView.PolicyView(
          name: document.displayName, file: document.file, isTargeted: result.isTargeted,
          why: result.text)
      }
      let isNamed = apps.contains { $0.lowercased() == bundleID.lowercased() }
      return DeviceStateView.PolicyView(
        name: document.displayName, file: document.file, isTargeted: isNamed,
        why: isNamed
          ? "targeted by the scenario" : "the scenario targets it only at other apps")
    }
  }
}
