internal import Analysis
internal import Encodings
package import Model
internal import Output
package import Policy
internal import Scenario

/// One experiment on a phone: a policy, a few steps, and the observations that settle open rules.
package struct Experiment: Sendable {
  /// A requirement of an experiment in addition to a phone, a test tenant and one user.
  package enum Need: String, Sendable, CaseIterable {
    case colleague, otherTenant = "other-tenant", mdm, secondDevice = "second-device"

    /// The need as a noun phrase.
    package var text: String {
      switch self {
      case .colleague: "a second user of the tenant, Ben, with the same policy"
      case .otherTenant: "a user of another tenant, Carla, with the same policy there"
      case .mdm: "a phone that is enrolled in MDM, with an app configuration for managed devices"
      case .secondDevice: "a second device of the same Apple Account: a Mac, an iPad or an iPhone"
      }
    }
  }

  /// A possible observation as a clause, and the outcome that it shows.
  package struct Observation: Sendable {
    package let outcome: Outcome
    package let text: String
  }

  /// The name in the form and in file names. It consists of words, digits and hyphens.
  package let name: String
  /// The situation in the experiment, as a noun phrase.
  package let title: String
  package let policy: KitPolicy
  package let needs: [Need]
  package let apps: [PublicApp]
  /// The user's actions, in sentences.
  package let steps: [String]
  /// The outcomes that can be observed, the strictest first.
  package let observations: [Observation]
  package let question: Question
  /// The kind of source that a statement about this experiment cites for an observation.
  let kind: Statement.Kind
  /// The scenario that a statement about the experiment runs; nil if the statement uses a request of `sluice decide`
  /// instead.
  let rehearsal: Rehearsal?

  init(
    _ name: String, _ title: String, _ policy: KitPolicy, needs: [Need] = [], apps: [PublicApp],
    asks ask: (KitPolicy) -> Question, rehearsed rehearsal: Rehearsal? = nil,
    kind: Statement.Kind = .report,
    steps: [String],
    allowed: String, encrypted: String? = nil, blocked: String? = nil
  ) {
    self.name = name
    self.title = title
    self.policy = policy
    self.needs = needs
    self.apps = apps
    self.steps = steps
    question = ask(policy)
    self.kind = kind
    self.rehearsal = rehearsal
    observations = [(.blocked, blocked), (.encrypted, encrypted), (.allowed, allowed)].compactMap {
      outcome, text in text.map { Observation(outcome: outcome, text: $0) }
    }
  }

  package var verdict: Verdict { question.verdict }

  /// The verdict's rules that the experiment settles. For each of these rules, a known alternative predicts another
  /// outcome.
  package var subjects: [Rule] {
    let verdict = verdict
    let rules = Alternative.all.filter { $0.outcome(of: question) != verdict.outcome }
      .reduce(into: Set<Rule>()) { $0.formUnion($1.rules) }
    return Rule.allCases.filter { rule in
      rules.contains(rule) && verdict.reasons.contains { $0.rule == rule }
    }
  }
}

/// An app that takes part in experiments, from the App Store or preinstalled.
package enum PublicApp: String, Sendable, CaseIterable {
  case outlook = "com.microsoft.Office.Outlook"
  case word = "com.microsoft.Office.Word"
  case teams = "com.microsoft.skype.teams"
  case edge = "com.microsoft.msedge"
  case zoom = "us.zoom.videomeetings"
  case phone = "com.apple.mobilephone"

  package var bundleID: String { rawValue }

  package var name: String {
    switch self {
    case .outlook, .word, .teams, .edge, .zoom: AppName.short(bundleID)
    case .phone: "Phone"
    }
  }

  /// The app's name in scenarios.
  var key: String { name.lowercased() }

  /// Whether the kit's policies target the app.
  var isTargeted: Bool { self == .outlook || self == .word }

  /// The app's properties that rules read.
  var state: AppState {
    var state = AppState(bundleID: bundleID)
    switch self {
    case .outlook, .word:
      state.isMultiIdentity = true
      state.linksSDK = true
    case .teams, .edge: state.linksSDK = true
    case .zoom: state.schemes = ["zoomphonecall"]
    case .phone: break
    }
    return state
  }
}

enum KitUser: String, CaseIterable {
  case anna, ben, carla
  /// A private account, to which no policy applies.
  case home

  var name: String { rawValue.capitalizedStart }

  var account: Account {
    switch self {
    case .anna: Account(upn: "anna@contoso.com", tenantID: "contoso.com")
    case .ben: Account(upn: "ben@contoso.com", tenantID: "contoso.com")
    case .carla: Account(upn: "carla@fabrikam.com", tenantID: "fabrikam.com")
    case .home: Account(upn: "anna@example.org")
    }
  }
}

