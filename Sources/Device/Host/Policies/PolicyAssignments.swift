package import GraphDocuments
internal import Model
package import Policy

/// The assignments of policies to accounts, and the policies that result from them.
final class PolicyAssignments {
  /// Counts up whenever an identity, an account or a policy changes: earlier rulings no longer hold.
  private(set) var generation = 0
  /// The restrictions that the device's management sets.
  private(set) var deviceState: DeviceRestrictions
  private(set) var assignments: [PolicyAssignment]
  /// Effective policies by the indices of the assignments that they merge: rulings compare them by identity.
  private var merged: [[Int]: EffectivePolicy] = [:]

  init(_ assignments: [PolicyAssignment], deviceState: DeviceRestrictions) {
    self.assignments = assignments
    self.deviceState = deviceState
  }

  /// Invalidates all rulings: what was decided is decided again.
  func invalidateRulings() { generation += 1 }

  /// Sets the restrictions of the device's management.
  func setDeviceState(_ state: DeviceRestrictions) {
    guard state != deviceState else { return }
    deviceState = state
    invalidateRulings()
  }

  /// Assigns policies to `account` in place of all that was assigned to it.
  ///
  /// Indices of other assignments stay as they are.
  func assign(_ new: [PolicyAssignment], to account: Account) {
    for index in assignments.indices where assignments[index].account.isSame(as: account) {
      assignments[index].isWithdrawn = true
    }
    assignments += new
  }

  /// Renames the account in the assignments.
  func rename(_ account: Account, to new: Account) {
    for index in assignments.indices where assignments[index].account.isSame(as: account) {
      assignments[index].account = new
    }
  }

  /// A policy that applies, and the reason.
  struct Entry {
    var document: PolicyDocument
    /// Index of the policy's assignment among all.
    var index: Int
    /// The reason in one clause, in lower case, such as `targeted by bundle id`.
    var reason: String

    /// The policy and the reason, as the journal names them.
    var text: String { "\(document.displayName), \(reason)" }
  }

  /// The policies that apply to `account` in the app or extension; empty where the account is unmanaged there.
  func entries(for account: Account, in app: AppDescription) -> [Entry] {
    guard app.integratesSDK else { return [] }
    let state = ManagementState(
      isMDMEnrolled: deviceState.isMDMEnrolled, hasEnrolledUPN: app.namesEnrolledUser(account))
    return assignments.enumerated().compactMap { index, assignment in
      guard !assignment.isWithdrawn, assignment.account.isSame(as: account) else { return nil }
      return assignment.reason(bundleID: app.protectedBundleID, state: state).map {
        Entry(document: assignment.document, index: index, reason: $0)
      }
    }
  }

  /// The policy that the entries merge to; the same object for the same entries.
  func merging(_ entries: [Entry]) -> EffectivePolicy {
    let key = entries.map(\.index)
    if let known = merged[key] { return known }
    let policy = EffectivePolicy.merging(entries.map(\.document))
    merged[key] = policy
    return policy
  }

  /// The names of the policies that are targeted at the account in the app, as one text; nil: none is.
  func revision(for account: Account, in app: AppDescription) -> String? {
    let entries = entries(for: account, in: app)
    guard !entries.isEmpty else { return nil }
    return entries.map { "\($0.index) \($0.text)" }.joined(separator: "\n")
  }

  /// MDM's user of the device, as stated to the app; nil: the device is not enrolled, MDM does not manage the app, or
  /// states no user to it. Any vendor's MDM counts.
  ///
  /// Source: Intune App SDK for iOS, `IntuneMAMEnrollmentManager.h`, `mdmEnrolledAccountId`.
  func enrolledUser(of app: AppDescription) -> EnrolledUser? {
    guard deviceState.isMDMEnrolled, app.isMDMManaged, app.integratesSDK else { return nil }
    return EnrolledUser(
      upn: app.configured("IntuneMAMUPN"), objectID: app.configured("IntuneMAMOID"))
  }

  /// The accounts that MDM lets sign in to the app; nil: all. Only MDM delivers the configuration that says so.
  ///
  /// Source: Microsoft Learn, "Add app configuration policies for managed iOS/iPadOS devices": "allowed organization user
  /// accounts … on enrolled devices".
  func allowedAccounts(of app: AppDescription) -> AllowedAccounts? {
    guard deviceState.isMDMEnrolled, app.isMDMManaged else { return nil }
    return AllowedAccounts(
      allowedAccountsOnly: app.configured("IntuneMAMAllowedAccountsOnly"),
      upn: app.configured("IntuneMAMUPN"), objectID: app.configured("IntuneMAMOID"))
  }

  /// Whether a policy would protect the account, which is not signed in.
  func misses(_ account: Account, in guest: Guest) -> Bool {
    !guest.accounts.signedIn.contains { $0.account.isSame(as: account) }
      && !entries(for: account, in: guest.app).isEmpty
  }
}

extension PolicyAssignment {
  /// The reason, in one clause, why the policy is for an app with the SDK of that bundle id; nil: it is not.
  package func reason(bundleID: String, state: ManagementState) -> String? {
    guard let apps else {
      let result = document.targets(bundleID: bundleID, state: state)
      return result.isTargeted ? result.text : nil
    }
    let isNamed = apps.contains { $0.lowercased() == bundleID.lowercased() }
    return isNamed ? "targeted by the scenario" : nil
  }
}

extension AppDescription {
  /// The bundle id that policies name: for an extension, its app's.
  var protectedBundleID: String { kind.containingApp ?? bundleID }

  /// The value for `key` in the app's configuration by MDM, as text; nil where there is none.
  func configured(_ key: String) -> String? {
    configuration[key] ?? managedConfiguration[key]?.text
  }

  /// Whether the app's configuration names `account` as the enrolled user: by `IntuneMAMUPN`, and by
  /// `IntuneMAMOID` where the configuration states one.
  func namesEnrolledUser(_ account: Account) -> Bool {
    guard let upn = configured("IntuneMAMUPN"), account.isNamed(upn) else { return false }
    guard let objectID = configured("IntuneMAMOID") else { return true }
    return account.isNamed(objectID)
  }

  /// The state of the app that rules see while it acts for `account`.
  func state(for account: Account?) -> AppState {
    AppState(
      bundleID: bundleID, containingApp: kind.containingApp, isMultiIdentity: isMultiIdentity,
      isMDMManaged: isMDMManaged,
      hasEnrolledUPN: account.map(namesEnrolledUser) ?? false, linksSDK: integratesSDK,
      sdkVersion: sdkVersion, isScreenCaptureControlDisabled: isScreenCaptureControlDisabled,
      webViews: webViews, schemes: Set(schemes))
  }

  private var isScreenCaptureControlDisabled: Bool {
    configured(Setting.screenCaptureControl.rawValue)?.lowercased() == "disabled"
  }

  /// The keychain groups of the app.
  ///
  /// - Throws: ``HostError`` where the entitlements name a group that this team may not have.
  package func keychainGroups() throws(HostError) -> KeychainGroups {
    do {
      return try KeychainGroups(
        team: team, accessGroups: keychainAccessGroups,
        applicationIdentifier: "\(team).\(bundleID)", applicationGroups: accessibleGroups)
    } catch {
      throw HostError(.entitlements, "app `\(name)`: \(error)")
    }
  }
}
