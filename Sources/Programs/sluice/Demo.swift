internal import ArgumentParser
internal import Foundation
internal import Scenario
internal import Simulation

struct Demo: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract:
      "Show what a policy does to transfers between four apps, with a reason for each verdict.",
    discussion: """
      sluice demo --policy policy.json

      The built-in policy lets org data move only between policy managed apps. --policy makes the same transfers \
      under your own policies.

      Exit status: 0 shown, 1 a step could not be carried out, 2 the policy is invalid, 64 usage, 70 an error \
      of Sluice itself.
      """)

  @Option(
    name: .shortAndLong, help: .policies("Default: the demo's own."), completion: .file())
  var policy: [String] = []

  @Flag(help: "Print the scenario instead of running it, as a start for your own.")
  var printScenario = false

  @OptionGroup var device: DeviceOptions

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  func perform() throws(RunError) {
    if !policy.isEmpty { _ = try PolicyFiles.load(policy) }
    // A saved scenario may be in any folder.
    let paths =
      printScenario
      ? policy.map { URL(fileURLWithPath: $0).standardizedFileURL.path } : policy
    let text = DemoScenario.text(policies: paths)
    if printScenario { return print(text, terminator: "") }
    let recordings = try Workshop.use(device) { settings throws(RunError) in
      try run(text, settings)
    }
    var builder = ReportBuilder()
    for recording in recordings { builder.add(recording) }
    print(
      builder.report.text(palette: color.palette, detail: .everything), terminator: "")
    if !builder.report.isPassed { Demo.exit(withError: Failure.expectation) }
  }

  private func run(_ text: String, _ settings: RunSettings) throws(RunError) -> [CaseRecording] {
    var scenario: Scenario
    do throws(ScenarioErrors) {
      scenario = try Scenario.read(text, file: "demo.yaml")
    } catch {
      throw RunError(error)
    }
    scenario.isBuiltIn = true
    let runner = ScenarioRun(settings)
    let prepared = try runner.prepare(scenario)
    for warning in prepared.warnings { Failure.print(warning) }
    var recordings: [CaseRecording] = []
    for (index, test) in prepared.cases.enumerated() {
      recordings.append(try runner.run(test, of: prepared, number: index + 1))
    }
    return recordings
  }
}

private enum DemoScenario {
  /// Returns the demo's scenario as YAML, with the policies at the paths in `policies`. If `policies` is empty, the
  /// scenario contains the demo's own policy.
  static func text(policies: [String]) -> String {
    guard !policies.isEmpty else {
      return template.replacing("POLICIES", with: policy("json: \(ownPolicy)", number: 1))
    }
    let stated = policies.enumerated().map { index, path in
      policy("file: \"\(path)\"", number: index + 1)
    }
    return template.replacing("POLICIES", with: stated.joined(separator: "\n"))
  }

  /// Returns the YAML of a policy that is assigned to the account `anna`. `source` states the policy's file or content.
  private static func policy(_ source: String, number: Int) -> String {
    """
      \(number == 1 ? "yours" : "yours-\(number)"):
        \(source)
        assign: [{ account: anna, apps: [com.contoso.mail, com.contoso.notes] }]
    """
  }

  private static let ownPolicy =
    """
    {
          "displayName": "Enterprise data protection",
          "allowedOutboundDataTransferDestinations": "managedApps",
          "allowedInboundDataTransferSources": "managedApps",
          "allowedOutboundClipboardSharingLevel": "managedAppsWithPasteIn",
          "allowedOutboundClipboardSharingExceptionLength": 5,
          "exemptedAppProtocols": [{ "name": "Default", "value": "skype;app-settings" }]
        }
    """

  private static let template = """
    name: One device, four apps, one policy

    accounts:
      anna: { upn: anna@contoso.com, objectId: 0f8fad5b-d9cb-469f-a165-70867728950e, tenant: contoso.com }
      private: { upn: anna@example.org }

    policies:
    POLICIES

    apps:
      # An app with two accounts: the organisation's and a personal one.
      mail:
        bundle: com.contoso.mail
        team: CONTOSO123
        sdk: true
        multiIdentity: true
        signedIn: [anna, private]
      notes: { bundle: com.contoso.notes, team: CONTOSO123, sdk: true, signedIn: [anna], provides: Minutes }
      viewer: { bundle: org.example.viewer, team: EXAMPLE456, provides: Holiday pictures }
      phone: { bundle: com.skype.skype, team: SKYPE78901, schemes: [skype] }

    cases:
      - name: transfers of the organisation's account
        steps:
          - launch: [mail, notes, viewer, phone]
          - switchIdentity: { app: mail, to: anna }
          - share: { from: mail, to: notes, text: Quarterly figures }
          - share: { from: mail, to: viewer, text: Quarterly figures }
          - share: { from: mail, to: viewer, text: Quarterly figures, via: os }
          - import: { into: mail, from: notes }
          - import: { into: mail, from: viewer }
          - copy: { app: mail, text: Quarterly figures }
          - paste: { app: notes }
          - paste: { app: viewer }
          - openURL: { from: mail, url: "skype:bob" }

      - name: transfers of the personal account
        steps:
          - launch: [mail, notes, viewer]
          - switchIdentity: { app: mail, to: private }
          - share: { from: mail, to: viewer, text: Shopping list }
          - share: { from: mail, to: notes, text: Shopping list }
          - copy: { app: mail, text: Shopping list }
          - paste: { app: notes }

    """
}
