import Scenario
import TestSupport
import Testing

/// Tests invalid input, and the complete error for it.
@Suite struct InvalidScenarioTests {
  private func message(_ text: String) -> String? {
    ScenarioReadingTests.mistake(in: text)?.description
  }

  @Test(
    arguments: [
      ("apps:\n\tmail: 1", "2:1: error: a tab cannot indent; use spaces [yaml-syntax]"),
      ("name: a\u{1}", "1:8: error: control characters are not allowed [yaml-syntax]"),
    ]
      + table(
        """

        => 1:1: error: the file is empty [yaml-syntax]
        - a
        => 1:1: error: a scenario must be a mapping, found a list [wrong-type]
        apps: {
        => 2:1: error: the file ends before `{` or `[` is closed [yaml-syntax]
        apps: { a: { text: Note: buy milk } }
        => 1:24: error: a second `:` before the next `,`; put text that contains `: ` in quotes [yaml-syntax]
        name: a: b
        => 1:8: error: a second `:` in one line; put text that contains `: ` in quotes [yaml-syntax]
        name: a
        ---
        name: b
        => 2:1: error: a second YAML document begins; a scenario file contains only one [yaml-syntax]
        name: *a
        => 1:7: error: no anchor `&a` comes before this alias; put text that begins with `*` in quotes [yaml-syntax]
        name: a
        name: b
        steps: [{ advance: PT1S }]
        => 2:1: error: the key `name` is given twice, first on line 1 [duplicate-key]
        ? [a]
        : b
        => 1:3: error: a key must be text [wrong-type]
        nmae: a
        => 1:1: error: a scenario has no key `nmae`; did you mean `name`? [unknown-key]
        bogus: a
        => 1:1: error: a scenario has no key `bogus` [unknown-key]
        name: a
        => 1:1: error: a scenario needs `cases` [missing-key]
        name: [a]
        steps: [{ advance: PT1S }]
        => 1:7: error: `name` must be text, found a list [wrong-type]
        name:
        steps: [{ advance: PT1S }]
        => 1:6: error: `name` must be text, found nothing [wrong-type]
        steps: [{ advance: PT1S }]
        cases: []
        => 1:1: error: a scenario has `cases` or `steps`, not both [conflicting-keys]
        steps: []
        => 1:8: error: the list of steps is empty [missing-key]
        tenant: exports
        policies: {}
        steps: [{ advance: PT1S }]
        => 2:1: error: a scenario has `tenant` or `policies`, not both [conflicting-keys]
        accounts: { anna: { upn: anna@contoso.com, groups: [] } }
        steps: [{ advance: PT1S }]
        => 1:13: error: `groups` of the account `anna` requires `tenant`, which defines the groups [conflicting-keys]
        steps: [{ tenant: after }]
        => 1:19: error: a `tenant` step requires a `tenant` in the scenario, which the step replaces [conflicting-keys]
        device: { directory: { isCompliantt: true } }
        steps: [{ advance: PT1S }]
        => 1:24: error: the key `directory` has no key `isCompliantt`; did you mean `isCompliant`? [unknown-key]
        device: { directory: { registered: false, model: x } }
        steps: [{ advance: PT1S }]
        => 1:22: error: a device with `registered: false` has no other attributes in the directory; leave them out [conflicting-keys]
        device: { mdm: { enrolled: false, supervised: true } }
        steps: [{ advance: PT1S }]
        => 1:47: error: only a device with `enrolled: true` can be supervised [conflicting-keys]
        device: { mdm: { enrolled: false, intune: true } }
        steps: [{ advance: PT1S }]
        => 1:43: error: Intune manages only a device with `enrolled: true` [conflicting-keys]
        device: { tokens: { OnPremisesSamAccountName: x } }
        steps: [{ advance: PT1S }]
        => 1:21: error: the key `tokens` has no key `OnPremisesSamAccountName`; did you mean `onpremisessamaccountname`?
           [unknown-key]
        cases: []
        => 1:8: error: a scenario needs at least one case [missing-key]
        cases: [{ name: a }]
        => 1:9: error: a case needs `steps` [missing-key]
        cases: [{ name: a, criterion: send1, steps: [{ advance: PT1S }] }]
        => 1:31: error: `criterion` must have the form `SEND-1`, found `send1` [invalid-value]
        apps: { mail: { bundle: a.b } }
        cases: [{ name: a, underTest: maill, steps: [launch: mail] }]
        => 2:31: error: no app is called `maill`; did you mean `mail`? [unknown-name]
        apps: { mail: { bundle: a.b } }
        steps:
        - kill: [mail, mail]
        => 3:16: error: `mail` is named twice [duplicate-name]
        apps: { mail: { bundle: a.b, count: 2 } }
        steps:
        - launch: [mail-2, mail]
        => 3:20: error: `mail-2` is named twice [duplicate-name]
        apps: { mail: { bundle: a.b } }
        cases: [{ name: a, underTest: [mail, mail], steps: [launch: mail] }]
        => 2:38: error: `mail` is named twice [duplicate-name]
        apps: { mail: { bundle: a.b }, clip: { bundle: a.b.c, extension: share, containingApp: mail } }
        cases: [{ name: a, underTest: clip, steps: [launch: mail] }]
        => 2:31: error: `clip` is an extension; `underTest` must name apps [invalid-value]
        cases:
        - { name: a, steps: [{ advance: PT1S }] }
        - { name: a, steps: [{ advance: PT1S }] }
        => 3:3: error: two cases are called `a` [duplicate-name]
        """)) func files(text: String, message: String)
  {
    #expect(self.message(text) == "test.yaml:" + message)
  }

