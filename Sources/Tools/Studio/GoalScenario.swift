internal import Analysis
internal import Encodings
internal import GraphDocuments
internal import Model
internal import Output
internal import Policy
internal import Scenario

extension Workbench {
  /// The scenarios that check a policy's goals, to be saved in the folder of the policy's file.
  struct GoalFiles {
    /// The path and the text of each scenario.
    var files: [(path: String, text: String)]
    /// The titles of the goals that scenarios cannot contain.
    var omitted: [String]
  }

  func goalFiles(_ index: PolicyIndex) -> GoalFiles {
    let draft = drafts[index.draft]
    let parts = draft.file.split(separator: "/", omittingEmptySubsequences: false)
    let name = parts.last.map(String.init) ?? ""
    let folder = draft.file.dropLast(name.count)
    // A scenario assigns all policies of a file, so one of several is stated by itself.
    let stated =
      draft.originals.count == 1
      ? "file: \(YAMLScalar.text(name))" : "json: \(draft.json(ofPolicy: index.policy))"
    let scenario = GoalScenario(
      goals.filter { $0.policy == index }, of: original(index), stated: stated)
    let stem = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    let files = scenario.texts.enumerated().map { number, text in
      let suffix = number == 0 ? "" : "-\(number + 1)"
      let policy = draft.originals.count == 1 ? "" : "-\(index.policy + 1)"
      return (path: "\(folder)\(stem)\(policy).goals\(suffix).yaml", text: text)
    }
    return GoalFiles(files: files, omitted: scenario.omitted)
  }
}

/// The goals of a policy as scenarios for `sluice run`. Each goal becomes a case that expects the wanted answer. Goals
/// in different device states, or with different apps for the same URL, are in different scenarios.
struct GoalScenario {
  private(set) var texts: [String] = []
  /// The titles of the goals that scenario steps cannot carry out.
  private(set) var omitted: [String] = []

  /// The first line of each scenario. A file without this line is not overwritten.
  static let mark = "# Made by `sluice studio` from the goals of a policy. It may be overwritten."

  /// Creates the scenarios for the goals of a policy.
  ///
  /// - Parameters:
  ///   - document: The saved policy.
  ///   - policy: The policy's `file` or `json` key with its value, as a line of YAML.
  init(_ goals: [Workbench.Goal], of document: PolicyDocument, stated policy: String) {
    var worlds: [GoalWorld] = []
    for goal in goals {
      guard let steps = goal.scene.steps else {
        omitted.append(goal.title)
        continue
      }
      if let index = worlds.firstIndex(where: { $0.fits(goal.scene) }) {
        worlds[index].add(goal, steps)
      } else {
        var world = GoalWorld(goal.scene.device.state)
        world.add(goal, steps)
        worlds.append(world)
      }
    }
    texts = worlds.map { $0.text(of: document, stated: policy) }
  }
}

/// The device state, apps and cases of one scenario. The apps have the accounts and other facts on which the verdicts
/// in the tables are based.
private struct GoalWorld {
  private let state: ManagementState
  private var cases: [(title: String, steps: [String])] = []
  private var apps: [GoalApp] = []
  /// The apps that open URLs, keyed by URL.
  private var openers: [String: GoalApp] = [:]

  init(_ state: ManagementState) { self.state = state }

  /// Returns whether the scenario can contain the flow `scene`. Its device state must be the scenario's. If an earlier
  /// flow opens the same URL, both must open it in the same app.
  func fits(_ scene: Scene) -> Bool {
    guard scene.device.state == state else { return false }
    guard let (url, opener) = scene.opener, let known = openers[url] else { return true }
    return known == opener
  }

  mutating func add(_ goal: Workbench.Goal, _ steps: GoalSteps) {
    for app in steps.apps where !apps.contains(app) { apps.append(app) }
    if let (url, opener) = goal.scene.opener {
      openers[url] = opener
      add(opener)
    }
    cases.append(("\(cases.count + 1). \(goal.title)", steps.lines(expecting: goal.wanted)))
  }

  /// Adds an app that opens a URL. If an app with the same name exists, adds only the schemes and domains of `opener`
  /// to that app.
  private mutating func add(_ opener: GoalApp) {
    guard let index = apps.firstIndex(where: { $0.name == opener.name }) else {
      return apps.append(opener)
    }
    for scheme in opener.schemes where !apps[index].schemes.contains(scheme) {
      apps[index].schemes.append(scheme)
    }
    for domain in opener.domains where !apps[index].domains.contains(domain) {
      apps[index].domains.append(domain)
    }
  }

