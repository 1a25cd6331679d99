import Encodings
import Scenario
import Testing

/// Tests errors that new users make. Each is in an otherwise valid scenario, and has the complete
/// message.
///
/// `TypicalMistakeCommandTests` has those that involve other files, or that only appear when the
/// case runs.
@Suite struct TypicalMistakeTests {
  private static let scenario = """
    name: demo
    accounts:
      anna: { upn: anna@contoso.com }
      ben: { upn: ben@contoso.com }
    policies:
      base: { file: base.json, assign: [{ account: anna }] }
    apps:
      memo: { bundle: org.example.memo, sdk: true, signedIn: [anna] }
      viewer: { bundle: org.example.viewer }
    cases:
      - name: one
        steps:
          - launch: memo
          - launch: viewer
          - share: { from: memo, to: viewer, text: hi }
            expect: { verdict: blocked }

    """

  @Test func `the scenario is valid before a typical mistake is inserted`() throws {
    #expect(throws: Never.self) { try Scenario.read(Self.scenario, file: "mine.yaml") }
  }

  @Test(arguments: [
    ("  viewer: {", "\tviewer: {", "9:1: error: a tab cannot indent; use spaces [yaml-syntax]"),
    (
      "launch: viewer", "start: viewer",
      "14:9: error: a step has no key `start`; did you mean `launch`? [unknown-key]"
    ),
    (
      "to: viewer", "to: viewr",
      "15:34: error: no app is called `viewr`; did you mean `viewer`? [unknown-name]"
    ),
    (
      "verdict: blocked", "reason: sendManagedAppsToUnmanged",
      "16:27: error: `reason` cannot be `sendManagedAppsToUnmanged`; did you mean `sendManagedAppsToUnmanaged`? [invalid-value]"
    ),
    (
      "bundle: org.example.viewer", "bundle: org.example.viewer, multiIdentity: true",
      "9:56: error: `multiIdentity` needs `sdk: true` [invalid-value]"
    ),
    (
      "accounts:\n", "accounts:\n  anna: { upn: anna@fabrikam.com }\n",
      "4:3: error: the key `anna` is given twice, first on line 3 [duplicate-key]"
    ),
    (
      "name: demo", "steps: [launch: memo]",
      "1:1: error: a scenario has `cases` or `steps`, not both [conflicting-keys]"
    ),
    (
      "        expect:", "      - expect:",
      "16:9: error: a step needs an action, such as `launch` or `share`; write `expect` without `-`, as a key of the step above [missing-key]"
    ),
    (
      "- launch: viewer", "- advance: 1h",
      "14:18: error: `advance` must be a duration in weeks, days, hours, minutes or seconds, such as `PT1H`, found `1h` [invalid-value]"
    ),
    (
      "share: { from: memo, to: viewer, text: hi }", "share: memo to viewer",
      "15:16: error: a share must be a mapping, found `memo to viewer`; for example `share: { from: mail, to: viewer, text: \"Quarterly figures\" }` [wrong-type]"
    ),
    (
      "{ verdict: blocked }", "blocked",
      "16:17: error: an expectation must be a mapping, found `blocked`; write `{ verdict: blocked }` [wrong-type]"
    ),
    (
      "text: hi", "text: Note: buy milk",
      "15:52: error: a second `:` before the next `,`; put text that contains `: ` in quotes [yaml-syntax]"
    ),
    (
      "[{ account: anna }]", "[{ account: anna, apps: [memo] }]",
      "6:61: error: `memo` is an app's name; expected a bundle id; did you mean `org.example.memo`? [invalid-value]"
    ),
    (
      "[{ account: anna }]", "anna",
      "6:36: error: `assign` must be a list, found `anna`; write `[{ account: anna }]` [wrong-type]"
    ),
    (scenario, "", "1:1: error: the file is empty [yaml-syntax]"),
    (
      "  viewer: {", "  clip: { bundle: a.b, extension: share }\n  viewer: {",
      "9:9: error: the app `clip` needs `containingApp` [missing-key]"
    ),
  ]) func `a typical mistake is one error that names the fix`(
    correct: String, mistaken: String, error: String
  ) {
    let text = Self.scenario.replacing(correct, with: mistaken)
    let errors = #expect(throws: ScenarioErrors.self) { try Scenario.read(text, file: "mine.yaml") }
    #expect(errors?.description == "mine.yaml:" + error)
  }

  @Test(arguments: [
    ("saveTo: { app: memo, location: box }", "a save has no key `app`; did you mean `from`?"),
    ("saveTo: { from: memo, to: box }", "a save has no key `to`; did you mean `location`?"),
    (
      "share: { from: memo, to: viewer, body: x }",
      "a share has no key `body`; did you mean `text`?"
    ),
    ("signIn: { app: memo, user: anna }", "a sign-in has no key `user`; did you mean `account`?"),
    (
      "readFile: { app: memo, file: a.txt }", "`readFile` has no key `file`; did you mean `path`?"
    ),
    ("{ launch: memo, times: 2 }", "a step has no key `times`; did you mean `repeat`?"),
    (
      "{ paste: { app: memo }, expect: { result: blocked } }",
      "an expectation has no key `result`; did you mean `verdict`?"
    ),
    (
      "share: { from: memo, to: viewer, text: hi, as: anna }",
      "a share has no key `as`; write `as` as a key of the step, beside `share`"
    ),
    (
      "paste: { app: memo, x: y }",
      "a paste has no key `x`; for example `paste: { app: viewer }`"
    ),
  ]) func `the error for an unknown key of a step suggests a key of that step`(
    step: String, message: String
  ) {
    let text = Self.scenario.replacing("launch: viewer", with: step)
    let errors = #expect(throws: ScenarioErrors.self) { try Scenario.read(text, file: "mine.yaml") }
    #expect(errors?.errors.map(\.message) == [message])
  }

