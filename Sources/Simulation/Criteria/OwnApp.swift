internal import Bundle
internal import Foundation
internal import Scenario

/// An app that stands in a scenario in the place of the one under test: its bundle says what it is, and the ready-made
/// guest does what the steps say.
package struct OwnApp: Sendable {
  /// From the root of the file system.
  private let path: String
  private let bundle: AppBundle
  let identifier: String
  private let variables: [String: String]

  /// - Parameter variables: values of build variables, for a bundle that was not built.
  /// - Throws: ``RunError`` where the bundle cannot be read, or is no app.
  package init(_ path: String, variables: [String: String] = [:]) throws(RunError) {
    self.variables = variables
    self.path = URL(fileURLWithPath: path).standardizedFileURL.path
    do throws(BundleError) {
      bundle = try AppBundle(at: path, settings: BuildSettings(variables))
    } catch {
      throw RunError(error.description)
    }
    guard bundle.kind == .app else {
      throw RunError("\(path):1:1: error: it is an extension, and criteria are for apps [bundle]")
    }
    guard let identifier = bundle.info.identifier else {
      throw RunError("\(path):1:1: error: `CFBundleIdentifier` is missing [bundle]")
    }
    guard !identifier.contains("$(") else {
      throw RunError(
        "\(path):1:1: error: `CFBundleIdentifier` is `\(identifier)`; --set gives build variables "
          + "their values [bundle]")
    }
    self.identifier = identifier
  }

  /// The case with this app in it.
  ///
  /// - Throws: ``Misfit`` where the app lacks what the case takes.
  func standing(
    in test: Case, of scenario: Scenario, for criterion: Criterion
  ) throws(Misfit) -> Stand {
    guard let index = scenario.indexOfAppUnderTest(in: test) else {
      throw Misfit("the case starts no app")
    }
    let role = scenario.apps[index]
    if role.usesSDK, bundle.info.intuneSettings == nil {
      throw Misfit("`IntuneMAMSettings` is missing: the app does not integrate the Intune App SDK")
    }
    guard role.servers.isEmpty else {
      throw Misfit("it takes TLS connections, and the guest that stands for it makes none")
    }
    if criterion.need == .wayIn, !takesItems {
      throw Misfit(
        "it takes nothing from others: neither `CFBundleDocumentTypes` nor an extension says so")
    }
    guard !scenario.apps.contains(where: { $0.name != role.name && isCalled($0.bundle) }) else {
      throw Misfit("another app of the scenario is called `\(identifier)`")
    }
    var (scenario, test) = (scenario, test)
    if role.isMultiIdentity, !isMultiIdentity {
      test = try test.withOneIdentity(of: role, in: scenario)
      scenario.apps[index].signedIn = role.signedIn.filter(scenario.isManaged)
    }
    take(&scenario.apps[index])
    scenario.rename(role.bundle, to: identifier)
    scenario.cases = [test]
    return Stand(
      scenario: scenario, alias: Blueprint.Alias(bundle: role.bundle, alias: identifier))
  }

  private var isMultiIdentity: Bool { bundle.info.intuneSettings?.isMultiIdentity ?? false }

  private var takesItems: Bool {
    !bundle.info.documentTypes.isEmpty || bundle.plugIns.contains { $0.kind.isOfferedByRule }
  }

  private func isCalled(_ identifier: String) -> Bool {
    self.identifier.lowercased() == identifier.lowercased()
  }

  /// Takes a part: what the scenario says of the app under test, the bundle says from now on.
  private func take(_ app: inout AppSpecification) {
    let team = bundle.team ?? app.team ?? "OWNTEAM"
    app.path = path
    app.buildVariables = variables
    app.bundle = identifier
    app.team = team
    app.usesSDK = false
    app.isMultiIdentity = false
    app.executable = nil
    app.isReadyMade = true
    app.schemes = []
    app.documentTypes = []
    app.appGroups = []
    if !app.keychainGroups.isEmpty { app.keychainGroups = ["\(team).\(identifier)"] }
  }

  /// A case with an app in it, and the app's name in policies.
  struct Stand {
    var scenario: Scenario
    var alias: Blueprint.Alias
  }
}

/// Why an app cannot stand in a case.
struct Misfit: Error {
  /// Lower case, no full stop.
  var why: String

  init(_ why: String) { self.why = why }
}

extension Scenario {
  /// The app that a case starts first.
  fileprivate func indexOfAppUnderTest(in test: Case) -> Int? {
    for step in test.steps {
      guard case .lifecycle(let lifecycle) = step.action, lifecycle.change == .launch else {
        continue
      }
      return apps.firstIndex { app in lifecycle.guests.first.map(app.hasGuest) ?? false }
    }
    return nil
  }

  /// Whether a policy is assigned to the account.
  fileprivate func isManaged(_ account: String) -> Bool {
    policies.contains { $0.assignments.contains { $0.account == account } }
  }

  fileprivate func isManaged(_ identity: IdentityReference) -> Bool {
    if case .account(let account) = identity { isManaged(account) } else { false }
  }

  /// In what policies are assigned to by name.
  fileprivate mutating func rename(_ bundle: String, to other: String) {
    for policy in policies.indices {
      for assignment in policies[policy].assignments.indices {
        policies[policy].assignments[assignment].apps = policies[policy].assignments[assignment]
          .apps.map { apps in apps.map { $0.lowercased() == bundle.lowercased() ? other : $0 } }
      }
    }
  }
}

extension Case {
  /// The same for an app that always acts for its only account, the managed one.
  fileprivate func withOneIdentity(
    of app: AppSpecification, in scenario: Scenario
  ) throws(Misfit) -> Case {
    var test = self
    test.steps = []
    for step in steps {
      // It never acts for anybody else, whatever happens.
      guard step.expectation?.identity.map(scenario.isManaged) ?? true else { throw .oneIdentity }
      let isOwn = step.action.guest.map(app.hasGuest) ?? false
      guard isOwn else {
        test.steps.append(step)
        continue
      }
      switch step.action {
      case .switchIdentity(let change):
        guard scenario.isManaged(change.identity), change.window.isEmpty, change.others.isEmpty
        else { throw .oneIdentity }
      case .signIn, .signOut: throw .oneIdentity
      default:
        guard step.task == nil else { throw .oneIdentity }
        test.steps.append(step)
      }
    }
    return test
  }
}

extension Misfit {
  fileprivate static let oneIdentity = Misfit(
    "it takes an app with several identities, and `IntuneMAMSettings` does not say `MultiIdentity`"
  )
}