  @Test(
    arguments: table(
      """
      { time: 2026-01-01 }
      => 10: error: `time` must have the form `2026-01-01T09:00:00Z`, or `now`, found `2026-01-01`
         [invalid-value]
      { seed: -1 }
      => 10: error: `seed` must be from 0 to 9223372036854775807, found `-1` [invalid-value]
      { seed: many }
      => 10: error: `seed` must be a whole number, found `many` [wrong-type]
      { seed: '1' }
      => 10: error: `seed` must be a whole number, found the text `1` [wrong-type]
      { name: my phone }
      => 10: error: `my phone` cannot name a device; use letters, digits, `-` and `_`, a letter first
         [invalid-value]
      { mdm: {} }
      => 9: error: the key `mdm` needs `enrolled` [missing-key]
      { mdm: { enrolled: yes } }
      => 21: error: `enrolled` must be `true` or `false`, found `yes`; did you mean `true`?
         [wrong-type]
      { mdm: { enrolled: 'false' } }
      => 21: error: `enrolled` must be `true` or `false`, found the text `false`; did you mean
         `false`? [wrong-type]
      { mdm: { enrolled: 1 } }
      => 21: error: `enrolled` must be `true` or `false`, found `1` [wrong-type]
      """)) func `an invalid device definition is an error with its position`(
      device: String, message: String
    )
  {
    let text = "device:\n " + device + "\nsteps: [{ advance: PT1S }]"
    #expect(self.message(text) == "test.yaml:2:" + message)
  }

  @Test(
    arguments: table(
      """
      1a: { upn: a@b.c }
      => 1: error: `1a` cannot name an account; use letters, digits, `-` and `_`, a letter first
         [invalid-value]
      unset: { upn: a@b.c }
      => 1: error: `unset` cannot name an account, because it stands for an identity without an account [invalid-value]
      anna: {}
      => 7: error: the account `anna` needs `upn` [missing-key]
      anna: { upn: anna }
      => 14: error: `upn` must have the form `anna@contoso.com`, found `anna` [invalid-value]
      anna: { upn: a@b.c, objectId: 12 }
      => 31: error: `objectId` must be a GUID, found `12` [invalid-value]
      anna: { upn: a@b.c, objectID: 12 }
      => 21: error: the account `anna` has no key `objectID`; did you mean `objectId`? [unknown-key]
      """)) func `an invalid account definition is an error with its position`(
      account: String, message: String
    )
  {
    let text = "accounts: {\n" + account + "\n}\nsteps: [{ advance: PT1S }]"
    #expect(self.message(text) == "test.yaml:2:" + message)
  }