  @Test(arguments: [
    (
      "bundle: org.example.viewer", "bundleId: org.example.viewer",
      "`bundleId`; did you mean `bundle`?"
    ),
    ("signedIn: [anna]", "accounts: [anna]", "`accounts`; did you mean `signedIn`?"),
    ("upn: ben@contoso.com", "email: ben@contoso.com", "`email`; did you mean `upn`?"),
    ("assign: [{ account: anna }]", "targets: [anna]", "`targets`; did you mean `assign`?"),
    ("cases:", "tests:", "`tests`; did you mean `cases`?"),
  ]) func `the error for an unknown key of a definition suggests a key of that definition`(
    correct: String, mistaken: String, message: String
  ) {
    let text = Self.scenario.replacing(correct, with: mistaken)
    let errors = #expect(throws: ScenarioErrors.self) { try Scenario.read(text, file: "mine.yaml") }
    #expect(errors?.errors.count == 1)
    #expect(errors?.errors[0].message.hasSuffix("has no key " + message) == true)
  }
}

// MARK: - Several errors

/// Returns all errors of a file, which are reported together.
@Suite struct SeveralErrorsTests {
  private func errors(_ text: String) -> [String] {
    do throws(ScenarioErrors) {
      _ = try Scenario.read(text, file: "mine.yaml")
      return []
    } catch {
      return error.errors.map { "\($0.position.line):\($0.position.column): \($0.message)" }
    }
  }

  @Test func `every error is reported once, in line order`() {
    let text = """
      name: demo
      device: { mdm: { enrolled: yes } }
      accounts:
        anna: { upn: anna, objectId: 12 }
      policies:
        base: { file: base.json, assign: [{ account: ana }] }
      apps:
        mail: { bundle: contoso_mail, sdk: maybe, onWipe: explode }
        viewer: { bundle: org.example.viewer }
      steps:
        - launch: mail
        - start: viewer
        - share: { from: viewr, to: vewer, text: a }
          expect: { verdict: block }
      """
    #expect(
      errors(text) == [
        "2:28: `enrolled` must be `true` or `false`, found `yes`; did you mean `true`?",
        "4:16: `upn` must have the form `anna@contoso.com`, found `anna`",
        "4:32: `objectId` must be a GUID, found `12`",
        "6:48: no account is called `ana`; did you mean `anna`?",
        "8:19: `contoso_mail` is not a bundle id; use letters, digits and `-` with dots between, as in `com.contoso.mail`",
        "8:38: `sdk` must be `true` or `false`, found `maybe`",
        "8:53: `onWipe` must be `success`, `failed`, `crash`, `hang` or `lie`, found `explode`",
        "12:5: a step has no key `start`; did you mean `launch`?",
        "13:20: no app is called `viewr`; did you mean `viewer`?",
        "13:31: no app is called `vewer`; did you mean `viewer`?",
        "14:24: `verdict` must be `blocked`, `encrypted` or `allowed`, found `block`",
      ])
  }

  @Test func `a duplicate key does not hide other errors`() {
    #expect(
      errors("name: a\nname: [b]\nsteps: [{ start: x }]") == [
        "2:1: the key `name` is given twice, first on line 1",
        "3:11: a step has no key `start`; did you mean `launch`?",
      ])
  }

  @Test(arguments: [
    ("apps: [mail]\nsteps: [launch: mail]", "1:7: `apps` must be a mapping, found a list"),
    (
      "aps: { mail: { bundle: a.b } }\nsteps: [launch: mail]",
      "1:1: a scenario has no key `aps`; did you mean `apps`?"
    ),
    (
      "apps: { mail: { bundel: a.b } }\nsteps: [{ launch: mail }, { paste: { app: mail } }]",
      "1:17: the app `mail` has no key `bundel`; did you mean `bundle`?"
    ),
    (
      "apps: { mail: { bundle: a.b, count: many } }\nsteps: [launch: mail-2]",
      "1:37: `count` must be a whole number, found `many`"
    ),
    (
      "apps: { mail: { bundle: a.b, sdk: 1, multiIdentity: true } }\nsteps: [launch: mail]",
      "1:35: `sdk` must be `true` or `false`, found `1`"
    ),
    (
      "apps: { mail: { bundle: a.b, extension: kitchen, fullAccess: true } }\nsteps: [advance: PT1S]",
      "1:41: `extension` must be `share`, `action`, `service`, `notificationService`, `keyboard`, `safariWebExtension`, `fileProvider`, `packetTunnel` or `singleSignOn`, found `kitchen`"
    ),
    (
      "apps: { mail: { bundle: a.b } }\ndevices: { a: { count: 0 }, b: }\nsteps: [{ launch: mail, on: c }]",
      "2:24: `count` must be from 1 to 10000, found `0`"
    ),
    (
      "accounts: { anna: { upn: a@b.c } }\npolicies: { base: { file: a, assign: [{ acount: anna }] } }\nsteps: [advance: PT1S]",
      "2:41: an assignment has no key `acount`; did you mean `account`?"
    ),
  ]) func `errors that follow from another error in a scenario are not reported`(
    text: String, error: String
  ) {
    #expect(errors(text) == [error])
  }
}
