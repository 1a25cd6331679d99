import Encodings
import Model
import Testing

@testable import Scenario

@Suite struct ScenarioReadingTests {
  /// Reads `steps` on a device with a few accounts and apps. The steps are the lines of one case.
  static func steps(_ steps: String) throws(ScenarioError) -> [Step] {
    try read(steps).cases[0].steps
  }

  static func read(_ steps: String) throws(ScenarioError) -> Scenario {
    try scenario(
      """
      accounts: { anna: { upn: anna@contoso.com }, ben: { upn: ben@contoso.com } }
      apps:
        mail: { bundle: com.contoso.mail, sdk: true }
        notes: { bundle: com.contoso.notes, count: 3 }
        markup: { bundle: com.contoso.mail.markup, extension: action, containingApp: mail }
      steps:

      """ + steps)
  }

  /// Reads the text of a scenario that has at most one error.
  static func scenario(
    _ text: String, file: String = "test.yaml"
  ) throws(ScenarioError) -> Scenario {
    do throws(ScenarioErrors) {
      return try Scenario.read(text, file: file)
    } catch {
      #expect(error.errors.count == 1, "\(error)")
      throw error.errors[0]
    }
  }

  /// Returns the error in the text of a scenario; nil if there is none.
  static func mistake(in text: String) -> ScenarioError? {
    do throws(ScenarioError) {
      _ = try scenario(text)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a scenario with every key is read`() throws {
    let scenario = try Scenario.read(
      """
      name: Everything
      device:
        name: iPad
        time: 2026-02-03T04:05:06Z
        seed: 7
        mdm: { enrolled: true, allowOpenFromManagedToUnmanaged: false }
      accounts:
        anna:
          upn: anna@contoso.com
          objectId: 0f8fad5b-d9cb-469f-a165-70867728950e
          tenant: contoso.com
      policies:
        base:
          file: base.json
          assign:
            - account: anna
              apps: [com.contoso.mail]
            - { account: anna }
      apps:
        mail:
          bundle: com.contoso.mail
          team: CONTOSO123
          sdk: true
          multiIdentity: true
          mdmManaged: true
          executable: bin/mail
          path: Mail.app
          count: 2
          schemes: [ContosoMail]
          keychainGroups: [CONTOSO123.shared]
          appGroups: [group.contoso]
          configuration: { IntuneMAMUPN: anna@contoso.com, Limit: 5, On: yes }
          signedIn: [anna]
          provides: A text
          answersIdentitySwitch: failed
        markup:
          bundle: com.contoso.mail.markup
          extension: share
          containingApp: mail
      cases:
        - name: A case
          criterion: SEND-1
          underTest: mail
          steps:
            - launch: mail
      """, file: "folder/all.yaml")

    let steps = [
      Step(
        position: Position(line: 45, column: 9),
        action: .lifecycle(.init(change: .launch, guests: ["mail-1", "mail-2"])))
    ]
    // Another test covers the positions of file names.
    var read = scenario
    read.filePositions = [:]
    #expect(
      read
        == Scenario(
          file: "folder/all.yaml", name: "Everything",
          device: DeviceDefinition(
            name: "iPad", time: 1_770_091_506, seed: 7, isMDMEnrolled: true,
            restrictions: [.allowOpenFromManagedToUnmanaged: false]),
          accounts: [
            AccountDefinition(
              position: Position(line: 8, column: 3), name: "anna", upn: "anna@contoso.com",
              objectID: "0f8fad5b-d9cb-469f-a165-70867728950e", tenantID: "contoso.com")
          ],
          policies: [
            PolicyDefinition(
              name: "base", document: .file("base.json"),
              assignments: [
                .init(
                  position: Position(line: 16, column: 9), account: "anna",
                  apps: ["com.contoso.mail"]),
                .init(position: Position(line: 18, column: 9), account: "anna"),
              ])
          ],
          apps: [
            AppDefinition(
              position: Position(line: 20, column: 3), name: "mail", bundle: "com.contoso.mail",
              team: "CONTOSO123", usesSDK: true, isMultiIdentity: true, isMDMManaged: true,
              executable: "bin/mail", path: "Mail.app", count: 2, schemes: ["contosomail"],
              keychainGroups: ["CONTOSO123.shared"], appGroups: ["group.contoso"],
              configuration: ["IntuneMAMUPN": "anna@contoso.com", "Limit": "5", "On": "yes"],
              signedIn: ["anna"], provides: "A text", switchAnswer: .failed),
            AppDefinition(
              position: Position(line: 36, column: 3), name: "markup",
              bundle: "com.contoso.mail.markup", extensionKind: .share, containingApp: "mail"),
          ],
          cases: [
            Case(
              position: Position(line: 41, column: 5), name: "A case", criterion: "SEND-1",
              underTest: ["mail"], steps: steps)
          ]))
  }

  @Test(arguments: [("dispatch: true", true), ("dispatch: false", false), ("count: 1", false)])
  func `an app uses libdispatch only if the scenario states it`(key: String, expected: Bool) throws
  {
    let scenario = try Scenario.read(
      """
      apps: { mail: { bundle: com.contoso.mail, executable: mail, \(key) } }
      steps: [launch: mail]
      """, file: "test.yaml")
    #expect(scenario.apps.map(\.usesDispatch) == [expected])
  }

  @Test func `steps without cases form one case named after the file`() throws {
    let scenario = try Self.read("- launch: mail")
    #expect(scenario.name == "test")
    #expect(scenario.cases.map(\.name) == ["test"])
    #expect(scenario.device == DeviceDefinition())
  }

  @Test(arguments: [
    ("launch: mail", "launch mail"),
    ("suspend: [mail, notes-2]", "suspend mail, notes-2"),
    ("kill: [mail, notes]", "kill mail, notes-1, notes-2 and 1 more"),
    ("signIn: { app: mail, account: anna }", "mail signs in anna"),
    ("signOut: { app: mail, account: anna }", "mail signs out anna"),
    ("switchIdentity: { app: mail, to: unset }", "mail switches to unset"),
    ("share: { from: mail, to: notes-1, text: Hello }", "mail shares `Hello` with notes-1"),
    (
      "share: { from: mail, to: markup, via: os, openIn: true, file: { name: a.txt, text: b } }",
      "mail opens `a.txt` in markup via the system"
    ),
    ("import: { into: mail, from: org.example.absent }", "mail imports from org.example.absent"),
    (
      #"copy: { app: mail, text: "one\ntwo, and so on until it is too long" }"#,
      "mail copies `one two, and so on until it is too long`"
    ),
    ("paste: { app: notes-3 }", "notes-3 pastes"),
    ("openURL: { from: mail, url: 'skype:bob' }", "mail opens `skype:bob`"),
    (
      "keychainAdd: { app: mail, group: g, service: s, account: a, value: v }",
      "mail adds keychain item `s`/`a` in g"
    ),
    (
      "keychainQuery: { app: mail, service: s, account: a }",
      "mail looks up keychain item `s`/`a`"
    ),
    (
      "keychainDelete: { app: mail, service: s, account: a }",
      "mail deletes keychain item `s`/`a`"
    ),
    ("advance: P1DT90M", "the clock advances by P1DT1H30M"),
    ("concurrently: [{ launch: mail }, { stop: mail }]", "at once: launch mail; stop mail"),
  ]) func `each scenario step has a description of its action`(step: String, text: String) throws {
    #expect(try Self.steps("- " + step).map(\.text) == [text])
  }

  @Test func `each key of a step's expectation is read`() throws {
    let steps = try Self.steps(
      """
      - share: { from: mail, to: notes-1, text: 2024, type: public.text }
        repeat: 3
        expect:
          verdict: encrypted
          reason: [sameTenant, sendNoneEncrypts]
          decidedBy: sendNoneEncrypts
          end: deliveredEncrypted
          status: -34018
          exit: signalled
          received: yes
          returned: [{ end: delivered, received: done }, { verdict: blocked }]
          identity: ben
          managed: true
      """)
    #expect(
      steps == [
        Step(
          position: Position(line: 7, column: 3),
          action: .share(
            .init(
              from: "mail", to: "notes-1",
              content: .item(
                .stated(Item(type: "public.text", payload: .inline(Array("2024".utf8))))),
              via: .sdk, way: .share)),
          count: 3,
          expectation: Expectation(
            verdict: .encrypted, reasons: [.sameTenant, .sendNoneEncrypts],
            deciding: .sendNoneEncrypts, end: .deliveredEncrypted, status: -34018,
            exit: "signalled", received: "yes",
            returned: [
              Expectation(end: .delivered, received: "done"), Expectation(verdict: .blocked),
            ], identity: .account("ben"), isManaged: true),
          at: Position(line: 10, column: 5))
      ])
    #expect(steps[0].text == "mail shares `2024` with notes-1, 3 times")
  }