  @Test(
    arguments: table(
      """
      {}
      => 13: error: the policy `base` needs `file` or `json` [missing-key]
      { file: a, json: {} }
      => 24: error: the policy `base` has `file` or `json`, not both [conflicting-keys]
      { json: a.json }
      => 21: error: `json` must be a mapping, found `a.json` [wrong-type]
      { json: { pinRequired: yes } }
      => 36: error: `yes` is not a JSON value; write `true`, or `"yes"` for the text [wrong-type]
      { file: a, assign: [{ account: ana }] }
      => 44: error: no account is called `ana`; did you mean `anna`? [unknown-name]
      { file: a, assign: [] }
      => 32: error: `assign` is empty, so the policy applies to no account; name one, as in `[{
         account: anna }]`, or leave `assign` out [invalid-value]
      { file: a, assign: anna }
      => 32: error: `assign` must be a list, found `anna`; write `[{ account: anna }]` [wrong-type]
      { file: a, assign: [{ account: anna, apps: [] }] }
      => 56: error: `apps` is empty; leave it out to use the policy's own targeting
         [invalid-value]
      { file: a, assign: [{ account: anna, apps: [mail] }] }
      => 57: error: `mail` is not a bundle id; use letters, digits and `-` with dots between, as in
         `com.contoso.mail` [invalid-value]
      """)) func `an invalid policy definition is an error with its position`(
      policy: String, message: String
    )
  {
    let text =
      "accounts: { anna: { upn: a@b.c } }\npolicies: { base: " + policy
      + " }\nsteps: [{ advance: PT1S }]"
    let shifted = message.split(separator: ":", maxSplits: 1)
    let column = (Int(shifted[0]) ?? 0) + 6
    #expect(self.message(text) == "test.yaml:2:\(column):\(shifted[1])")
  }

  @Test(
    arguments: table(
      """
      {}
      => 9: error: the app `mail` needs `bundle` [missing-key]
      { bundle: com.contoso_mail }
      => 19: error: `com.contoso_mail` is not a bundle id; use letters, digits and `-` with dots between,
         as in `com.contoso.mail` [invalid-value]
      { bundle: a.b, count: 0 }
      => 31: error: `count` must be from 1 to 100000, found `0` [invalid-value]
      { bundle: a.b, count: 100001 }
      => 31: error: `count` must be from 1 to 100000, found `100001` [invalid-value]
      { bundle: a.b, team: A.B }
      => 30: error: `A.B` is not a team identifier; use letters and digits, as in `CONTOSO123` [invalid-value]
      { bundle: a.b, multiIdentity: true }
      => 39: error: `multiIdentity` needs `sdk: true` [invalid-value]
      { bundle: a.b, dispatch: true }
      => 34: error: `dispatch` needs a program; add `executable` or `path` [invalid-value]
      { bundle: a.b, schemes: ['mail:'] }
      => 34: error: `mail:` is not a URL scheme; expected one without a colon, as in `contosomail`
         [invalid-value]
      { bundle: a.b, signedIn: [bob] }
      => 35: error: no account is called `bob` [unknown-name]
      { bundle: a.b, signedIn: [anna, anna] }
      => 41: error: `anna` is named twice [duplicate-name]
      { bundle: a.b, answersIdentitySwitch: succes }
      => 47: error: `answersIdentitySwitch` cannot be `succes`; did you mean `success`?
         [invalid-value]
      { bundle: a.b, extension: kitchen, containingApp: mail }
      => 35: error: `extension` must be `share`, `action`, `service`, `notificationService`,
         `keyboard`, `safariWebExtension`, `fileProvider`, `packetTunnel` or `singleSignOn`, found
         `kitchen` [invalid-value]
      { bundle: a.b, extension: share, containingApp: mail, fullAccess: true }
      => 75: error: only a keyboard has `fullAccess` [conflicting-keys]
      { bundle: a.b, extension: share }
      => 9: error: the app `mail` needs `containingApp` [missing-key]
      { bundle: a.b, containingApp: mail }
      => 24: error: only an extension has a `containingApp`; `mail` has no `extension`
         [conflicting-keys]
      { bundle: a.b, extension: share, containingApp: mial }
      => 57: error: no app is called `mial`; did you mean `mail`? [unknown-name]
      { bundle: a.b, extension: share, containingApp: mail }
      => 57: error: `mail` is an extension, not an app [invalid-value]
      { bundle: a.b, count: 2 }
        mail-2: { bundle: a.b }
      => 3: error: `mail-2` is already the name of a guest of `mail` [duplicate-name]
      """)) func `an invalid app definition is an error with its position`(
      app: String, message: String
    )
  {
    let text =
      "accounts: { anna: { upn: a@b.c } }\napps:\n  mail: " + app
      + "\nsteps: [{ advance: PT1S }]"
    let line = app.contains("\n") ? 4 : 3
    #expect(self.message(text) == "test.yaml:\(line):" + message)
  }

