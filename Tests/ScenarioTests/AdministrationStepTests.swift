import TestSupport
import Testing
import Wire

@testable import Scenario

/// Tests steps in which administrators, the directory and the device change the state of apps, and
/// the apps' answers.
@Suite struct AdministrationStepTests {
  @Test func `every administration step is read`() throws {
    let steps = try ScenarioReadingTests.steps(
      """
      - wipe: { app: mail, account: anna }
      - configure: { app: mail, configuration: { IntuneMAMUPN: anna@contoso.com, Limit: 5 } }
      - assign: { account: anna }
      - rename: { account: anna, upn: anna.smith@contoso.com }
      - restart: device
      - residue: { account: anna }
      - residue: { account: ben, canaries: [a text, 12], apps: [mail, notes] }
      """)
    let expected: [Action] = [
      .account(.init(kind: .wipe, guest: "mail", account: "anna")),
      .configure(
        .init(guest: "mail", entries: ["IntuneMAMUPN": "anna@contoso.com", "Limit": "5"])),
      .change(.assign(.init(account: "anna", policies: []))),
      .change(.rename(.init(account: "anna", upn: "anna.smith@contoso.com"))),
      .restart(.init()),
      .residue(.init(account: "anna", canaries: [], guests: [])),
      .residue(
        .init(
          account: "ben", canaries: ["a text", "12"],
          guests: ["mail", "notes-1", "notes-2", "notes-3"])),
    ]
    #expect(steps.map(\.action) == expected)
    #expect(
      steps.map(\.text) == [
        "the administrator wipes anna from mail", "mail gets another configuration",
        "anna loses its policies", "anna is renamed to `anna.smith@contoso.com`",
        "the device restarts", "no data of anna is left",
        "no data of ben is left",
      ])
  }

  @Test(arguments: [
    ("base", ["base"], "anna gets the policy base"),
    ("[strict, base]", ["strict", "base"], "anna gets the policy strict and base"),
  ]) func `an assign step names the policies of an account`(
    names: String, policies: [String], text: String
  ) throws {
    let scenario = try Scenario.read(
      """
      accounts: { anna: { upn: anna@contoso.com } }
      policies: { base: { file: base.json }, strict: { json: {} } }
      apps: { mail: { bundle: com.contoso.mail } }
      steps: [{ assign: { account: anna, policy: \(names) } }]
      """, file: "test.yaml")
    let step = try #require(scenario.cases.first?.steps.first)
    #expect(step.action == .change(.assign(.init(account: "anna", policies: policies))))
    #expect(step.text == text)
  }

  @Test(
    arguments: table(
      """
      reachable: false, delay: PT10S
      => the service cannot be reached and answers after PT10S
      reachable: true, restartsApps: true, pushesPolicies: false
      => the service can be reached and restarts apps for their first policy and notifies apps of
         policies when they check in
      mdmUser: anna, emmAccount: unset
      => the service has anna as the MDM user and has no EMM account
      accounts: { anna: { credentials: needed, login: cancelled } }
      => anna has to sign in and cancels the sign-in
      accounts: { anna: { licensed: false, answer: tenantMigration } }
      => anna is not licensed and gets the answer tenantMigration
      restartsApps: false, accounts: { anna: { credentials: cached, wipe: true, answer: regular } }
      => the service does not restart apps for their first policy; anna need not sign in and has its
         data wiped at every check-in and gets the regular answer
      """)) func `the text of a service step describes its changes`(change: String, text: String)
    throws
  {
    let scenario = try Scenario.read(
      """
      accounts: { anna: { upn: anna@contoso.com } }
      apps: { mail: { bundle: com.contoso.mail } }
      steps: [{ service: { \(change) } }]
      """, file: "test.yaml")
    #expect(scenario.cases.first?.steps.first?.text == text)
  }

  @Test func `the scenario keys onWipe, onAddAccount and onBlockAccount are read`() throws {
    let apps = try Scenario.read(
      """
      apps:
        mail:
          bundle: com.contoso.mail
          sdk: true
          multiIdentity: true
          multiManagedIdentities: true
          onWipe: lie
          onAddAccount: failed
          onBlockAccount: failed
        notes: { bundle: com.contoso.notes }
      steps: [{ launch: mail }]
      """, file: "test.yaml"
    ).apps
    #expect(apps.map(\.allowsSeveralManagedAccounts) == [true, false])
    #expect(apps.map(\.wipe) == [.lie, .failed])
    #expect(apps.map(\.addAnswer) == [.failed, .success])
    #expect(apps.map(\.blockAnswer) == [.failed, .success])
  }

  @Test(
    arguments: table(
      """
      { wipe: { app: mail } }
      => 11: error: a wipe needs `account` [missing-key]
      { wipe: { app: mail, account: unknown } }
      => 33: error: no account is called `unknown` [unknown-name]
      { configure: { app: mail } }
      => 16: error: a configuration needs `configuration` [missing-key]
      { configure: { app: mail, configuration: [a] } }
      => 44: error: `configuration` must be a mapping, found a list [wrong-type]
      { assign: { account: anna, policy: base } }
      => 38: error: no policy is called `base` [unknown-name]
      { rename: { account: anna, upn: anna } }
      => 35: error: `anna` is not a UPN, such as `anna@contoso.com` [invalid-value]
      { rename: { account: anna, upn: a@b@c } }
      => 35: error: `a@b@c` is not a UPN, such as `anna@contoso.com` [invalid-value]
      { restart: phone }
      => 14: error: `restart` must be `device`, found `phone` [invalid-value]
      { residue: { account: anna, apps: mial } }
      => 37: error: no app is called `mial`; did you mean `mail`? [unknown-name]
      { residue: { account: anna, canaries: text } }
      => 41: error: `canaries` must be a list, found `text` [wrong-type]
      { service: { accounts: { anna: { answer: notLicensed } } } }
      => 44: error: `answer` cannot be `notLicensed`; did you mean `accountNotLicensed`?
         [invalid-value]
      { service: { accounts: { anna: { answer: whatever } } } }
      => 44: error: `answer` cannot be `whatever`; docs/enrollment.md lists the possible values
         [invalid-value]
      { residue: { canaries: [text] } }
      => 14: error: a search for residue needs `account` [missing-key]
      { wipe: { app: mail, account: anna }, expect: { verdict: allowed } }
      => 51: error: the result of `wipe` has no `verdict` [conflicting-keys]
      { residue: { account: anna }, expect: { exit: stopped } }
      => 43: error: the result of `residue` has no `exit` [conflicting-keys]
      """)) func `invalid administration steps are reported`(step: String, message: String)
  {
    let error = #expect(throws: ScenarioError.self) { try ScenarioReadingTests.steps("- " + step) }
    #expect(error?.description == "test.yaml:7:" + message)
  }

  @Test(
    arguments: table(
      """
      sdk: true, multiManagedIdentities: true
      => 59: error: `multiManagedIdentities` needs `multiIdentity: true` [invalid-value]
      onWipe: sucess
      => 32: error: `onWipe` cannot be `sucess`; did you mean `success`? [invalid-value]
      onWipe: explode
      => 32: error: `onWipe` must be `success`, `failed`, `crash`, `hang` or `lie`, found `explode`
         [invalid-value]
      onAddAccount: lie
      => 38: error: `onAddAccount` must be `success` or `failed`, found `lie` [invalid-value]
      onBlockAccount: true
      => 40: error: `onBlockAccount` must be `success` or `failed`, found `true` [invalid-value]
      """)) func `an invalid key for an app's behaviour is an error at its position`(
      keys: String, message: String
    )
  {
    let error = #expect(throws: ScenarioError.self) {
      try ScenarioReadingTests.scenario(
        "apps:\n\n  mail: { bundle: a.b, \(keys) }\nsteps: [{ launch: mail }]")
    }
    #expect(error?.description == "test.yaml:3:" + message)
  }
}