/// An app protection policy of the kit.
package struct KitPolicy: Sendable {
  /// The name of the policy's file, without its extension.
  package let name: String
  /// The policy's effect, in sentences.
  package let summary: String
  /// The parsed policy file.
  package let document: PolicyDocument
  private let members: [(name: String, json: String)]

  /// The settings that the file states.
  var settings: Set<Setting> { Set(members.compactMap { Setting(rawValue: $0.name) }) }

  /// Creates a policy whose file states the settings that differ from their defaults.
  ///
  /// - Parameter stated: Settings that the file states even if they have their default values.
  init(
    _ name: String, _ summary: String, stating stated: [Setting] = [],
    _ edit: (inout Settings) -> Void
  ) {
    self.name = name
    self.summary = summary
    var settings = Settings()
    edit(&settings)
    members = Setting.allCases.compactMap { setting in
      guard !settings.isDefault(setting) || stated.contains(setting),
        let value = settings.graphValue(of: setting)
      else { return nil }
      var writer = JSONWriter()
      value.write(to: &writer)
      return (setting.rawValue, writer.text)
    }
    let text = Self.object(named: "Sluice field kit: \(name)", members)
    do throws(PolicyErrors) {
      document = try PolicyReader.read(Array(text.utf8), file: name + ".json")[0]
    } catch {
      preconditionFailure("the policy `\(name)` cannot be read: \(error)")
    }
  }

  /// The body of a request `POST /deviceAppManagement/iosManagedAppProtections` of Microsoft Graph.
  package var json: String { Self.object(named: document.displayName, members) }

  /// The policy's name and settings as one line of YAML, for the `policies` of a statement's run.
  var line: String {
    let settings = members.map { "\(JSONWriter.quoted($0.name)): \($0.json)" }
    return "{ displayName: \(YAMLScalar.text(name)), \(settings.joined(separator: ", ")) }"
  }

  private static func object(named name: String, _ members: [(name: String, json: String)])
    -> String
  {
    let apps = PublicApp.allCases.filter(\.isTargeted).map { app in
      let type = JSONWriter.quoted("#microsoft.graph.iosMobileAppIdentifier")
      return """
            { "mobileAppIdentifier": { "@odata.type": \(type), "bundleId": "\(app.bundleID)" } }
        """
    }
    let facts = [
      ("@odata.type", JSONWriter.quoted("#microsoft.graph.iosManagedAppProtection")),
      ("displayName", JSONWriter.quoted(name)),
      ("appGroupType", JSONWriter.quoted("selectedPublicApps")),
      ("apps", "[\n\(apps.joined(separator: ",\n"))\n  ]"),
    ]
    let lines = (facts + members).map { "  \(JSONWriter.quoted($0.0)): \($0.1)" }
    return "{\n\(lines.joined(separator: ",\n"))\n}\n"
  }
}

/// A scenario that repeats an experiment, for the experiment's statement. It is needed if `sluice decide` does not
/// support the experiment's question.
struct Rehearsal: Sendable {
  /// Whether the device is enrolled in MDM, which has installed the apps.
  var isManagedByMDM = false
  var asksForPIN = false
  /// The users who are signed in to each app at the start.
  var signedIn: [PublicApp: [KitUser]]
  /// The steps as YAML. `VERDICT` stands for the observed outcome and its rule.
  var steps: String

  /// Returns a scenario that expects the outcome of the request that is marked `VERDICT`. If `rule` is given, the
  /// scenario also expects this rule among the verdict's reasons.
  func text(
    titled title: String, under policy: KitPolicy, expecting outcome: Outcome, by rule: Rule?
  ) -> String {
    let expectation = outcome.rawValue + (rule.map { ", reason: \($0.rawValue)" } ?? "")
    let users = KitUser.allCases.map { user in
      let account = user.account
      let tenant = account.tenantID.map { ", tenant: \($0)" } ?? ""
      return "  \(user): { upn: \(account.upn)\(tenant) }"
    }
    let apps = PublicApp.allCases.filter(\.isTargeted)
    let bundles = apps.map(\.bundleID).joined(separator: ", ")
    let assigned = [KitUser.anna, .ben].map { "{ account: \($0), apps: [\(bundles)] }" }
    let lines =
      [
        "name: \(YAMLScalar.text(title))",
        "device: { pin: true, biometrics: none, prompts: \(asksForPIN ? "asked" : "answered"), mdm: { enrolled: \(isManagedByMDM) } }",
        "accounts:",
      ] + users
      + [
        "policies:", "  kit:", "    json: \(policy.line)",
        "    assign: [\(assigned.joined(separator: ", "))]", "apps:",
      ]
      + apps.map { app in
        let users = (signedIn[app] ?? []).map(\.rawValue).joined(separator: ", ")
        return
          "  \(app.key): { bundle: \(app.bundleID), team: UBF8T346G9, sdk: true, multiIdentity: true, mdmManaged: \(isManagedByMDM), signedIn: [\(users)] }"
      }
      + ["cases:", "  - name: \(YAMLScalar.text(title))", "    steps:"]
      + steps.replacing("VERDICT", with: expectation).split(separator: "\n").map {
        "      \($0)"
      }
    return lines.joinedLines
  }
}
