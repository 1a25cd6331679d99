import Testing

/// Tests user actions on an app's prompts, which steps of a scenario perform. The tests run real
/// devices and processes, for which `make` must have built `bin/sluice`.
@Suite(.serialized) struct UserTests {
  private let anna = "3ec2c00f-b125-4519-acf0-302ac3761822"

  /// Returns a step in which another app opens a URL. The URL makes the probe show a prompt.
  private func show(_ what: String) -> String {
    "openURL: { from: notes, url: \"probe:\(what)\" }"
  }

  @Test func `a tap runs the button's handler`() throws {
    let run = try ProbeRun(
      "showing", show("alert"), "tap: { app: probe, button: Remove, alert: Remove? }")
    #expect(run.status == 0, "\(run.report)")
    #expect(run.lines.contains("tapped Remove [main]"), "\(run.lines)")
  }

  @Test func `answering a prompt that the app does not show is an error`() throws {
    let run = try ProbeRun(
      "showing", show("alert"), "tap: { app: probe, button: Forget }", "cancel: probe",
      "tap: { app: notes, button: OK }")
    #expect(run.status == 1)
    for line in [
      "the alert in front has no button `Forget`; it is the alert `Remove?`; buttons: `Remove`, `Keep`",
      "the app shows no sign-in, share sheet or document picker; in front is the alert `Remove?`; buttons: `Remove`, `Keep`, which `tap` answers",
      "`notes` is run by the ready-made guest, which has no user interface",
    ] {
      #expect(run.report.contains(line), "\(run.report)")
    }
  }

  @Test func `a share sheet choice is decided by the device and reported to the app`() throws {
    let run = try ProbeRun(
      "showing", show("share"),
      "{ chooseActivity: { app: probe, to: notes }, expect: { verdict: blocked, decidedBy: sendManagedAppsToUnmanaged } }",
      "assign: { account: anna, policy: relaxed }", show("share"),
      "{ chooseActivity: { app: probe, to: notes }, expect: { end: delivered, received: Lunch } }",
      show("share"), "cancel: probe")
    #expect(run.status == 0, "\(run.report)")
    for line in [
      "shared with org.example.notes false [main]", "shared with org.example.notes true [main]",
      "shared with nobody false [main]",
    ] {
      #expect(run.lines.contains(line), "\(run.lines)")
    }
  }

  @Test func `a sign-in can be dismissed`() throws {
    let run = try ProbeRun(
      "showing", show("signIn"), "cancel: probe", show("signIn"), "cancel: probe")
    #expect(run.status == 0, "\(run.report)")
    #expect(run.lines.filter { $0.hasPrefix("signed in") }.count == 2, "\(run.lines)")
    #expect(run.lines.contains("signed in as nobody [main]"), "\(run.lines)")
  }

