import Analysis
import Foundation
import Host
import Model
import Policy
import Scenario
import Simulation
import Testing
import SimulationSupport
import TestSupport

extension RealProcesses {
  /// Tests the share sheets of a scenario's device.
  @Suite struct ShareSheetTests {
    private static let file = Repository.path("scenarios/share-sheets.yaml")

    private static func sheet(_ question: ShareSheetQuestion, of file: String = file) throws
      -> Sheet
    {
      let workspace = try Workspace()
      let run = ScenarioRun(
        RunSettings(
          programs: .installed(in: Repository.programs), folder: workspace.path("device")))
      return try run.shareSheet(question, of: run.prepare(ScenarioFiles.read(file)))
    }

    private static func question(
      _ from: String, _ account: String? = nil, via: SharingPath = .sdk,
      roles: [String: String] = [:]
    ) -> ShareSheetQuestion {
      ShareSheetQuestion(
        Action.ShareSheet(from: from, items: [.init(fileName: "figures.pdf")], via: via),
        account: account, roles: roles)
    }

    @Test func `scenario expectations and share sheets use the same keywords`() {
      #expect(Set(Expectation.builtInActions) == Set(BuiltInAction.allCases.map(\.rawValue)))
      #expect(
        SheetLine.Visibility.allCases.map(\.rawValue)
          == SheetDestination.Visibility.allCases.map(\.rawValue))
    }