  @Test(
    arguments: table(
      """
      {}
      => 3: error: a step needs an action, such as `launch` or `share` [missing-key]
      { lunch: mail }
      => 5: error: a step has no key `lunch`; did you mean `launch`? [unknown-key]
      { stop: mail, launch: mail }
      => 5: error: a step has `launch` or `stop`, not both [conflicting-keys]
      { launch: mial }
      => 13: error: no app is called `mial`; did you mean `mail`? [unknown-name]
      { launch: [] }
      => 13: error: the list `launch` is empty [missing-key]
      { launch: markup }
      => 13: error: `markup` is an extension; it starts when something is shared with it
         [invalid-value]
      { callExtension: { app: mail, extension: markup } }
      => 20: error: a call of an extension needs `text` [missing-key]
      { request: { app: mail, name: pste } }
      => 33: error: `name` cannot be `pste`; did you mean `paste`? [invalid-value]
      { request: { app: mail, name: open_url, fields: { ulr: x } } }
      => 51: error: `open_url` has no field `ulr`: `url`, `known_managed_scheme`, `asks_only`, `universal_links_only`
         [invalid-value]
      { request: { app: mail, name: copy } }
      => 14: error: `copy` lacks a required field, or a field has an unknown value [invalid-value]
      { paste: { app: notes } }
      => 19: error: `notes` stands for 3 guests; name one, such as `notes-1` [invalid-value]
      { start: mail }
      => 5: error: a step has no key `start`; did you mean `launch`? [unknown-key]
      { open: mail }
      => 5: error: a step has no key `open`; did you mean `launch` or `openURL`? [unknown-key]
      { frobnicate: mail }
      => 5: error: a step has no key `frobnicate`; `sluice ctl help` lists the steps [unknown-key]
      { expect: { verdict: blocked } }
      => 3: error: a step needs an action, such as `launch` or `share`; write `expect` without `-`, as a
         key of the step above [missing-key]
      { share: mail to viewer }
      => 12: error: a share must be a mapping, found `mail to viewer`; for example `share: { from:
         mail, to: viewer, text: "Quarterly figures" }` [wrong-type]
      { paste: { app: mail }, expect: blocked }
      => 35: error: an expectation must be a mapping, found `blocked`; write `{ verdict: blocked }`
         [wrong-type]
      { paste: { app: mail }, expect: clipboardBlocked }
      => 35: error: an expectation must be a mapping, found `clipboardBlocked`; write `{ decidedBy:
         clipboardBlocked }` [wrong-type]
      { paste: mail }
      => 12: error: a paste must be a mapping, found `mail`; for example `paste: { app: viewer }`
         [wrong-type]
      { switchIdentity: { app: mail, to: nobody } }
      => 38: error: no account is called `nobody` [unknown-name]
      { share: { from: mail, to: mail } }
      => 12: error: `share` needs `text`, `file` or `item` [missing-key]
      { share: { from: mail, to: mail, text: a, file: { name: a, text: b } } }
      => 45: error: a share has `text` or `file`, not both [conflicting-keys]
      { copy: { app: mail, text: a, item: received } }
      => 33: error: a copy has `text` or `item`, not both [conflicting-keys]
      { copy: { app: mail, item: received, type: public.text } }
      => 40: error: a copy has `item` or `type`, not both [conflicting-keys]
      { drop: { from: mail, to: mail, item: recieved } }
      => 41: error: `item` cannot be `recieved`; did you mean `received`? [invalid-value]
      { writeFile: { app: mail, path: a, text: b, item: retyped } }
      => 47: error: `writeFile` has `text` or `item`, not both [conflicting-keys]
      { share: { from: mail, to: mail, text: a, via: usb } }
      => 50: error: `via` must be `sdk` or `os`, found `usb` [invalid-value]
      { share: { from: mail, to: mail, text: a, type: text } }
      => 51: error: `text` is not a uniform type, such as `public.plain-text` [invalid-value]
      { openURL: { from: mail, url: www.contoso.com } }
      => 33: error: `url` must begin with a scheme and a colon, found `www.contoso.com`
         [invalid-value]
      { advance: 1h }
      => 14: error: `advance` must be a duration in weeks, days, hours, minutes or seconds, such as
         `PT1H`, found `1h` [invalid-value]
      { concurrently: [{ concurrently: [{ stop: mail }] }] }
      => 22: error: `concurrently` cannot contain another `concurrently` [invalid-value]
      { concurrently: [{ stop: mail, repeat: 2 }] }
      => 22: error: a step within `concurrently` cannot have `repeat` [invalid-value]
      { stop: mail, repeat: 0 }
      => 25: error: `repeat` must be from 1 to 1000000, found `0` [invalid-value]
      { stop: mail, expect: {} }
      => 25: error: the expectation is empty; add a key such as `verdict` [missing-key]
      { stop: mail, expect: { verdict: allowed } }
      => 27: error: the result of `stop` has no `verdict` [conflicting-keys]
      { paste: { app: mail }, expect: { returned: { end: delivered } } }
      => 37: error: the result of `paste` has no `returned` [conflicting-keys]
      { share: { from: mail, to: mail, text: a }, expect: { returned: { status: 1 } } }
      => 69: error: the result of `returned` has no `status` [conflicting-keys]
      { paste: { app: mail }, expect: { verdict: block } }
      => 46: error: `verdict` must be `blocked`, `encrypted` or `allowed`, found `block`
         [invalid-value]
      { paste: { app: mail }, expect: { reason: clipboardBlockd } }
      => 45: error: `reason` cannot be `clipboardBlockd`; did you mean `clipboardBlocked`?
         [invalid-value]
      { paste: { app: mail }, expect: { reason: because } }
      => 45: error: `reason` cannot be `because`; docs/schema/scenario.schema.json lists the possible values
         [invalid-value]
      { kill: mail, expect: { exit: kill } }
      => 33: error: `exit` must be `stopped`, `exited`, `signalled`, `killed`, `memoryPressure`,
         `unresponsive`, `protocolViolation`, `memoryLimit`, `processLimit`, `diskQuota` or
         `notStarted`, found `kill` [invalid-value]
      """)) func steps(step: String, message: String)
  {
    let error = #expect(throws: ScenarioError.self) { try ScenarioReadingTests.steps("- " + step) }
    #expect(error?.description == "test.yaml:7:" + message)
  }