  /// Returns the facts of a device that meets all conditions of conditional launch, so no account is locked. Each fact
  /// is a line of YAML.
  private func facts(for settings: Settings) -> [String] {
    var facts = ["threatLevel: secured"]
    let maxima = [
      settings.maximumRequiredOsVersion, settings.maximumWarningOsVersion,
      settings.maximumWipeOsVersion,
    ]
    let minima = [
      settings.minimumRequiredOsVersion, settings.minimumWarningOsVersion,
      settings.minimumWipeOsVersion,
    ]
    if let version = maxima.compactMap(\.self).min() ?? minima.compactMap(\.self).max() {
      facts.append("osVersion: \(YAMLScalar.quoted(version.description))")
    }
    if let model = settings.allowedIosDeviceModels?.min() {
      facts.append("model: \(YAMLScalar.quoted(model))")
    }
    return facts + (state == .unenrolled ? [] : ["mdm: { enrolled: true }"])
  }

  func text(of document: PolicyDocument, stated: String) -> String {
    let name = YAMLScalar.quoted("Goals of \(document.displayName)")
    var lines = [GoalScenario.mark, "name: \(name)", "device:"]
    lines += facts(for: document.settings).map { "  \($0)" }
    lines += [
      "accounts:", "  anna: { upn: anna@contoso.com }", "  carl: { upn: carl@fabrikam.com }",
      "  private: { upn: anna@example.org }", "policies:", "  policy:", "    \(stated)",
      "    assign:",
    ]
    for account in ["anna", "carl"] {
      let bundles = apps.filter { $0.accounts.contains(account) }.map(\.bundleID)
      guard !bundles.isEmpty else { continue }
      lines.append(
        "      - { account: \(account), apps: [\(bundles.joined(separator: ", "))] }")
    }
    lines.append("apps:")
    lines += apps.map { "  \($0.name): { \($0.keys(in: state)) }" }
    lines.append("cases:")
    for (title, steps) in cases {
      lines += ["  - name: \(YAMLScalar.quoted(title))", "    steps:"]
      lines += steps.map { "      \($0)" }
    }
    return lines.map { "\($0)\n" }.joined()
  }
}

private struct GoalApp: Hashable {
  var name: String
  var bundleID: String
  /// The accounts that are signed in; empty for an app without the SDK.
  var accounts: [String] = []
  var webViews: WebViewPolicy = .currentIdentity
  var schemes: [String] = []
  var domains: [String] = []

  static let mail = GoalApp(
    name: "mail", bundleID: "com.contoso.mail", accounts: ["anna", "private"])
  /// Like ``mail``, with an additional account of another organisation.
  static let shared = GoalApp(
    name: "sharedMail", bundleID: "com.contoso.sharedmail", accounts: ["anna", "carl", "private"])
  static let notes = GoalApp(name: "notes", bundleID: "com.contoso.notes", accounts: ["anna"])
  static let partner = GoalApp(name: "partner", bundleID: "com.fabrikam.notes", accounts: ["carl"])
  static let viewer = GoalApp(name: "viewer", bundleID: "org.example.viewer")

  /// Returns ``mail`` with the given setting for web views. With any setting except `currentIdentity`, the name and
  /// bundle id differ from those of ``mail``.
  static func mail(_ webViews: WebViewPolicy) -> GoalApp {
    guard webViews != .currentIdentity else { return .mail }
    var app = GoalApp.mail
    app.name += "With\(webViews.rawValue.prefix(1).uppercased())\(webViews.rawValue.dropFirst())"
    app.bundleID += ".\(webViews.rawValue.lowercased())"
    app.webViews = webViews
    return app
  }

  /// Returns the app's keys in a scenario, in YAML.
  func keys(in state: ManagementState) -> String {
    var keys = ["bundle: \(bundleID)", "provides: Goal"]
    if accounts.count > 1 { keys.append("multiIdentity: true") }
    if accounts.contains("anna"), accounts.contains("carl") {
      keys.append("multiManagedIdentities: true")
    }
    if webViews != .currentIdentity { keys.append("webViews: \(webViews.rawValue)") }
    if let account = accounts.first {
      keys += ["sdk: true", "signedIn: [\(accounts.joined(separator: ", "))]"]
      if state != .unenrolled { keys.append("mdmManaged: true") }
      if state == .enrolled {
        let upn = account == "anna" ? "anna@contoso.com" : "carl@fabrikam.com"
        keys.append("configuration: { IntuneMAMUPN: \(upn) }")
      }
    }
    if !schemes.isEmpty {
      keys.append("schemes: [\(schemes.map(YAMLScalar.text).joined(separator: ", "))]")
    }
    if !domains.isEmpty {
      keys.append(
        "associatedDomains: [\(domains.map(YAMLScalar.quoted).joined(separator: ", "))]")
    }
    return keys.joined(separator: ", ")
  }
}

/// The URL schemes or associated domains that an app on a device needs to open a URL.
struct OpenerClaims {
  var schemes: [String]
  /// Entitlements, such as `applinks:contoso.com`.
  var domains: [String]
  /// The bundle id of the only app that can open the URL; nil if any app with the claims can open it.
  var bundleID: String?

  var text: String {
    ListFormat.all(of: schemes.map { "`\($0):`" } + domains.map { "`\($0)`" })
  }
}

