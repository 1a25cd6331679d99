public import Policy
internal import Transfer

/// Which policy holds for whom: the assignments of all organisations, asked by account and app.
struct PolicyBook {
  private(set) var assignments: [PolicyAssignment]
  private let isMDMEnrolled: Bool

  init(_ assignments: [PolicyAssignment], isMDMEnrolled: Bool) {
    self.assignments = assignments
    self.isMDMEnrolled = isMDMEnrolled
  }

  /// Assigns `documents` to `account` in place of all that was assigned to it.
  ///
  /// Indices of other assignments stay what they are.
  mutating func assign(_ documents: [PolicyDocument], to account: Account, apps: [String]?) {
    for index in assignments.indices where assignments[index].account.isSame(as: account) {
      assignments[index].isWithdrawn = true
    }
    assignments += documents.map { PolicyAssignment(document: $0, account: account, apps: apps) }
  }

  /// The account has another name from now on.
  mutating func rename(_ account: Account, to new: Account) {
    for index in assignments.indices where assignments[index].account.isSame(as: account) {
      assignments[index].account = new
    }
  }

  /// A policy that applies, and why it does.
  struct Entry {
    var document: PolicyDocument
    /// Place of its assignment among all.
    var index: Int
    /// One clause, lower case: `targeted by bundle id`.
    var reason: String
  }

  /// The policies that apply to `account` in the app; empty: it is unmanaged there.
  ///
  /// - Parameter bundleID: of the containing app, where the app is an extension.
  func entries(for account: Account, in app: AppDescription, bundleID: String) -> [Entry] {
    guard app.integratesSDK else { return [] }
    let state = ManagementState(
      isMDMEnrolled: isMDMEnrolled, hasEnrolledUPN: app.namesEnrolledUser(account))
    return assignments.enumerated().compactMap { index, assignment in
      guard !assignment.isWithdrawn, assignment.account.isSame(as: account) else { return nil }
      return assignment.reason(bundleID: bundleID, state: state).map {
        Entry(document: assignment.document, index: index, reason: $0)
      }
    }
  }
}

extension PolicyAssignment {
  /// Why it is for an app with the SDK of that bundle id, in one clause; nil: it is not.
  public func reason(bundleID: String, state: ManagementState) -> String? {
    guard let apps else {
      let result = document.targets(bundleID: bundleID, state: state)
      return result.isTargeted ? result.text : nil
    }
    let isNamed = apps.contains { $0.lowercased() == bundleID.lowercased() }
    return isNamed ? "targeted by the scenario" : nil
  }
}

extension AppDescription {
  /// What MDM has configured the app with for `key`, as text; nil where it has not.
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

  /// What rules see of the app while it acts for `account`.
  func state(for account: Account?) -> AppState {
    AppState(
      bundleID: bundleID, isMultiIdentity: isMultiIdentity, isMDMManaged: isMDMManaged,
      hasEnrolledUPN: account.map(namesEnrolledUser) ?? false, linksSDK: integratesSDK,
      sdkVersion: sdkVersion, isScreenCaptureControlDisabled: isScreenCaptureControlDisabled,
      webViews: webViews, schemes: Set(schemes))
  }

  private var isScreenCaptureControlDisabled: Bool {
    configured(Setting.screenCaptureControl.rawValue)?.lowercased() == "disabled"
  }

  /// The accounts that the app's configuration lets sign in; nil: all.
  var allowedAccounts: AllowedAccounts? {
    AllowedAccounts(
      allowedAccountsOnly: configured("IntuneMAMAllowedAccountsOnly"),
      upn: configured("IntuneMAMUPN"), objectID: configured("IntuneMAMOID"))
  }

  /// - Throws: ``HostError`` where the entitlements name a group that this team may not have.
  func keychainGroups() throws(HostError) -> KeychainGroups {
    do {
      return try KeychainGroups(
        team: team, accessGroups: keychainAccessGroups,
        applicationIdentifier: "\(team).\(bundleID)", applicationGroups: accessibleGroups)
    } catch {
      throw HostError(.entitlements, "app `\(name)`: \(error)")
    }
  }
}