    @Test(
      arguments: [
        ("mail", SharingPath.sdk), ("mail", .os), ("viewer", .sdk), ("drive", .os),
        ("scanner", .os), ("vault", .sdk), ("vault", .os),
      ])
    func `a destination is shown in the sheet if and only if an actual share is not blocked`(
      from: String, via: SharingPath
    ) throws {
      let sheet = try Self.sheet(Self.question(from, via: via))
      // If its rule does not match, an extension is hidden. It still receives items that are sent
      // to it.
      let targets = sheet.destinations.filter { destination in
        destination.kind != .builtIn
          && destination.findings.allSatisfy { $0.effect != .hides }
      }
      #expect(!targets.isEmpty)
      let text = try InputFile.text(Self.file)
      let head = try #require(text.range(of: "cases:\n")).lowerBound
      let names = Set(targets.filter { $0.kind == .copyTo }.map(\.name)).union([from])
      let steps = targets.map { destination in
        "  - share: { from: \(from), to: \(destination.name), via: \(via.rawValue), "
          + "openIn: \(destination.transfer.request.channel == .openIn), type: com.adobe.pdf, "
          + "file: { name: figures.pdf, text: Figures } }\n"
      }
      let scenario =
        text[..<head] + "steps:\n  - launch: [\(names.sorted().joined(separator: ", "))]\n"
        + steps.joined()
      let played = try Stage().play(text: String(scenario))
      expectPass(played)
      for (destination, step) in zip(targets, played.result.steps.dropFirst()) {
        let decision = step.requests.first?.decision
        let rules = decision?.verdict.reasons.map(\.rule)
        #expect(rules == destination.transfer.verdict.reasons.map(\.rule), "\(destination.title)")
        #expect(
          (decision?.verdict.outcome == .blocked) == (destination.visibility == .hidden),
          "\(destination.title)")
      }
    }

    @Test func `a share sheet uses the document types, activation rules and plug-ins of bundles`()
      throws
    {
      let workspace = try Workspace()
      try workspace.write(Self.app, to: "Reader.app/Info.plist")
      try workspace.write(Self.plugIn, to: "Reader.app/PlugIns/Save.appex/Info.plist")
      let file = try workspace.write(
        """
        apps:
          viewer: { bundle: org.example.viewer }
          reader: { bundle: org.example.reader, path: Reader.app }
        steps: [{ launch: viewer }]
        """, to: "scenario.yaml")
      let sheet = try Self.sheet(
        ShareSheetQuestion(
          Action.ShareSheet(from: "viewer", items: [.init(fileName: "a.memo")])), of: file)
      #expect(sheet.destinations(named: "Copy to reader").first?.visibility == .shown)
      #expect(sheet.destinations(named: "Save a memo").first?.visibility == .shown)
      #expect(sheet.sharing.contents.first?.types == ["org.example.memo"])
    }

    @Test func `extensions in an app's PlugIns are installed with it`() throws {
      let workspace = try Workspace()
      try workspace.write(Self.app, to: "Reader.app/Info.plist")
      try workspace.write(Self.plugIn, to: "Reader.app/PlugIns/Save.appex/Info.plist")
      try workspace.write(Self.script, to: "Reader.app/PlugIns/Shout.appex/Info.plist")
      try workspace.write(
        "share.loaded(function(item) share.complete(item.text:upper()) end)\n",
        to: "Reader.app/PlugIns/Shout.appex/main.lua")
      let file = try workspace.write(
        """
        apps:
          viewer: { bundle: org.example.viewer }
          reader: { bundle: org.example.reader, path: Reader.app }
          # The same extension as in the folder, which the scenario describes itself.
          save: { bundle: org.example.reader.save, extension: share, containingApp: reader }
        steps:
          - launch: viewer
          - share: { from: viewer, to: org.example.reader.shout, text: not a picture }
            expect: { verdict: allowed, end: delivered, returned: { verdict: allowed, received: NOT A PICTURE } }
          - share: { from: viewer, to: save, type: public.png, text: no rule is stated }
            expect: { verdict: allowed, end: delivered }
          - shareSheet: { from: viewer, items: { file: a.txt } }
            expect: { shown: org.example.reader.shout, hidden: save }
        """, to: "scenario.yaml")
      expectPass(try Stage().play(file))
    }

    @Test(
      arguments: [
        (question("nobody"), "no app is called `nobody`; the apps are `notes`, "),
        (question("clip"), "`clip` is an extension, and extensions have no share sheet"),
        (question("mail", "ben"), "no account is called `ben`"),
        (question("viewer", "anna"), "`anna` is not signed in to `viewer`"),
        (question("mail", roles: ["viewer": "anna"]), "`anna` is not signed in to `viewer`"),
        (question("mail", "unknown"), "`mail` has one identity, which is not `unknown`"),
        (question("mail", "unset"), "`mail` has one identity, which is not `unset`"),
        (question("viewer", "unknown"), "`viewer` has one identity, which is not `unknown`"),
        (
          question("mail", roles: ["notes": "unset"]),
          "`notes` has one identity, which is not `unset`"
        ),
      ])
    func `a share sheet for a wrong app or account is an error with the reason`(
      question: ShareSheetQuestion, message: String
    ) {
      let error = #expect(throws: RunError.self) { try Self.sheet(question) }
      #expect(error?.description.contains(":1:1: error: \(message)") == true, "\(error as Any)")
    }

    @Test func `a share sheet's headline states that the sender has no identity`() throws {
      let text = try Self.sheet(Self.question("viewer", "unset")).text()
      #expect(
        text.hasPrefix("viewer shares `figures.pdf` (com.adobe.pdf) without an identity, "),
        "\(text)")
    }

    @Test func `a share sheet depends on the stated acting accounts`() throws {
      let workspace = try Workspace()
      let file = try workspace.write(
        """
        accounts:
          anna: { upn: anna@contoso.com }
          private: { upn: anna@example.org }
        policies:
          base:
            json: { displayName: Base, allowedOutboundDataTransferDestinations: managedApps }
            assign: [{ account: anna, apps: [com.contoso.mail, com.contoso.notes] }]
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, multiIdentity: true, signedIn: [anna, private] }
          notes:
            bundle: com.contoso.notes
            sdk: true
            multiIdentity: true
            documentTypes: [public.data]
            signedIn: [anna, private]
        steps: [{ launch: mail }]
        """, to: "scenario.yaml")
      func why(_ question: ShareSheetQuestion) throws -> String? {
        try Self.sheet(question, of: file).destinations(named: "notes").first?.why
      }
      #expect(try why(Self.question("mail", "private", via: .os)) == "noRuleApplied")
      #expect(try why(Self.question("mail", "unknown", via: .os)) == "noRuleApplied")
      #expect(try why(Self.question("mail", "anna", via: .os)) == "sendManagedAppsEncrypts")
      #expect(
        try why(Self.question("mail", "anna", via: .os, roles: ["notes": "anna"]))
          == "sendManagedAppsToManaged")
    }

    @Test(arguments: [
      ("Disabled", Rule.noRuleApplied, false), ("Enabled", .workAccountRequired, false),
      ("Enabled", .incomingOrgData, true), ("Disabled", .incomingOrgData, true),
    ])
    func `a share sheet shows the rule for the receiving account that the device would choose`(
      requirement: String, rule: Rule, isSignedIn: Bool
    ) throws {
      let workspace = try Workspace()
      let file = try workspace.write(
        """
        device: { mdm: { enrolled: true } }
        accounts:
          anna: { upn: anna@contoso.com }
          private: { upn: anna@example.org }
        policies:
          base:
            json: { displayName: Base, appGroupType: allApps, allowedInboundDataTransferSources: allApps, protectInboundDataFromUnknownSources: true }
            assign: [{ account: anna }]
        apps:
          mail: { bundle: com.apple.mobilemail, mdmManaged: true }
          word:
            bundle: com.contoso.word
            sdk: true
            multiIdentity: true
            mdmManaged: true
            configuration: { IntuneMAMUPN: anna@contoso.com, IntuneMAMRequireAccounts: \(requirement) }
            documentTypes: [public.data]
            signedIn: [\(isSignedIn ? "anna, " : "")private]
        steps: [{ launch: mail }]
        """, to: "scenario.yaml")
      let role = Self.question("mail", roles: ["word": "private"])
      for question in [Self.question("mail"), role] {
        let word = try Self.sheet(question, of: file).destinations(named: "word").first
        #expect(word?.transfer.verdict.reasons.contains { $0.rule == rule } == true)
        let receiver = word?.transfer.request.receiver.identity.account?.upn
        #expect((receiver == "anna@contoso.com") == isSignedIn)
      }
    }

    @Test func `a share sheet step with an identity shows the sheet of that account`() throws {
      expectPass(
        try Stage.play(
          "launch: [mail, viewer]",
          "{ shareSheet: { from: mail, items: { file: a.pdf } }, expect: { shown: airDrop } }",
          "{ shareSheet: { from: mail, items: { file: a.pdf } }, as: anna, expect: { hidden: airDrop } }"
        ))
    }

    private static let app = list(
      """
      <key>CFBundleIdentifier</key><string>org.example.reader</string>
      <key>CFBundleDocumentTypes</key><array><dict>
        <key>LSItemContentTypes</key><array><string>org.example.memo</string></array>
      </dict></array>
      <key>UTExportedTypeDeclarations</key><array><dict>
        <key>UTTypeIdentifier</key><string>org.example.memo</string>
        <key>UTTypeConformsTo</key><array><string>public.text</string></array>
        <key>UTTypeTagSpecification</key><dict>
          <key>public.filename-extension</key><array><string>memo</string></array>
        </dict>
      </dict></array>
      """)

    private static let plugIn = list(
      """
      <key>CFBundleIdentifier</key><string>org.example.reader.save</string>
      <key>CFBundleDisplayName</key><string>Save a memo</string>
      <key>NSExtension</key><dict>
        <key>NSExtensionPointIdentifier</key><string>com.apple.share-services</string>
        <key>NSExtensionAttributes</key><dict>
          <key>NSExtensionActivationRule</key><dict>
            <key>NSExtensionActivationSupportsText</key><true/>
          </dict>
        </dict>
      </dict>
      """)

    private static let script = list(
      """
      <key>CFBundleIdentifier</key><string>org.example.reader.shout</string>
      <key>CFBundleExecutable</key><string>main.lua</string>
      <key>NSExtension</key><dict>
        <key>NSExtensionPointIdentifier</key><string>com.apple.ui-services</string>
        <key>NSExtensionAttributes</key><dict>
          <key>NSExtensionActivationRule</key><string>TRUEPREDICATE</string>
        </dict>
      </dict>
      """)

    private static func list(_ members: String) -> String {
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\n\(members)\n</dict></plist>\n"
    }
  }
}