  @Test func `a document is picked if the policy allows it, and keeps its owner`() throws {
    let run = try ProbeRun(
      "showing", show("pick"),
      "pickDocument: { app: probe, file: { name: lunch.txt, text: Lunch } }", show("pick"),
      "{ pickDocument: { app: probe, location: oneDriveForBusiness, account: anna, text: Figures }, expect: { verdict: allowed } }",
      show("pick"),
      "pickDocument: { app: probe, file: { name: lunch.pdf, text: Lunch }, type: com.adobe.pdf }",
      "pickDocument: { app: probe, location: oneDriveForBusiness, account: anna }")
    for line in [
      "picked lunch.txt of nobody [main]", "picked item.txt of \(anna) [main]",
      "picked nothing [main]",
    ] {
      #expect(run.lines.contains(line), "\(run.lines) \(run.report)")
    }
    #expect(
      run.report.contains(
        "the document picker offers `public.plain-text`, but not `com.adobe.pdf`"), "\(run.report)")
    #expect(
      run.report.contains("there is no document at `oneDriveForBusiness` of `anna@contoso.com`"),
      "\(run.report)")
  }

  @Test func `a document is exported to the picked location if the policy allows it`() throws {
    let run = try ProbeRun(
      "showing", show("export"),
      "{ pickDocument: { app: probe, location: dropbox, account: anna }, expect: { verdict: blocked } }",
      "assign: { account: anna, policy: relaxed }", show("export"),
      "{ pickDocument: { app: probe, location: dropbox, account: anna }, expect: { end: delivered } }"
    )
    #expect(run.status == 0, "\(run.report)")
    let picks = run.lines.filter { $0.hasPrefix("picked") }
    #expect(picks.map { $0.hasPrefix("picked nothing") } == [true, false], "\(run.lines)")
  }

  @Test func `an app is notified before suspension and after resumption`()
    throws
  {
    let run = try ProbeRun("showing", "suspend: probe", "resume: probe")
    #expect(run.status == 0, "\(run.report)")
    #expect(
      run.lines.filter {
        !$0.contains("Intune") && !$0.hasPrefix("enrollment") && !$0.hasPrefix("acts")
      } == [
        "launched [main]", "active [main]", "resigns active [main]",
        "in the background true [main]", "comes back [main]", "active [main]",
      ], "\(run.lines)")
  }

  @Test func `a share can tap buttons of an extension's alerts in sequence`() throws {
    let run = try ProbeRun(
      "plain",
      "{ share: { from: notes, to: asking, text: Lunch, taps: [Save, Here] }, expect: { end: delivered } }",
      "{ log: asking, expect: { said: [saved here, chain has the application true, context opened false] } }"
    )
    #expect(run.status == 0, "\(run.report)")
  }

  @Test func `a share fails if its extension exits before a listed button is tapped`() throws {
    let run = try ProbeRun(
      "plain",
      "{ share: { from: notes, to: asking, text: Lunch, taps: [Cancel, Here] }, expect: { end: failed } }"
    )
    #expect(run.status == 1)
    #expect(
      run.report.contains(
        "the user of `asking` cannot tap `Here`: `asking#1` stopped on request, and has shown no alert"
      ),
      "\(run.report)")
  }

  @Test func `a share fails if the extension's alert lacks the listed button`() throws {
    let run = try ProbeRun(
      "plain",
      "{ share: { from: notes, to: asking, text: Lunch, taps: Send }, expect: { end: failed } }")
    #expect(run.status == 1)
    #expect(
      run.report.contains(
        "the user of `asking` cannot tap `Send`: the alert in front has no button `Send`; it is the alert `Save?`"
      ), "\(run.report)")
    #expect(!run.report.contains("no answer in time"), "\(run.report)")
  }

  // MARK: Launches

  /// Returns the output lines of a launch.
  ///
  /// - Parameter opening: A step that finds the app stopped and launches it.
  private func relaunch(_ habit: String, _ opening: String) throws -> ArraySlice<String> {
    let run = try ProbeRun(habit, "log: probe", "stop: probe", opening)
    #expect(run.status == 0, "\(run.report)")
    let lines = run.lines.filter { !$0.contains("Intune") && !$0.hasPrefix("enrollment") }
    let start = try #require(lines.lastIndex(of: "launched [main]"), "\(lines)")
    return lines[(start + 1)...]
  }

  @Test func `an app receives its launch options, then the content to open`()
    throws
  {
    #expect(
      try relaunch("plain", show("a")) == [
        "launched to open probe:a from org.example.notes [main]",
        "opened probe:a from org.example.notes for - [main]", "active [main]",
      ])
    #expect(
      try relaunch("plain", "share: { from: notes, to: probe, file: { name: a.txt, text: Lunch } }")
        == [
          "launched to open a.txt from org.example.notes [main]",
          "opened a.txt from org.example.notes for - [main]", "active [main]",
        ])
  }

  @Test func `a scene receives launch content in its connection options`() throws {
    // The app delegate is also called, because no property list declares the scenes.
    #expect(
      try relaunch("scenic", show("a")) == [
        "launched to open probe:a from org.example.notes [main]",
        "connects to open [\"probe:a for -\"] from org.example.notes [main]", "scene active [main]",
      ])
    let run = try ProbeRun("scenic", show("b"))
    #expect(run.lines.contains("opened probe:b in the scene [main]"), "\(run.lines)")
  }

  @Test func `launch content that a scene ignores is reported as lost`() throws {
    let run = try ProbeRun("blind", "log: probe", "stop: probe", show("a"))
    #expect(run.lines.contains("connects [main]"))
    #expect(!run.lines.contains { $0.hasPrefix("opened") })
    // Logged and printed lines use different channels, so their relative order is undefined.
    #expect(
      run.lines.contains {
        $0.hasPrefix("the app was launched to open `probe:a`")
          && $0.contains("connectionOptions.urlContexts")
      }, "\(run.lines)")
  }

  @Test func `a step waits for a line of the app's output`() throws {
    let run = try ProbeRun(
      "showing", "wait: { said: { app: probe, text: \"acts for \(anna)\" } }", show("alert"),
      "wait: { said: { app: probe, text: the app shows an alert } }")
    #expect(run.status == 0, "\(run.report)")
  }

  @Test func `a view controller's presentation flags are set when it is presented and dismissed`()
    throws
  {
    let run = try ProbeRun("showing", show("sheet"))
    #expect(run.lines.contains("presented true false [main]"), "\(run.lines)")
    #expect(run.lines.contains("dismissed false true [main]"), "\(run.lines)")
  }

  @Test func `an app without scenes in its property list has a window scene`() throws {
    let run = try ProbeRun("showing", show("scene"))
    #expect(run.lines.contains("scene of the window true [main]"), "\(run.lines)")
  }
}
