internal import AppConfiguration
internal import Diagnostics
internal import GraphDocuments
internal import Host
internal import JSON
internal import Model
internal import Policy
internal import Scenario

/// Warnings about policies that are assigned, and are for none of the scenario's apps: all requests pass by them.
extension Blueprint {
  var unreachedWarnings: [String] {
    // What is saved in the course of a case may reach others.
    let saved = Set(savings.map(\.policy))
    let bundles = protectedBundles
    return assignedPolicies.filter { !saved.contains($0.policy) }.compactMap { assigned in
      let documents = documents(named: assigned.policy)
      guard !documents.isEmpty,
        !documents.contains(where: { reaches($0, assigned, among: bundles) })
      else {
        return nil
      }
      return Diagnostic(
        .file(scenario.file, assigned.position),
        "the policy `\(assigned.policy)` reaches no app for `\(assigned.account)`, so that it decides nothing: "
          + why(documents, assigned), rule: "policyWithoutApp", severity: .warning
      ).description
    }
  }

  /// A policy of the scenario that is targeted at an account, from the beginning or by a step.
  private struct AssignedPolicy {
    let policy: String
    let account: String
    /// The bundle ids that the assignment names; nil: the policy's own targeting decides.
    var apps: [String]?
    let position: Position
  }

  private var assignedPolicies: [AssignedPolicy] {
    scenario.policies.flatMap { policy in
      policy.assignments.map {
        AssignedPolicy(
          policy: policy.name, account: $0.account, apps: $0.apps, position: $0.position)
      }
    } + scenario.cases.flatMap(\.steps).flatMap(\.parts).flatMap(assigned)
  }

  private func assigned(by step: Step) -> [AssignedPolicy] {
    guard case .assign(let assignment) = step.action else { return [] }
    return assignment.policies.map {
      AssignedPolicy(policy: $0, account: assignment.account, position: step.position)
    }
  }

  /// The bundle ids of the apps that policies can be for; an extension counts by that of its containing app.
  private var protectedBundles: [String] {
    apps.map(\.description).filter(\.integratesSDK).map { $0.kind.containingApp ?? $0.bundleID }
  }

  /// The management states that the device can have: configuration may change the enrolled user's name during a run.
  private var possibleStates: [ManagementState] {
    state.isMDMEnrolled ? [.enrolled, .enrolledWithoutUPN] : [.unenrolled]
  }

  private func reaches(
    _ document: PolicyDocument, _ assigned: AssignedPolicy, among bundles: [String]
  ) -> Bool {
    guard let account = scenario.account(named: assigned.account)?.account else { return true }
    let assignment = PolicyAssignment(
      document: document, account: account, apps: assigned.apps)
    return bundles.contains { bundle in
      otherUser(than: account, in: bundle) == nil
        && possibleStates.contains { assignment.reason(bundleID: bundle, state: $0) != nil }
    }
  }

  /// The user for whom MDM enrolled the device, if that keeps `account` from ever enrolling in the app; nil: nothing does, or a
  /// step may change that.
  ///
  /// Source: Microsoft Learn, "How to manage data transfer between iOS apps in Microsoft Intune".
  private func otherUser(than account: Account, in bundle: String) -> EnrolledUser? {
    guard state.isMDMEnrolled, !mayBeConfigured(bundle),
      let app = apps.first(where: { $0.description.bundleID == bundle }),
      app.description.isMDMManaged, !app.description.allowsSeveralManagedAccounts
    else { return nil }
    let managed = ConfigurationBook(appConfigurations, told: tokens).managed(bundleID: bundle)
    let value = { (key: SDKKey) in
      app.specification.configuration[key.rawValue] ?? managed[key.rawValue]?.text
    }
    let user = EnrolledUser(upn: value(.enrolledUPN), objectID: value(.enrolledObjectID))
    return user.flatMap { $0.isSame(as: account) ? nil : $0 }
  }

  /// Whether a step may change the app's configuration by MDM.
  private func mayBeConfigured(_ bundle: String) -> Bool {
    let guests = apps.filter { $0.description.bundleID == bundle }.flatMap(\.specification.guests)
    func changes(_ step: Step) -> Bool {
      switch step.action {
      case .configure(let change): guests.contains(change.guest)
      case .assignConfiguration, .declarations: true
      case .concurrently(let concurrency): concurrency.steps.contains(where: changes)
      case .lifecycle, .account, .wipeUser, .switchIdentity, .unlock, .device, .status, .assign,
        .savePolicy, .configuration, .rename, .restart, .fault, .delegate, .residue, .enroll,
        .unenroll, .remediate, .acquireToken, .service, .conditionalAccess, .share, .shareSheet,
        .import, .use, .airDrop, .openReceived, .copy, .paste, .openURL, .keychain, .file,
        .managedApp, .administratorEvents, .served, .log, .user, .callExtension, .wait, .advance:
        false
      }
    }
    return scenario.cases.flatMap(\.steps).contains(where: changes)
  }

  // MARK: words

  private func why(_ documents: [PolicyDocument], _ assigned: AssignedPolicy) -> String {
    guard !protectedBundles.isEmpty else {
      return "no app of the scenario integrates the SDK (`sdk: true`)"
    }
    let account = scenario.account(named: assigned.account)?.account
    let targeted = protectedBundles.filter { bundle in
      possibleStates.contains { state in
        documents.contains { document in
          account.map {
            PolicyAssignment(document: document, account: $0, apps: assigned.apps)
              .reason(bundleID: bundle, state: state) != nil
          } ?? false
        }
      }
    }
    if let account, let user = targeted.lazy.compactMap({ otherUser(than: account, in: $0) }).first
    {
      return
        "MDM enrolled the device for `\(user.upn ?? user.objectID ?? "")`, and no other account can enroll in "
        + Self.list(targeted)
    }
    let there = "the apps with the SDK are \(Self.list(protectedBundles))"
    if let apps = assigned.apps {
      let nearest = apps.lazy.compactMap { NearestWord.to($0, among: protectedBundles) }.first
      return "`apps` names \(Self.list(apps)), and \(there)" + Suggestion.text(nearest)
    }
    if let state = possibleStates.first, let document = documents.first,
      let result = protectedBundles.lazy.map({ document.targets(bundleID: $0, state: state) })
        .first(where: { if case .otherState = $0 { true } else { false } })
    {
      return "it is \(result.text), and \(state.words)"
    }
    let targets = documents.map(\.targeting).reduce(into: Set<String>()) {
      $0.formUnion($1.bundleIDs)
    }
    let target = targets.isEmpty ? "no app" : Self.list(targets.sorted())
    return "it is targeted at \(target), and \(there); `assign` with `apps` names others"
  }

  private static func list(_ bundles: [String]) -> String {
    var known: Set<String> = []
    let bundles = bundles.filter { known.insert($0).inserted }
    return Phrase.first(3, of: bundles.map { "`\($0)`" })
  }
}

extension ManagementState {
  fileprivate var words: String {
    self == .unenrolled ? "the device is not enrolled" : "the device is enrolled"
  }
}
