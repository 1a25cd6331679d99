internal import AppConfiguration
internal import Encodings
internal import Enrollment
internal import GraphDocuments
internal import Host
internal import Model
internal import Output
internal import Policy
internal import Scenario

/// The apps of a scenario that its assigned policies reach.
///
/// Apps are indexed by bundle id, and policies by name, because a scenario can have very many apps and just as many
/// policies.
struct PolicyReach {
  private let resolved: ResolvedScenario
  private let book: ConfigurationBook
  /// The bundle ids of the apps with the SDK, in the order of the scenario. Policies can reach only these apps. An
  /// extension counts as its containing app.
  private let bundles: Bundles
  private let apps: [String: ResolvedApp]
  private let guests: [String: [String]]
  private let configuring: ConfiguringSteps
  /// The apps that a policy reaches, cached by policy name. Only policies that are assigned without a list of apps are
  /// cached.
  private var reached: [String: Reached] = [:]
  /// A cache of the results of ``enrolledUser(of:)``, by bundle id.
  private var enrolledUsers: [String: EnrolledUser?] = [:]
  private let vocabulary: Vocabulary
  private var suggestionSteps = 0
  /// The number of times that a policy has been compared with an app.
  private(set) var comparisons = 0

  init(of resolved: ResolvedScenario, book: ConfigurationBook) {
    self.resolved = resolved
    self.book = book
    let descriptions = resolved.apps.map(\.description)
    bundles = Bundles(
      descriptions.filter(\.integratesSDK).map { $0.kind.containingApp ?? $0.bundleID })
    apps = Dictionary(
      resolved.apps.map { ($0.description.bundleID, $0) }, uniquingKeysWith: { first, _ in first })
    guests = Dictionary(
      resolved.apps.map { ($0.description.bundleID, $0.specification.guests) },
      uniquingKeysWith: +)
    configuring = ConfiguringSteps(resolved.scenario)
    vocabulary = Vocabulary(bundles.inOrder)
  }

  /// The apps' bundle ids, without duplicates.
  private struct Bundles {
    let inOrder: [String]
    /// The positions of apps in ``inOrder``, by bundle id in lower case.
    private let places: [String: [Int]]
    /// The positions, in ``inOrder``, of the apps with a bundle id of Microsoft. A group of Microsoft's apps can
    /// contain only these apps.
    private let microsoft: [Int]

    init(_ all: [String]) {
      let bundles = all.unique
      inOrder = bundles
      places = Dictionary(grouping: bundles.indices) { bundles[$0].lowercased() }
      microsoft = bundles.indices.filter { bundles[$0].lowercased().hasPrefix("com.microsoft.") }
    }

    /// Returns the bundle ids that `ids` contains, ignoring case, in the order of ``inOrder``.
    func named(_ ids: some Sequence<String>) -> [String] {
      sorted(ids.flatMap { places[$0.lowercased()] ?? [] })
    }

    /// Returns the apps that a policy with the targeting may target, in the order of ``inOrder``.
    func candidates(_ targeting: Targeting) -> [String] {
      let group =
        switch targeting.appGroup {
        case .selectedPublicApps: [Int]()
        case .allCoreMicrosoftApps, .allMicrosoftApps: microsoft
        case .allApps: Array(inOrder.indices)
        }
      return sorted(targeting.bundleIDs.flatMap { places[$0] ?? [] } + group)
    }

    private func sorted(_ found: [Int]) -> [String] { Set(found).sorted().map { inOrder[$0] } }
  }

  private struct Reached {
    var bundles: [String]
    /// The MDM users of those ``bundles`` in which only the MDM user can enroll. Contains nil if one of the apps also
    /// accepts other users.
    var users: Set<EnrolledUser?>
  }

  // MARK: Warnings

  /// Returns warnings about assigned policies that reach no app.
  ///
  /// - Parameter saved: The names of policies that are not checked.
  mutating func warnings(except saved: Set<String>) -> [String] {
    var warnings: [String] = []
    for assigned in assignedPolicies where !saved.contains(assigned.policy) {
      let documents = resolved.documents(named: assigned.policy)
      guard !documents.isEmpty, !reaches(documents, assigned) else { continue }
      warnings.append(
        Diagnostic(
          .file(resolved.scenario.file, assigned.position),
          "the policy `\(assigned.policy)` reaches no app for `\(assigned.account)`, so it has no effect: "
            + why(documents, assigned), rule: "policyWithoutApp", severity: .warning
        ).description)
    }
    return warnings
  }

  /// A policy assigned to an account, initially or by a step.
  private struct AssignedPolicy {
    let policy: String
    let account: String
    /// The bundle ids in the assignment; nil if the policy's own targeting decides.
    var apps: [String]?
    let position: Position
  }

  private var assignedPolicies: [AssignedPolicy] {
    resolved.scenario.policies.flatMap { policy in
      policy.assignments.map {
        AssignedPolicy(
          policy: policy.name, account: $0.account, apps: $0.apps, position: $0.position)
      }
    } + resolved.scenario.cases.flatMap(\.steps).flatMap(\.parts).flatMap(assigned)
  }

  private func assigned(by step: Step) -> [AssignedPolicy] {
    guard case .change(.assign(let assignment)) = step.action else { return [] }
    return assignment.policies.map {
      AssignedPolicy(policy: $0, account: assignment.account, position: step.position)
    }
  }