  /// The messages of the YAML parser itself contain no fix.
  @Test(arguments: [
    (
      "name: \"abc\nsteps: []",
      "1:7: error: the text in quotes does not end; close the quotes [yaml-syntax]"
    ),
    ("name: @b", "1:7: error: text cannot begin with `@`; put it in quotes [yaml-syntax]"),
    ("name: `b`", "1:7: error: text cannot begin with a backtick; put it in quotes [yaml-syntax]"),
    ("name: %50", "1:7: error: text cannot begin with `%`; put it in quotes [yaml-syntax]"),
    (
      "name: \"a\" b",
      "1:11: error: text continues after its closing quotes; put all of it in one pair of quotes [yaml-syntax]"
    ),
    (
      #"name: "a\q""#,
      "1:9: error: invalid escape; write `\\\\` for a backslash, or put the text in single quotes [yaml-syntax]"
    ),
    (
      "name: &b!c",
      "1:9: error: `&` begins an anchor and `*` an alias; put text that begins with one of them in quotes [yaml-syntax]"
    ),
    (
      "name: !a!b c",
      "1:7: error: `!` begins a tag; put text that begins with it in quotes [yaml-syntax]"
    ),
    (
      "name: - b",
      "1:7: error: a list begins on a line of its own; put text that begins with `- ` in quotes [yaml-syntax]"
    ),
    (
      "name: ? b",
      "1:7: error: `? ` begins a key; put text that begins with it in quotes [yaml-syntax]"
    ),
    (
      "name: | b",
      "1:9: error: the text after `|` or `>` begins on the next line; put text that begins with one of them in quotes [yaml-syntax]"
    ),
    (
      "%foo\n",
      "1:5: error: a line that begins with `%` is a directive; put text that begins with it in quotes [yaml-syntax]"
    ),
    (
      "a:\n  - b\n  c: d",
      "3:3: error: this line is not an element of the list on line 2; begin it with `- `, or indent it differently [yaml-syntax]"
    ),
    (
      "a:\n    b: 1\n  c: d",
      "3:3: error: this line does not belong to the mapping on line 1; check its indentation [yaml-syntax]"
    ),
    (
      "name: b\n- c",
      "2:1: error: this line does not belong to the mapping on line 1; check its indentation [yaml-syntax]"
    ),
    (
      "a\nb: c",
      "2:2: error: a key cannot begin here; check the indentation, and whether the line above reads `key: value` [yaml-syntax]"
    ),
    (
      "a: b\nkey\nc: d", "2:1: error: a key needs `:` and a value; write `key: value` [yaml-syntax]"
    ),
    (
      "[a]\nb: c",
      "2:1: error: this line does not belong to the lines above; check the indentation [yaml-syntax]"
    ),
    ("a: [b, c\nd: e", "2:2: error: `[` on line 1 is not closed; add `]` [yaml-syntax]"),
    ("a: { b: c\n", "2:1: error: `{` on line 1 is not closed; add `}` [yaml-syntax]"),
    (
      "a: { b: \"c\" d }",
      "1:13: error: `,` or `}` is missing before `d`; put the whole text in quotes [yaml-syntax]"
    ),
    (
      "a: { b: c }}",
      "1:12: error: `}` is unmatched; put text that contains it in quotes [yaml-syntax]"
    ),
    ("a: [,b]", "1:5: error: a value is missing before `,` [yaml-syntax]"),
    ("a: [b, - c]", "1:8: error: a list in `[ ]` has no `-`; write `[a, b]` [yaml-syntax]"),
    ("a: |\n\tb", "2:1: error: a tab cannot indent; use spaces [yaml-syntax]"),
  ]) func `the error for invalid YAML states the fix`(text: String, message: String) {
    #expect(self.message(text) == "test.yaml:" + message)
  }

