import Analysis
import Model
import Output
import Policy
import TestSupport
import Testing

@testable import FieldKit

@Suite struct CompletedFormTests {
  private static let head = """
    at: https://example.org/form
    title: A form
    date: 2026-12-01
    ios: 26.1
    observations:

    """

  /// Returns the form with these observations.
  private static func form(_ observations: [(String, Outcome)]) throws -> CompletedForm {
    let entries = observations.map { "- experiment: \($0.0)\n  observed: \($0.1.rawValue)\n" }
    return try CompletedForm(head + entries.joined(), file: "form.yaml")
  }

  // MARK: Reading

  @Test func `the kit's form has a field for each experiment's observation`() throws {
    let kit = FieldKit()
    var lines = kit.form.split(separator: "\n").map(String.init)
    #expect(lines.count { $0 == "  observed:" } == kit.experiments.count)
    for (key, value) in [
      ("at", "https://example.org"), ("title", "A form"), ("date", "2026-12-01"),
    ] {
      let index = try #require(lines.firstIndex { $0.hasPrefix(key + ":") })
      lines[index] = "\(key): \(value)"
    }
    let index = try #require(lines.firstIndex(of: "- experiment: longer-pin"))
    lines[index + 1] += " blocked"
    let form = try CompletedForm(lines.joined(separator: "\n"), file: "form.yaml")
    #expect(form.entries.map(\.experiment.name) == ["longer-pin"])
    #expect(form.entries.map(\.observed) == [.blocked])
  }

  @Test(
    arguments: [
      (
        "at: http://x\ntitle: A|B\ndate: today\nios: new\nobservations: []\n",
        [
          "1:5: error: `at` must be an address that begins with `https://` [invalid-value]",
          "2:8: error: `title` must be one line without `|` [invalid-value]",
          "3:7: error: `date` must be a date such as `2026-12-01` [invalid-value]",
          "4:6: error: `ios` must be a version such as `26.1` [invalid-value]",
        ]
      ),
      (
        "at:\nwho: Anna\n",
        [
          "1:1: error: the form needs `date` [missing-key]",
          "1:1: error: the form needs `title` [missing-key]",
          "1:1: error: the form needs a list `observations` [missing-key]",
          "1:4: error: the form needs `at` [missing-key]",
          "2:1: error: the form has no key `who` [unknown-key]",
        ]
      ),
      (
        head + "- experiment: genmoij\n  observed: allowed\n",
        [
          "6:15: error: `sluice field-kit` has no experiment `genmoij`; did you mean `genmoji`? "
            + "[unknown-name]"
        ]
      ),
      (
        head + "- experiment: genmoji\n  observed: encrypted\n",
        ["7:13: error: `observed` must be `blocked` or `allowed`, or empty [invalid-value]"]
      ),
      (
        head + "- experiment: genmoji\n  obseved: allowed\n",
        ["7:3: error: an observation has no key `obseved`; did you mean `observed`? [unknown-key]"]
      ),
      (
        head + "- observed: allowed\n",
        ["6:3: error: an observation needs the name of its `experiment` [missing-key]"]
      ),
      (
        head + "- experiment: genmoji\n  observed: allowed\n- experiment: genmoji\n"
          + "  observed: blocked\n",
        ["8:3: error: the form has two observations of `genmoji` [duplicate-name]"]
      ),
      (
        head + "- experiment: genmoji\n  observed:\n",
        ["1:1: error: the form has no value of `observed`; fill in at least one [missing-key]"]
      ),
      ("- 1\n", ["1:1: error: the form must be a mapping [wrong-type]"]),
    ] as [(String, [String])])
  func `errors in a completed form have their positions`(text: String, errors: [String]) {
    do throws(FormErrors) {
      _ = try CompletedForm(text, file: "form.yaml")
      Issue.record("the form is accepted")
    } catch {
      let found = error.diagnostics.sorted { $0.precedes($1) }.map(\.description)
      #expect(found == errors.map { "form.yaml:" + $0 })
    }
  }

  // MARK: Conclusions

  @Test(
    arguments: [
      ([("dialer-any-app", .allowed)], [.dialerAnyApp], [], []),
      (
        [("dialer-any-app", .blocked)], [], [.dialerAnyApp],
        ["“Any dialer app” stands for any managed dialer"]
      ),
      (
        [("widget-stated", .allowed), ("widget-absent", .allowed), ("widget-blocked", .blocked)],
        [.widgetSyncAllowed], [.widgetSyncBlocked],
        ["`allowWidgetContentSync` counts as true if it is absent"]
      ),
      (
        [("widget-stated", .blocked), ("widget-absent", .allowed), ("widget-blocked", .allowed)],
        [], [.widgetSyncAllowed, .widgetSyncBlocked],
        ["the setting for sync with native apps also applies to widgets"]
      ),
      (
        [("copy-to-other-tenant", .encrypted), ("open-in-other-tenant", .blocked)],
        [], [.otherTenant], ["an account of another tenant counts as unmanaged"]
      ),
      ([("airdrop-restricted", .allowed)], [], [.toAnotherDevice], []),
    ] as [([(String, Outcome)], [Rule], [Rule], [String])])
  func `field observations confirm rules, refute rules or support their alternatives`(
    observations: [(String, Outcome)], confirmed: [Rule], refuted: [Rule], supported: [String]
  ) throws {
    let form = try Self.form(observations)
    #expect(form.confirmedRules == confirmed)
    #expect(form.refutedRules == refuted)
    #expect(form.supportedAlternatives.map(\.text) == supported)
  }

