package import GraphDocuments
internal import Model
package import Policy

/// Stores the assignments of policies to accounts, and derives the effective policies.
final class PolicyAssignments {
  /// A number that increases with each change of an identity, an account or a policy. A cached decision is valid only
  /// until the number increases.
  private(set) var generation = 0
  /// The device's enrollment in MDM and restrictions.
  private(set) var deviceState: DeviceRestrictions
  private(set) var assignments: [PolicyAssignment]
  /// Merged policies, keyed by the indices of the merged assignments. Equal keys must give the same object, because
  /// cached decisions compare policies by object identity.
  private var merged: [[Int]: EffectivePolicy] = [:]
  private var index = AssignmentIndex()
  /// The number of times that an assignment's account has been compared with the account of a lookup.
  private(set) var comparisons = 0

  init(_ assignments: [PolicyAssignment], deviceState: DeviceRestrictions) {
    self.assignments = assignments
    self.deviceState = deviceState
    for (place, assignment) in assignments.enumerated() { index.add(assignment, at: place) }
  }

  func invalidateRulings() { generation += 1 }

  func setDeviceState(_ state: DeviceRestrictions) {
    guard state != deviceState else { return }
    deviceState = state
    invalidateRulings()
  }

  /// Replaces the assignments of policies to `account`. The old assignments are marked as withdrawn and stay in the
  /// array, so no index changes.
  func assign(_ new: [PolicyAssignment], to account: Account) {
    for place in own(index.places(of: account), account) {
      index.withdraw(assignments[place], at: place)
      assignments[place].isWithdrawn = true
    }
    for assignment in new {
      index.add(assignment, at: assignments.count)
      assignments.append(assignment)
    }
  }

  func rename(_ account: Account, to new: Account) {
    for place in assignments.indices where assignments[place].account.isSameUser(as: account) {
      index.withdraw(assignments[place], at: place)
      assignments[place].account = new
      if !assignments[place].isWithdrawn { index.add(assignments[place], at: place) }
    }
  }

  /// Returns the elements of `places` that are indices of the account's assignments.
  ///
  /// - Parameter places: Indices of assignments, possibly of several accounts.
  private func own(_ places: [Int], _ account: Account) -> [Int] {
    comparisons += places.count
    return places.filter { assignments[$0].account.isSameUser(as: account) }
  }

  /// A policy that applies, and the reason why it applies.
  struct Entry {
    var document: PolicyDocument
    var index: Int
    /// The reason as a clause in lower case, such as `targeted by bundle id`.
    var reason: String

    /// The policy and the reason, as recorded in the journal.
    var text: String { "\(document.displayName), \(reason)" }
  }

  /// Returns the policies that apply to `account` in the app or extension; empty if the account is unmanaged there.
  func entries(for account: Account, in app: AppDescription) -> [Entry] {
    guard app.integratesSDK else { return [] }
    let state = ManagementState(
      isMDMEnrolled: deviceState.isMDMEnrolled, hasEnrolledUPN: app.namesEnrolledUser(account))
    let bundleID = app.protectedBundleID
    return own(index.places(of: account, in: bundleID), account).compactMap { place in
      let assignment = assignments[place]
      let reason =
        assignment.apps == nil
        ? assignment.reason(bundleID: bundleID, state: state) : PolicyAssignment.named
      return reason.map { Entry(document: assignment.document, index: place, reason: $0) }
    }
  }

  /// Returns the policy that results from merging the entries' policies. For entries of the same assignments, always
  /// returns the same object.
  func merging(_ entries: [Entry]) -> EffectivePolicy {
    let key = entries.map(\.index)
    if let known = merged[key] { return known }
    let policy = EffectivePolicy.merging(entries.map(\.document))
    merged[key] = policy
    return policy
  }

  /// Returns a text that identifies the policies that apply to the account in the app. It has a line for each policy,
  /// with the assignment's index, the policy's name and the reason. Returns nil if no policy applies.
  func revision(for account: Account, in app: AppDescription) -> String? {
    let entries = entries(for: account, in: app)
    guard !entries.isEmpty else { return nil }
    return entries.map { "\($0.index) \($0.text)" }.joined(separator: "\n")
  }

  /// Returns the user for whom MDM enrolled the device, as named by the app's configuration. Returns nil if the device
  /// is not enrolled, MDM does not manage the app, the app does not integrate the SDK, or the configuration names no
  /// user. The MDM may be of any vendor.
  ///
  /// Source: Intune App SDK for iOS, `IntuneMAMEnrollmentManager.h`, `mdmEnrolledAccountId`.
  func enrolledUser(of app: AppDescription) -> EnrolledUser? {
    guard deviceState.isMDMEnrolled, app.isMDMManaged, app.integratesSDK else { return nil }
    return EnrolledUser(
      upn: app.configured("IntuneMAMUPN"), objectID: app.configured("IntuneMAMOID"))
  }

  /// Returns the accounts that MDM allows to sign in to the app; nil if all are allowed. Only a configuration
  /// from MDM can restrict them.
  ///
  /// Source: Microsoft Learn, "Add app configuration policies for managed iOS/iPadOS devices": "allowed
  /// organization user accounts … on enrolled devices".
  func allowedAccounts(of app: AppDescription) -> AllowedAccounts? {
    guard deviceState.isMDMEnrolled, app.isMDMManaged else { return nil }
    return AllowedAccounts(
      allowedAccountsOnly: app.configured("IntuneMAMAllowedAccountsOnly"),
      upn: app.configured("IntuneMAMUPN"), objectID: app.configured("IntuneMAMOID"))
  }