  @Test func `an app's name in place of its bundle id is an error that names the bundle id`() {
    let text = """
      accounts: { anna: { upn: a@b.c } }
      policies: { base: { file: a, assign: [{ account: anna, apps: [memo] }] } }
      apps: { memo: { bundle: org.example.memo } }
      steps: [launch: memo]
      """
    #expect(
      message(text)
        == "test.yaml:2:63: error: `memo` is an app's name; expected a bundle id; did you mean "
        + "`org.example.memo`? [invalid-value]")
  }

  @Test func `the expansion of YAML aliases is limited`() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...8 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    #expect(
      message(text)?.hasSuffix("the file contains more than 1000000 values [too-large]") == true)
  }

  @Test func `YAML aliases that are used as keys are rejected or reported without expansion`() {
    var text = "- &i0 { x: 1 }\n"
    for level in 1...10 {
      let aliases = Array(repeating: "*i\(level - 1)", count: 10).joined(separator: ", ")
      text += "- &i\(level) { ? [\(aliases)] : 1 }\n"
    }
    #expect(
      message(text + "- { ? *i10 : 1 }\n")
        == "test.yaml:2:11: error: a key must be text [wrong-type]")
    #expect(
      message("a: &i { x: 1 }\n? *i : 1\n")
        == "test.yaml:2:3: error: a key must be text [wrong-type]")
    #expect(
      message("&i name: a\n*i : b\nsteps: [{ advance: PT1S }]\n")
        == "test.yaml:2:1: error: the key `name` is given twice, first on line 1 [duplicate-key]")
  }

  @Test func `the number of YAML directives is limited`() {
    let directives = (0..<50_000).map { "%TAG !t\($0)! x\n" }.joined()
    #expect(
      message(directives + "---\na: 1\n")
        == "test.yaml:17:1: error: more than 16 lines begin with `%` [too-large]")
  }

  @Test(arguments: ["[", "- ", "{ a: ", "- - ? "])
  func `YAML that is nested too deeply is rejected`(
    opening: String
  ) {
    let text = String(repeating: opening, count: 100_000)
    #expect(message(text)?.contains(" error: ") == true)
  }

  @Test func `each error about a truncated scenario has a file, line and column`() throws {
    let text = try Repository.read("scenarios/criteria/SEND.yaml")
    // Every prefix of a file is valid or has an error.
    for length in stride(from: 0, to: text.count, by: 41) {
      do throws(ScenarioErrors) {
        _ = try Scenario.read(String(text.prefix(length)), file: "test.yaml")
      } catch {
        for message in error.errors.map(\.description) {
          #expect(message.wholeMatch(of: /test\.yaml:\d+:\d+: error: .+ \[[a-z-]+\]/) != nil)
        }
      }
    }
  }
}