  @Test func `a completed form lists confirmed and refuted rules with their standing`() throws {
    let form = try Self.form([
      ("longer-pin", .blocked), ("widget-absent", .allowed), ("widget-blocked", .blocked),
      ("airdrop-restricted", .allowed),
    ])
    #expect(
      form.text == """
        longer-pin: blocked, as Sluice decides
        widget-absent: allowed, but Sluice decides: blocked
        widget-blocked: blocked, as Sluice decides
        airdrop-restricted: allowed, but Sluice decides: encrypted

        Confirmed
          pinOutdated (reported, observed 1×)

        Refuted
          widgetSyncBlocked (contested)
          toAnotherDevice (assumed)

        Supported instead
          `allowWidgetContentSync` counts as true if it is absent (evidence-open/functions/widgets-by-default.yaml)

        Not explained by a known alternative
          airdrop-restricted

        """)
  }

  // MARK: Statements

  @Test
  func `field observations that contradict Sluice are open evidence, and others are evidence`()
    throws
  {
    let form = try Self.form([("longer-pin", .blocked), ("widget-absent", .allowed)])
    let statements = form.statements
    #expect(
      statements.map(\.path) == [
        "evidence/field/longer-pin-2026-12-01.yaml",
        "evidence-open/field/widget-absent-2026-12-01.yaml",
      ])
    #expect(
      statements[0].text.hasPrefix(
        """
        statement: "An app PIN that is shorter than a new policy requires: Outlook asks for a new PIN."
        source:
          kind: report
          at: "https://example.org/form"
          title: "A form"
          date: "2026-12-01"
        versions: {ios: "26.1"}
        rules: [pinOutdated]
        settings: [minimumPinLength]
        run:
          policies:

        """))
    #expect(statements[0].text.hasSuffix("  verdict: blocked\n  reason: pinOutdated\n"))
    #expect(
      statements[1].text.hasSuffix("  verdict: allowed\nprogram: blocked by widgetSyncBlocked\n"))
  }

  // MARK: Logs

  /// Returns the form with the observations and a device's log of a policy.
  private static func form(
    _ observations: [(String, Outcome)], logOf settings: Settings, file: String = "device.log"
  ) throws(FormErrors) -> CompletedForm {
    let entries = observations.map { "- experiment: \($0.0)\n  observed: \($0.1.rawValue)\n" }
    return try CompletedForm(
      head + entries.joined(), file: "form.yaml",
      logs: [DiagnosticLog(Array(DeviceLog.text(of: settings).utf8), file: file)])
  }

  @Test func `the device log of a completed form becomes a separate evidence statement`() throws {
    let settings = KitPolicy.open.document.settings
    let form = try Self.form([("longer-pin", .blocked)], logOf: settings)
    #expect(form.text.contains("\nIn force by the log\n  open\n"))
    let statement = try #require(form.statements.last)
    #expect(statement.path == "evidence/field/log-open-2026-12-01.yaml")
    #expect(statement.text.contains("  kind: device-log\n"))
    #expect(statement.text.contains("minimumPinLength"))
    let logged = statement.text.split(separator: "\n").drop { $0 != "  log: |" }.dropFirst()
    #expect(logged.contains("    PINMinLength: 6"))
    // Nothing that the policy does not state is taken from the log.
    #expect(logged.count < DeviceLog.text(of: settings).split(separator: "\n").count / 2)
  }

  @Test func `an observation made under a policy that the device log contradicts is an error`()
    throws
  {
    var settings = KitPolicy.open.document.settings
    settings.minimumPinLength = 4
    do throws(FormErrors) {
      _ = try Self.form([("longer-pin", .blocked)], logOf: settings)
      Issue.record("the form was accepted")
    } catch {
      let messages = error.diagnostics.map(\.description)
      #expect(messages.count == 1)
      #expect(
        messages[0].wholeMatch(
          of:
            /device.log:\d+:1: error: no policy in the logs is the kit's policy `open`; in the most similar one, `PINMinLength` is 4 characters instead of 6 characters \[log\]/
        ) != nil, "\(messages)")
    }
  }

  @Test func `a device log that lacks a policy setting does not prove the policy`() {
    let log = DeviceLog.text(of: KitPolicy.open.document.settings)
      .split(separator: "\n").filter { !$0.contains("PINMinLength") }.joined(separator: "\n")
    let error = #expect(throws: FormErrors.self) {
      _ = try CompletedForm(
        Self.head + "- experiment: longer-pin\n  observed: blocked\n", file: "form.yaml",
        logs: [DiagnosticLog(Array(log.utf8), file: "device.log")])
    }
    let message = error?.diagnostics.first?.description ?? ""
    #expect(message.contains("`PINMinLength` is missing instead of 6 characters"), "\(message)")
  }

  @Test func `a device log without a setting of the Intune SDK is an error`() throws {
    do throws(FormErrors) {
      _ = try CompletedForm(
        Self.head + "- experiment: longer-pin\n  observed: blocked\n", file: "form.yaml",
        logs: [DiagnosticLog(Array("Hello\n".utf8), file: "hello.txt")])
      Issue.record("the form was accepted")
    } catch {
      #expect(
        error.diagnostics.map(\.description) == [
          "hello.txt:1:1: error: the log has no setting of the Intune App SDK; expected lines such as `AppSharingToLevel = 1` [log]"
        ])
    }
  }
}