  // MARK: Targets

  /// The management states that the device may have during a run. A configuration may change the enrolled user's name,
  /// so an enrolled device has two possible states.
  private var possibleStates: [ManagementState] {
    resolved.state.isMDMEnrolled ? [.enrolled, .enrolledWithoutUPN] : [.unenrolled]
  }

  private mutating func reaches(_ documents: [PolicyDocument], _ assigned: AssignedPolicy) -> Bool {
    guard let account = resolved.scenario.account(named: assigned.account)?.account else {
      return true
    }
    return reached(by: documents, assigned).users.contains { $0?.isSameUser(as: account) ?? true }
  }

  /// Returns the apps that `documents` reach in at least one possible management state, for at least one account.
  private mutating func reached(
    by documents: [PolicyDocument], _ assigned: AssignedPolicy
  ) -> Reached {
    if assigned.apps == nil, let known = reached[assigned.policy] { return known }
    comparisons += assigned.apps?.count ?? 0
    let found = assigned.apps.map(bundles.named) ?? targets(of: documents)
    let reached = Reached(bundles: found, users: Set(found.map { enrolledUser(of: $0) }))
    if assigned.apps == nil { self.reached[assigned.policy] = reached }
    return reached
  }

  private mutating func targets(of documents: [PolicyDocument]) -> [String] {
    var found: [String] = []
    for document in documents {
      let candidates = bundles.candidates(document.targeting)
      comparisons += candidates.count
      found += candidates.filter { bundle in
        possibleStates.contains { document.targets(bundleID: bundle, state: $0).isTargeted }
      }
    }
    return found.unique
  }

  /// Returns the user for whom MDM enrolled the device, if this prevents other accounts from enrolling in the app.
  /// Returns nil if other accounts can enroll, or if a step may change this.
  ///
  /// Source: Microsoft Learn, "How to manage data transfer between iOS apps in Microsoft Intune".
  private mutating func enrolledUser(of bundle: String) -> EnrolledUser? {
    if let known = enrolledUsers[bundle] { return known }
    let user = findEnrolledUser(of: bundle)
    enrolledUsers[bundle] = .some(user)
    return user
  }

  private func findEnrolledUser(of bundle: String) -> EnrolledUser? {
    guard resolved.state.isMDMEnrolled,
      !configuring.mayConfigure(anyOf: guests[bundle] ?? []), let app = apps[bundle],
      app.description.isMDMManaged, !app.description.allowsSeveralManagedAccounts
    else { return nil }
    let managed = book.managed(bundleID: bundle)
    let value = { (key: SDKKey) in
      app.description.configuration[key.rawValue] ?? managed[key.rawValue]?.text
    }
    return EnrolledUser(upn: value(.enrolledUPN), objectID: value(.enrolledObjectID))
  }

  // MARK: Messages

  private mutating func why(_ documents: [PolicyDocument], _ assigned: AssignedPolicy) -> String {
    guard !bundles.inOrder.isEmpty else {
      return "no app of the scenario integrates the SDK (`sdk: true`)"
    }
    // The policy reaches no targeted app for this account, so each has another user.
    let targeted = reached(by: documents, assigned)
    if let user = targeted.bundles.first.flatMap({ enrolledUser(of: $0) }) {
      return
        "MDM enrolled the device for `\(user.upn ?? user.objectID ?? "")`, and no other account can enroll in "
        + Self.list(targeted.bundles)
    }
    let there = "the apps with the SDK are \(Self.list(bundles.inOrder))"
    if let apps = assigned.apps {
      var nearest: String?
      for app in apps where nearest == nil {
        nearest = vocabulary.nearest(to: app, &suggestionSteps)
      }
      return "`apps` names \(Self.list(apps)), and \(there)" + Suggestion.text(nearest)
    }
    if let state = possibleStates.first, let document = documents.first,
      let result = bundles.candidates(document.targeting).lazy
        .map({ document.targets(bundleID: $0, state: state) })
        .first(where: { if case .otherState = $0 { true } else { false } })
    {
      return "it is \(result.text), and \(state.words)"
    }
    let targets = documents.map(\.targeting).reduce(into: Set<String>()) {
      $0.formUnion($1.bundleIDs)
    }
    let target = targets.isEmpty ? "no app" : Self.list(targets.sorted())
    return "it is targeted at \(target), and \(there); to target others, name them in `apps` of "
      + "`assign`"
  }

  private static func list(_ bundles: [String]) -> String {
    ListFormat.first(3, of: bundles.unique.map { "`\($0)`" })
  }
}

/// The steps of a scenario that may change the MDM configuration of apps.
private struct ConfiguringSteps {
  private let mayConfigureAny: Bool
  private let guests: Set<String>

  init(_ scenario: Scenario) {
    let details = scenario.cases.flatMap(\.steps).flatMap(\.parts).map(\.action.detail)
    mayConfigureAny = details.contains { $0.mayConfigure(anyOf: []) }
    guests = Set(
      details.compactMap { detail in
        detail.actingGuest.flatMap { detail.mayConfigure(anyOf: [$0]) ? $0 : nil }
      })
  }

  func mayConfigure(anyOf names: [String]) -> Bool {
    mayConfigureAny || names.contains(where: guests.contains)
  }
}

extension ManagementState {
  fileprivate var words: String {
    self == .unenrolled ? "the device is not enrolled" : "the device is enrolled"
  }
}
