internal import Encodings
package import GraphDocuments
package import Model

/// The app configurations of all organisations, with their assignments. It determines the configurations of an account
/// in an app.
package struct ConfigurationBook: Sendable {
  private var assignments: [AppConfigurationAssignment] = []
  /// The indices of the assignments with a list of apps, keyed by the apps' lowercase bundle ids.
  private var byApp: [String: [Int]] = [:]
  /// The indices of the assignments without a list of apps. Their documents state the apps.
  private var others: [Int] = []
  /// The values of tokens that the scenario states, because they cannot be derived from the account.
  private let tokenValues: [ConfigurationToken: String]
  /// The enrolled user if Intune is the device's MDM; nil under another MDM. Intune adds this user's UPN and object id
  /// to the configurations of some apps.
  package var intuneUser: Account?

  package init(
    _ assignments: [AppConfigurationAssignment], tokenValues: [ConfigurationToken: String] = [:],
    intuneUser: Account? = nil
  ) {
    self.tokenValues = tokenValues
    self.intuneUser = intuneUser
    append(assignments)
  }

  private mutating func append(_ new: [AppConfigurationAssignment]) {
    for assignment in new {
      if let apps = assignment.apps {
        for app in Set(apps.map { $0.lowercased() }) {
          byApp[app, default: []].append(assignments.count)
        }
      } else {
        others.append(assignments.count)
      }
      assignments.append(assignment)
    }
  }

  /// Returns the indices of the assignments that may be for the app, in ascending order. Assignments that list no apps
  /// are included, even if their documents target only other apps.
  func candidates(for bundleID: String) -> [Int] {
    let named = byApp[bundleID.lowercased()] ?? []
    return named.isEmpty ? others : (others + named).sorted()
  }

  package var isEmpty: Bool { assignments.isEmpty }

  /// Replaces the assignments of `account` by `new`.
  package mutating func assign(_ new: [AppConfigurationAssignment], to account: Account) {
    for index in assignments.indices where assignments[index].account.isSameUser(as: account) {
      assignments[index].isWithdrawn = true
    }
    append(new)
  }

  /// Replaces `account` by `new` in the account's assignments and in ``intuneUser``.
  package mutating func rename(_ account: Account, to new: Account) {
    if intuneUser?.isSameUser(as: account) == true { intuneUser = new }
    for index in assignments.indices where assignments[index].account.isSameUser(as: account) {
      assignments[index].account = new
    }
  }

  // MARK: MDM

  /// Returns the configuration that the app gets from MDM if MDM manages the app. If two documents have different
  /// values for a key, none of the documents applies. Keys that Intune adds take precedence over those of documents.
  ///
  /// Sources: Microsoft Learn, "Add app configuration policies for managed iOS/iPadOS devices": conflicting policies
  /// are reported, and none is applied; "How to create and assign app protection policies", device management types.
  package func managed(bundleID: String) -> [String: ConfigurationValue] {
    let tables = managedAssignments(bundleID).map { entries(of: $0) }
    var values = Self.conflict(tables) == nil ? tables : []
    if let intuneUser, ManagementState.intuneNamesUser(to: bundleID) {
      var keys = [SDKKey.enrolledUPN.rawValue: ConfigurationValue.text(intuneUser.upn)]
      keys[SDKKey.enrolledObjectID.rawValue] = intuneUser.objectID.map { .text($0) }
      values.insert(keys, at: 0)
    }
    return values.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }

  private func managedAssignments(_ bundleID: String) -> [AppConfigurationAssignment] {
    candidates(for: bundleID).map { assignments[$0] }.filter {
      $0.document.channel == .managedDevices
        && isFor($0) { document in
          document.targets(bundleID: bundleID, state: .enrolled)
        }
    }
  }

  /// Returns the alphabetically first key for which two of the tables have different values; nil if there is none.
  private static func conflict(_ tables: [[String: ConfigurationValue]]) -> String? {
    var values: [String: ConfigurationValue] = [:]
    var conflicts: Set<String> = []
    for (key, value) in tables.joined() {
      if let other = values.updateValue(value, forKey: key), other != value {
        conflicts.insert(key)
      }
    }
    return conflicts.min()
  }

  // MARK: Accounts

  /// The maximum total size in bytes of the configurations of one account in one app. See ``ConfigurationValue/size``.
  package static let maximumSize = 2 << 20

  /// Returns the configurations that the app gets for an enrolled account. The result is empty if they exceed
  /// ``maximumSize``.
  package func delivered(to account: Account, in app: ConfiguredApp) -> DeliveredConfiguration {
    let all = all(to: account, in: app)
    let size = all.dictionaries.reduce(0) { $0 + ConfigurationValue.dictionary($1).size }
    return size <= Self.maximumSize ? all : DeliveredConfiguration()
  }

  private func all(to account: Account, in app: ConfiguredApp) -> DeliveredConfiguration {
    let served = app.isServed ? served(to: account, in: app) : []
    var dictionaries = served.filter { !$0.document.isDefault }.map { entries(of: $0) }
    if let managed = app.managed, !managed.isEmpty { dictionaries.append(managed) }
    dictionaries += served.filter(\.document.isDefault).map { assignment in
      entries(of: assignment).merging(
        [DeliveredConfiguration.defaultMark: .boolean(true)]) { _, mark in mark }
    }
    return DeliveredConfiguration(dictionaries)
  }

  /// Returns the documents that ``delivered(to:in:)`` uses, in order, with tokens replaced. The result is complete even
  /// if the documents exceed ``maximumSize``.
  package func documents(
    for account: Account, in app: ConfiguredApp
  ) -> [AppConfigurationDocument] {
    let served = app.isServed ? served(to: account, in: app) : []
    let managed = app.managed == nil ? [] : managedAssignments(app.bundleID)
    let isConflicting = Self.conflict(managed.map { entries(of: $0) }) != nil
    let all =
      served.filter { !$0.document.isDefault } + (isConflicting ? [] : managed)
      + served.filter(\.document.isDefault)
    return all.map { assignment in
      var document = assignment.document
      let values = entries(of: assignment)
      for index in document.entries.indices {
        document.entries[index].value =
          values[document.entries[index].key] ?? document.entries[index].value
      }
      return document
    }
  }

  /// Returns a text for each document that the MAM service targets at the account in the app, except the tenant's
  /// default. A text contains the assignment's index and the document's name, so texts of documents with the same name
  /// differ.
  package func targeted(at account: Account, in app: ConfiguredApp) -> [String] {
    guard app.isServed else { return [] }
    return candidates(for: app.bundleID).compactMap { index in
      let assignment = assignments[index]
      guard isServed(assignment, to: account, in: app), !assignment.document.isDefault else {
        return nil
      }
      return "\(index) \(assignment.document.displayName)"
    }
  }

  private func served(
    to account: Account, in app: ConfiguredApp
  ) -> [AppConfigurationAssignment] {
    candidates(for: app.bundleID).map { assignments[$0] }
      .filter { isServed($0, to: account, in: app) }
  }

  private func isServed(
    _ assignment: AppConfigurationAssignment, to account: Account, in app: ConfiguredApp
  ) -> Bool {
    assignment.document.channel == .managedApps && assignment.account.isSameUser(as: account)
      && isFor(assignment) { document in
        document.targets(bundleID: app.bundleID, state: app.state)
      }
  }

  /// Returns whether the assignment is in effect and is for the app.
  ///
  /// - Parameter assignment: A candidate for the app. If the assignment lists apps, the app is among them.
  private func isFor(
    _ assignment: AppConfigurationAssignment, _ isTargeted: (AppConfigurationDocument) -> Bool
  ) -> Bool {
    !assignment.isWithdrawn && (assignment.apps != nil || isTargeted(assignment.document))
  }

  /// Returns the entries of the assigned document, with the tokens of its channel replaced.
  private func entries(
    of assignment: AppConfigurationAssignment
  ) -> [String: ConfigurationValue] {
    let tokens = ConfigurationTokens(
      assignment.account, values: tokenValues, in: assignment.document.channel)
    return assignment.document.entries.reduce(into: [:]) {
      $0[$1.key] = tokens.filling($1.value)
    }
  }

  // MARK: Warnings

  /// Returns the warnings that cannot be found in a single file. They are about tokens without a value, conflicting
  /// documents, documents that together exceed the size limit, and restrictions of sign-in without an account.
  ///
  /// - Parameters:
  ///   - bundleIDs: The apps of the device.
  ///   - keys: The keys that an app gets from MDM in addition to the documents. Keys of the dictionary are bundle ids.
  package func warnings(
    for bundleIDs: [String], beside keys: [String: Set<String>] = [:]
  ) -> [AppConfigurationWarning] {
    assignments.flatMap(unresolvedTokens) + bundleIDs.compactMap(conflict)
      + bundleIDs.flatMap(tooMuch)
      + bundleIDs.compactMap { restrictionOfNobody($0, beside: keys[$0] ?? []) }
  }

  /// The warnings for a device that MDM does not manage: configurations that state the enrolled user have no effect
  /// there.
  package var warningsOutsideMDM: [AppConfigurationWarning] {
    assignments.compactMap { assignment in
      let document = assignment.document
      let keys = Set(document.entries.map(\.key))
      guard document.channel == .managedDevices, !assignment.isWithdrawn,
        let mistake = SDKKey.mistake(onUnmanagedDevice: keys),
        let key = SDKKey.naming(keys)?.rawValue,
        let entry = document.entries.first(where: { $0.key == key })
      else { return nil }
      return AppConfigurationWarning(
        .ineffectiveKey, file: document.file, at: entry.position, mistake)
    }
  }

  /// Returns a warning if the app's configuration allows sign-in only to configured accounts, but configures none;
  /// otherwise nil.
  private func restrictionOfNobody(
    _ bundleID: String, beside keys: Set<String>
  ) -> AppConfigurationWarning? {
    let restriction = SDKKey.allowedAccountsOnly.rawValue
    let managed = managed(bundleID: bundleID)
    guard !keys.contains(restriction),
      let mistake = SDKKey.mistake(
        inAllowedAccountsOnly: managed[restriction], beside: keys.union(managed.keys)),
      let document = managedAssignments(bundleID).lazy.map(\.document).first(where: {
        $0.entries.contains { $0.key == restriction }
      }),
      let entry = document.entries.first(where: { $0.key == restriction })
    else { return nil }
    return AppConfigurationWarning(
      .ineffectiveKey, file: document.file, at: entry.position, "\(mistake) to `\(bundleID)`")
  }

  private func tooMuch(_ bundleID: String) -> [AppConfigurationWarning] {
    let targeted = candidates(for: bundleID).map { assignments[$0] }.filter {
      isFor($0) {
        $0.channel == .managedDevices || $0.targets(bundleID: bundleID, state: .enrolled)
          || $0.targets(bundleID: bundleID, state: .unenrolled)
      }
    }
    return Dictionary(grouping: targeted) { $0.account.upn.lowercased() }
      .sorted { $0.key < $1.key }.compactMap { _, assignments in
        let size = assignments.reduce(0) {
          $0 + ConfigurationValue.dictionary(entries(of: $1)).size
        }
        guard size > Self.maximumSize, let first = assignments.first else { return nil }
        return AppConfigurationWarning(
          .tooMuch, file: first.document.file, at: first.document.position,
          "the configurations of `\(first.account.upn)` for `\(bundleID)` have \(size) bytes; the maximum is "
            + "\(Self.maximumSize), so none of them is delivered")
      }
  }

  private func unresolvedTokens(
    _ assignment: AppConfigurationAssignment
  ) -> [AppConfigurationWarning] {
    guard !assignment.isWithdrawn else { return [] }
    let tokens = ConfigurationTokens(
      assignment.account, values: tokenValues, in: assignment.document.channel)
    return assignment.document.entries.flatMap { entry in
      tokens.unresolved(in: entry.value).map { token in
        AppConfigurationWarning(
          .unresolvedToken, file: assignment.document.file, at: entry.position,
          "the value of `\(token.spelling)` in the key `\(entry.key)` is unknown for "
            + "`\(assignment.account.upn)`, so it is delivered unchanged; "
            + (token == .userid
              ? "state the account's `objectID`" : "state it under the device's `tokens`"))
      }
    }
  }

  private func conflict(_ bundleID: String) -> AppConfigurationWarning? {
    let found = managedAssignments(bundleID)
    guard let key = Self.conflict(found.map { entries(of: $0) }), let first = found.first else {
      return nil
    }
    let names = found.map { "`\($0.document.displayName)`" }.joined(separator: ", ")
    return AppConfigurationWarning(
      .conflictingConfigurations, file: first.document.file, at: first.document.position,
      "the configurations \(names) state different values of the key `\(key)` for `\(bundleID)`, so none of "
        + "these configurations applies there")
  }
}