  /// Returns whether a policy would protect the account in the app after a sign-in, but the account is not signed in.
  func misses(_ account: Account, in guest: Guest) -> Bool {
    !guest.accounts.signedIn.contains { $0.account.isSameUser(as: account) }
      && !entries(for: account, in: guest.app).isEmpty
  }
}

/// Finds the assignments for an account and an app. It contains the indices of all assignments that are not withdrawn.
///
/// A lookup uses both the object id and the UPN, so it may also return assignments of another account with the same
/// UPN.
private struct AssignmentIndex {
  /// The assignments of each account, keyed by its UPN and by its object id in lower case.
  private var accounts: [String: Places] = [:]

  private struct Places {
    var all: Set<Int> = []
    /// The assignments that name no apps, and whose document targets a group of apps.
    var groups: Set<Int> = []
    /// All other assignments, keyed by the targeted apps' bundle ids in lower case.
    var byApp: [String: Set<Int>] = [:]
  }

  mutating func add(_ assignment: PolicyAssignment, at place: Int) {
    for key in Self.keys(of: assignment.account) {
      accounts[key, default: Places()].all.insert(place)
      guard let apps = Self.apps(of: assignment) else {
        accounts[key]?.groups.insert(place)
        continue
      }
      for app in apps { accounts[key]?.byApp[app, default: []].insert(place) }
    }
  }

  mutating func withdraw(_ assignment: PolicyAssignment, at place: Int) {
    for key in Self.keys(of: assignment.account) {
      accounts[key]?.all.remove(place)
      accounts[key]?.groups.remove(place)
      for app in Self.apps(of: assignment) ?? [] { accounts[key]?.byApp[app]?.remove(place) }
    }
  }

  func places(of account: Account) -> [Int] { union(of: account) { $0.all } }

  /// Returns the indices of the assignments that may target the app: those that name the app, and those without named
  /// apps whose document names it or targets a group of apps.
  func places(of account: Account, in bundleID: String) -> [Int] {
    let app = bundleID.lowercased()
    return union(of: account) { $0.groups.union($0.byApp[app] ?? []) }
  }

  /// Returns the lower-case bundle ids of the apps that the assignment names or, if it names none, that its document
  /// names. Returns nil if the document targets a group of apps instead.
  private static func apps(of assignment: PolicyAssignment) -> Set<String>? {
    if let apps = assignment.apps { return Set(apps.map { $0.lowercased() }) }
    let targeting = assignment.document.targeting
    return targeting.appGroup == .selectedPublicApps ? targeting.bundleIDs : nil
  }

  private func union(of account: Account, _ part: (Places) -> Set<Int>) -> [Int] {
    Self.keys(of: account).compactMap { accounts[$0] }
      .reduce(into: Set<Int>()) { $0.formUnion(part($1)) }.sorted()
  }

  private static func keys(of account: Account) -> [String] {
    [account.upn.lowercased()] + (account.objectID.map { [$0.lowercased()] } ?? [])
  }
}

extension PolicyAssignment {
  /// The reason for assignments that name the app.
  fileprivate static let named = "targeted by the scenario"

  /// Returns the reason why the policy applies to an SDK app with that bundle id, as a clause; nil if it does not.
  package func reason(bundleID: String, state: ManagementState) -> String? {
    guard let apps else {
      let result = document.targets(bundleID: bundleID, state: state)
      return result.isTargeted ? result.text : nil
    }
    let isNamed = apps.contains { $0.lowercased() == bundleID.lowercased() }
    return isNamed ? Self.named : nil
  }
}

extension AppDescription {
  /// The bundle id that policies name. For an extension, it is the app's bundle id.
  var protectedBundleID: String { kind.containingApp ?? bundleID }

  /// Returns the value for `key` in the app's configuration from MDM as text. Nil if the configuration lacks the key,
  /// or if MDM does not manage the app.
  ///
  /// Source: Microsoft Learn, "How to manage data transfer between iOS apps in Microsoft Intune": the app is installed
  /// from the Company Portal or pushed as required.
  func configured(_ key: String) -> String? {
    isMDMManaged ? statedByMDM(key) : nil
  }

  /// Returns the value for `key` in the app's configuration from MDM as text, even while MDM does not manage the app;
  /// nil if there is none.
  func statedByMDM(_ key: String) -> String? {
    configuration[key] ?? managedConfiguration[key]?.text
  }

  /// Returns whether the app's configuration names `account` as the enrolled user: `IntuneMAMUPN` matches the account,
  /// and so does `IntuneMAMOID` if the configuration contains it.
  func namesEnrolledUser(_ account: Account) -> Bool {
    guard let upn = configured("IntuneMAMUPN"), account.matches(identifier: upn) else {
      return false
    }
    guard let objectID = configured("IntuneMAMOID") else { return true }
    return account.matches(identifier: objectID)
  }

  /// Returns the app's state for rules that are evaluated while the app acts for `account`. Of the app's
  /// configurations, the state includes only the one from MDM.
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

  /// Returns the keychain groups that the app may use.
  ///
  /// - Throws: ``HostError`` if the entitlements name a group that this team may not use.
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