  @Test func `guests of a scenario are found by app name and instance number`() throws {
    let scenario = try Self.read("- share: { from: notes, to: mail, text: a }")
    #expect(scenario.guests(named: "notes") == ["notes-1", "notes-2", "notes-3"])
    #expect(scenario.guests(named: "notes-2") == ["notes-2"])
    #expect(scenario.app(ofGuest: "mail")?.bundle == "com.contoso.mail")
    #expect(scenario.app(ofGuest: "notes-3")?.name == "notes")
    for name in ["notes", "notes-0", "notes-4", "notes-03", "notes-", "notes-+1", "mail-1"] {
      #expect(scenario.app(ofGuest: name) == nil, "\(name)")
    }
  }

  @Test func `a scenario's byte order mark does not count as a column`() throws {
    let error = #expect(throws: ScenarioError.self) {
      try Self.scenario("\u{FEFF}bogus: 1")
    }
    #expect(error?.position == Position(line: 1, column: 1))
  }

  @Test func `members of an inline policy keep their lines`() throws {
    let scenario = try Scenario.read(
      """
      policies:
        base:
          json:
            displayName: "off"

            pinRequired: true   # a comment
            minimumPinLength: 4
            apps:
              - mobileAppIdentifier:
                  bundleId: com.contoso.mail
            minimumRequiredOsVersion: "17.0"
            version: ~
      apps: { mail: { bundle: com.contoso.mail } }
      steps: [{ launch: mail }]
      """, file: "test.yaml")
    guard case .inline(let json) = try #require(scenario.policies.first).document else {
      Issue.record("the policy is in place")
      return
    }
    let value = try JSONReader.read(json)
    let lines = try #require(value.members).map { "\($0.name) \($0.position.line)" }
    #expect(
      lines == [
        "displayName 4", "pinRequired 6", "minimumPinLength 7", "apps 8",
        "minimumRequiredOsVersion 11", "version 12",
      ])
    #expect(value["displayName"]?.string == "off")
    #expect(value["pinRequired"]?.bool == true)
    #expect(value["minimumPinLength"]?.int == 4)
    #expect(value["minimumRequiredOsVersion"]?.string == "17.0")
    #expect(value["version"]?.isNull == true)
    let app = value["apps"]?.array?.first?["mobileAppIdentifier"]?["bundleId"]
    #expect(app?.string == "com.contoso.mail")
    #expect(app?.position.line == 10)
  }
}