/// The steps of a goal. The last step has the expectation.
private struct GoalSteps {
  var apps: [GoalApp]
  /// The account that the first app acts for; nil for an app with one identity.
  var account: String?
  var actions: [String]

  func lines(expecting outcome: Outcome) -> [String] {
    let launched = apps.map(\.name).joined(separator: ", ")
    var lines = ["- launch: [\(launched)]"]
    if let account, let app = apps.first {
      lines.append("- switchIdentity: { app: \(app.name), to: \(account) }")
    }
    return lines + actions.map { "- \($0)" } + ["  expect: { verdict: \(outcome.rawValue) }"]
  }
}

// MARK: - Scenes

extension Scene {
  /// The URL that the flow opens, and the app that opens it; nil for channels without a URL.
  fileprivate var opener: (url: String, app: GoalApp)? {
    guard channel.counterpart == .url, case .url(let url, let opener) = subject else { return nil }
    let scheme = URLScheme.of(url) ?? ""
    let isWeb = scheme == "http" || scheme == "https"
    var app: GoalApp
    if parties.to == .managed {
      app = GoalApp(name: "opener", bundleID: "com.contoso.opener", accounts: ["anna"])
      if isWeb, channel == .openURL, opener == .any {
        app = GoalApp(name: "edge", bundleID: "com.microsoft.msedge", accounts: ["anna"])
      }
    } else if channel == .appClip {
      app = GoalApp(name: "clip", bundleID: "org.example.opener.Clip")
    } else if channel == .openURL, opener == .any, let system = Self.systemApps[scheme] {
      app = system
    } else {
      app = GoalApp(name: "openOpener", bundleID: "org.example.opener")
    }
    if channel == .openURL {
      app.schemes = [scheme] + (opener.scheme.map { [$0] } ?? [])
      // A managed app gets a URL by the twin of its scheme.
      if parties.to == .managed, !isWeb { app.schemes.append("\(scheme)-intunemam") }
    } else {
      let host = WebLink(url)?.host ?? ""
      app.domains = ["\(channel == .appClip ? "appclips" : "applinks"):\(host)"]
    }
    return (url, app)
  }

  /// The claims of the app that opens the flow's URL; nil for channels without a URL.
  var claims: OpenerClaims? {
    opener.map { _, app in
      OpenerClaims(
        schemes: app.schemes, domains: app.domains,
        bundleID: app.name == "edge" ? app.bundleID : nil)
    }
  }

  /// The apps of iOS that open URLs, keyed by URL scheme.
  private static let systemApps: [String: GoalApp] = {
    let safari = GoalApp(name: "safari", bundleID: "com.apple.mobilesafari")
    let phone = GoalApp(name: "phone", bundleID: "com.apple.mobilephone")
    let messages = GoalApp(name: "messages", bundleID: "com.apple.mobilesms")
    return [
      "http": safari, "https": safari, "tel": phone, "telprompt": phone, "sms": messages,
      "imessage": messages,
    ]
  }()

  /// The scenario steps that carry out the flow; nil if there are none.
  fileprivate var steps: GoalSteps? {
    switch channel.counterpart {
    case .app: betweenApps
    case .url: steps(of: .mail, as: parties.from)
    case .location: steps(of: far == .otherOrganisation ? .shared : .mail, as: near)
    case .system: use
    }
  }

  /// Returns the app that acts as `end` in a flow between two apps; nil for an end that does not occur in the tables.
  /// `isAsking` is true for the app that makes the request.
  private func app(_ end: End, isAsking: Bool) -> GoalApp? {
    switch end {
    case .managed: isAsking ? .mail : .notes
    case .otherOrganisation: .partner
    case .unmanaged: .viewer
    case .colleague, .unenrolled, .orgData, .system: nil
    }
  }

  private var betweenApps: GoalSteps? {
    guard let one = app(near, isAsking: true), let two = app(far, isAsking: false),
      let actions = actions(of: cast(one, two))
    else { return nil }
    return GoalSteps(apps: [one, two], account: one == .mail ? "anna" : nil, actions: actions)
  }

  private var use: GoalSteps? {
    guard case .page(let webViews, _) = subject else { return steps(of: .mail, as: near) }
    return steps(of: .mail(webViews), as: near)
  }

  /// Returns the steps in which an app carries out the flow; nil if there are none. The app acts for the work account
  /// if `end` is managed, and otherwise for the personal account.
  private func steps(of app: GoalApp, as end: End) -> GoalSteps? {
    actions(of: cast(app)).map { actions in
      GoalSteps(apps: [app], account: end == .managed ? "anna" : "private", actions: actions)
    }
  }

  private func cast(_ app: GoalApp, _ other: GoalApp? = nil) -> SceneCast {
    SceneCast(
      app: app.name, other: other?.name, account: "anna", otherAccount: "carl", text: "Goal")
  }
}