// MARK: - Assignments and apps

/// An app configuration, with the account and the apps to which an administrator has assigned it.
package struct AppConfigurationAssignment: Sendable {
  package var document: AppConfigurationDocument
  package var account: Account
  /// The bundle ids of the apps; nil if the document states them itself.
  package var apps: [String]?
  var isWithdrawn = false

  package init(document: AppConfigurationDocument, account: Account, apps: [String]? = nil) {
    self.document = document
    self.account = account
    self.apps = apps
  }
}

/// The properties of an app on which its configuration for an account depends.
package struct ConfiguredApp: Sendable {
  /// The app's bundle id. For an extension, it is that of the containing app.
  package var bundleID: String
  package var state: ManagementState
  /// Whether the app gets configurations from the MAM service through the SDK.
  package var isServed: Bool
  /// The complete configuration that MDM gives the app. Nil if the account is not the enrolled user, or if MDM does not
  /// manage the app.
  package var managed: [String: ConfigurationValue]?

  package init(
    bundleID: String, state: ManagementState = .unenrolled, isServed: Bool = true,
    managed: [String: ConfigurationValue]? = nil
  ) {
    self.bundleID = bundleID
    self.state = state
    self.isServed = isServed
    self.managed = managed
  }
}

extension ConfigurationValue {
  /// The size in bytes. A text or key counts its length in UTF-8; a number or Boolean counts 8.
  var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .integer, .real, .boolean: 8
    case .list(let values): values.reduce(0) { $0 + $1.size }
    case .dictionary(let values): values.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
    }
  }
}
