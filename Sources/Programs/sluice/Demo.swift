internal import ArgumentParser
internal import Foundation
internal import Scenario
internal import Simulation

struct Demo: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract:
      "Show what a policy does: apps as processes, items between them, a reason for each verdict.",
    discussion: """
      Without --policy, the policy is one in the shape of a Graph export that lets org data go to, and come \
      from, policy managed apps only. With it, yours: see what the same transfers come to.

      Exit status: 0 shown, 1 a step could not be carried out, 2 the policy is invalid, 64 usage, 70 a fault \
      of Sluice itself.
      """)

  @Option(
    help:
      "A policy as Microsoft Graph exports it (iosManagedAppProtection), instead of the demo's.",
    completion: .file())
  var policy: String?

  @Flag(help: "Print the scenario instead of running it, as a start for your own.")
  var printScenario = false

  @OptionGroup var device: DeviceOptions

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  func perform() throws(RunError) {
    let text = try DemoScenario.text(policy: policy)
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
    let scenario: Scenario
    do throws(ScenarioError) {
      scenario = try Scenario.read(text, file: "demo.yaml")
    } catch {
      throw RunError(error.diagnostic)
    }
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
  /// Returns the scenario's text.
  ///
  /// - Parameter policy: the path of a policy; nil for the demo's own.
  /// - Throws: ``RunError`` if the policy cannot be read.
  static func text(policy: String?) throws(RunError) -> String {
    guard let policy else { return template.replacing("POLICY", with: "json: \(ownPolicy)") }
    _ = try PolicyFiles.load(policy)
    let path = URL(fileURLWithPath: policy).standardizedFileURL.path
    return template.replacing("POLICY", with: "file: \"\(path)\"")
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
      yours:
        POLICY
        assign: [{ account: anna, apps: [com.contoso.mail, com.contoso.notes] }]

    apps:
      # An app with two accounts: the organisation's and a private one.
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
      - name: for the organisation's account
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

      - name: for the private account
        steps:
          - launch: [mail, notes, viewer]
          - switchIdentity: { app: mail, to: private }
          - share: { from: mail, to: viewer, text: Shopping list }
          - share: { from: mail, to: notes, text: Shopping list }
          - copy: { app: mail, text: Shopping list }
          - paste: { app: notes }

    """
}
