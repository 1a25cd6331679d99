import Testing

/// What a user does with what an app shows, by steps of a scenario. Real devices and real processes: `make` builds
/// `bin/sluice`.
@Suite(.serialized) struct UserTests {
  private let anna = "3ec2c00f-b125-4519-acf0-302ac3761822"

  /// A step with which another app opens a URL that has the probe show something.
  private func show(_ what: String) -> String {
    "openURL: { from: notes, url: \"probe:\(what)\" }"
  }

  @Test func `a tap runs the handler of the button`() throws {
    let run = try ProbeRun(
      "showing", show("alert"), "tap: { app: probe, button: Remove, alert: Remove? }")
    #expect(run.status == 0, "\(run.report)")
    #expect(run.lines.contains("tapped Remove [main]"), "\(run.lines)")
  }

  @Test func `what is not shown cannot be answered`() throws {
    let run = try ProbeRun(
      "showing", show("alert"), "tap: { app: probe, button: Forget }", "cancel: probe",
      "tap: { app: notes, button: OK }")
    #expect(run.status == 1)
    for line in [
      "the alert in front has no button `Forget`; it is the alert `Remove?`; buttons: `Remove`, `Keep`",
      "the app shows no share sheet or document picker; in front is the alert `Remove?`; buttons: `Remove`, `Keep`, which `tap` answers",
      "`notes` is run by the ready-made guest, which shows nothing",
    ] {
      #expect(run.report.contains(line), "\(run.report)")
    }
  }

  @Test func `what is chosen in a share sheet is decided, and the app hears how it ended`() throws {
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

  @Test func `a document is picked where the policy allows it, and belongs to its account`() throws
  {
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
        "the document picker offers `public.plain-text`, and no `com.adobe.pdf`"), "\(run.report)")
    #expect(
      run.report.contains("there is no document at `oneDriveForBusiness` of `anna@contoso.com`"),
      "\(run.report)")
  }

  @Test func `what is exported goes to the picked place, where the policy allows it`() throws {
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

  @Test func `an app hears that it leaves the screen before it is suspended, and that it is back`()
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

  @Test func `a share says what the user of an extension taps, one alert after the other`() throws {
    let run = try ProbeRun(
      "plain",
      "{ share: { from: notes, to: asking, text: Lunch, taps: [Save, Here] }, expect: { end: delivered } }",
      "{ log: asking, expect: { said: saved here } }")
    #expect(run.status == 0, "\(run.report)")
  }

  @Test func `a button that an extension never shows fails the share`() throws {
    let run = try ProbeRun(
      "plain",
      "{ share: { from: notes, to: asking, text: Lunch, taps: [Cancel, Here] }, expect: { end: failed } }"
    )
    #expect(run.status == 1)
    #expect(
      run.report.contains(
        "the user of `asking` cannot tap `Here`: `asking#1` stopped when asked, and has shown no alert for it"
      ),
      "\(run.report)")
  }

  @Test func `a user who does not find the button closes the extension`() throws {
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

  // MARK: launches

  /// The lines of the launch by `opening`, a step that finds the app stopped.
  private func relaunch(_ habit: String, _ opening: String) throws -> ArraySlice<String> {
    let run = try ProbeRun(habit, "log: probe", "stop: probe", opening)
    #expect(run.status == 0, "\(run.report)")
    let lines = run.lines.filter { !$0.contains("Intune") && !$0.hasPrefix("enrollment") }
    let start = try #require(lines.lastIndex(of: "launched [main]"), "\(lines)")
    return lines[(start + 1)...]
  }

  @Test func `an app is told with its launch what it is launched to open, and then to open it`()
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

  @Test func `a scene is told by its connection alone what the app is launched to open`() throws {
    // The delegate is told, too: no property list says beforehand that the app has scenes.
    #expect(
      try relaunch("scenic", show("a")) == [
        "launched to open probe:a from org.example.notes [main]",
        "connects to open [\"probe:a for -\"] from org.example.notes [main]", "scene active [main]",
      ])
    let run = try ProbeRun("scenic", show("b"))
    #expect(run.lines.contains("opened probe:b in the scene [main]"), "\(run.lines)")
  }

  @Test func `what a scene does not look for is lost, and said so`() throws {
    let run = try ProbeRun("blind", "log: probe", "stop: probe", show("a"))
    #expect(run.lines.contains("connects [main]"))
    #expect(!run.lines.contains { $0.hasPrefix("opened") })
    // What an app logs and what it prints go different ways, and have no order between them.
    #expect(
      run.lines.contains {
        $0.hasPrefix("the app was launched to open `probe:a`")
          && $0.contains("connectionOptions.urlContexts")
      }, "\(run.lines)")
  }

  @Test func `a step waits for a line that the app writes`() throws {
    let run = try ProbeRun(
      "showing", "wait: { said: { app: probe, text: \"acts for \(anna)\" } }", show("alert"),
      "wait: { said: { app: probe, text: the app shows an alert } }")
    #expect(run.status == 0, "\(run.report)")
  }
}
