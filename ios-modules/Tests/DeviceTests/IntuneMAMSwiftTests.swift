import Testing

/// Tests the SDK's callbacks to an app, their threads, and the SDK's handling of the answers. The
/// tests run real devices and processes, for which `make` must have built `bin/sluice`.
@Suite(.serialized) struct IntuneMAMSwiftTests {
  private let anna = "3ec2c00f-b125-4519-acf0-302ac3761822"

  @Test func `an enrollment is reported on a background thread, policy changes on the main thread`()
    throws
  {
    let run = try ProbeRun("plain")
    #expect(run.status == 0, "\(run.report)")
    #expect(run.lines.first == "launched [main]")
    #expect(run.lines.contains("enrollment \(anna) 100 - [background]"))
    #expect(run.lines.contains("IntuneMAMPolicyDidChangeNotification \(anna) [main]"))
  }

  @Test func `an enrollment callback can query the device synchronously`() throws {
    let run = try ProbeRun("curious", limits: [3, 7])
    #expect(run.status == 0, "\(run.report)")
    for line in [
      "managed [\"\(anna)\"] primary \(anna)", "enrolled \(anna)", "local drive Optional(false)",
      "pin Optional(true) encrypted Optional(false)", "limit 3 conflict true",
      "protected true owner \(anna)", "restored true", "scope \(anna)",
      "file encrypted true on disk true owner \(anna)",
    ] {
      #expect(run.lines.contains("\(line) [background]"), "\(run.lines)")
    }
  }

  @Test func `an enrollment call in an app without the SDK is traced as refused`() throws {
    let run = try ProbeRun("plain", with: .none)
    #expect(run.lines.contains("`registerAndEnrollAccountId(_:)` is refused: appWithoutSDK"))
    #expect(!run.lines.contains { $0.hasPrefix("enrollment") })
  }

  @Test func `a released enrollment delegate is reported in the trace`() throws {
    let run = try ProbeRun("losing")
    #expect(!run.lines.contains { $0.hasPrefix("enrollment") })
    #expect(
      run.lines.contains { $0.hasPrefix("the enrollment delegate was deallocated") },
      "\(run.lines)")
  }

  @Test func `a wipe calls the app's handler and posts wipeDidComplete`() throws {
    let run = try ProbeRun("plain", "wipe: { app: probe, account: anna }")
    #expect(run.status == 0, "\(run.report)")
    #expect(run.lines.contains("wipe \(anna) [background]"))
    #expect(run.lines.contains("IntuneMAMWipeDidCompleteNotification \(anna) [main]"))
  }

  @Test func `a policy change posts IntuneMAMPolicyDidChangeNotification on the main thread`()
    throws
  {
    let run = try ProbeRun("plain", "assign: { account: anna, policy: relaxed }")
    #expect(run.status == 0, "\(run.report)")
    let changes = run.lines.filter { $0.hasPrefix("IntuneMAMPolicyDidChangeNotification") }
    #expect(
      changes == Array(repeating: "IntuneMAMPolicyDidChangeNotification \(anna) [main]", count: 2))
  }

  @Test func `an unimplemented optional delegate method is skipped`() throws {
    let run = try ProbeRun(
      "silent", "{ askApp: { app: probe, to: add, account: anna }, expect: { accepted: false } }",
      "wipe: { app: probe, account: anna }")
    #expect(run.status == 0, "\(run.report)")
    #expect(!run.lines.contains { $0.hasPrefix("add") || $0.hasPrefix("wipe ") })
  }

  @Test func `only the first call of an SDK completion handler counts`() throws {
    let run = try ProbeRun(
      "twice", "{ askApp: { app: probe, to: add, account: anna }, expect: { accepted: true } }")
    #expect(run.status == 0, "\(run.report)")
    #expect(
      run.lines.contains("`addAccountId(_:completionHandler:)` called its completion handler twice")
    )
  }

  @Test func `a delegate that drops its completion handler has declined the request`() throws {
    let run = try ProbeRun(
      "never", "{ askApp: { app: probe, to: add, account: anna }, expect: { accepted: false } }")
    #expect(run.status == 0, "\(run.report)")
    #expect(
      run.lines.contains(
        "`addAccountId(_:completionHandler:)` dropped its completion handler without calling it"))
  }

  @Test func `an app that does not implement blockAccountId is asked to switch identity`() throws {
    let run = try ProbeRun(
      "switching",
      "{ askApp: { app: probe, to: block, account: anna }, expect: { accepted: true } }")
    #expect(run.status == 0, "\(run.report)")
    #expect(run.lines.contains("switch to nobody for cancelConditionalLaunch [main]"))
    #expect(!run.lines.contains { $0.contains("dropped") })
  }

  @Test func `a delegate that forwards a call counts as implementing the method`() throws {
    let run = try ProbeRun(
      "forwarding",
      "{ askApp: { app: probe, to: add, account: anna }, expect: { accepted: true } }")
    #expect(run.status == 0, "\(run.report)")
  }

  @Test func `an object that only a completion handler retains can query the device in its deinit`()
    throws
  {
    for _ in 0..<10 {
      let run = try ProbeRun("parting", "wait: idle", "log: probe")
      #expect(run.status == 0, "\(run.report)")
      #expect(run.lines.contains { $0.hasPrefix("parted from 1") }, "\(run.lines)")
    }
  }

  @Test func `a blocked main thread is reported with its duration`() throws {
    let run = try ProbeRun("slow", "askApp: { app: probe, to: add, account: anna }")
    #expect(run.status == 0, "\(run.report)")
    #expect(
      run.lines.contains {
        $0.hasPrefix("`an observer of policyDidChange` blocked the main thread for ")
          && $0.hasSuffix(" seconds")
      }, "\(run.lines)")
  }

  @Test func `a URL is opened on the main thread with its sender's name`() throws {
    let run = try ProbeRun("plain", "openURL: { from: notes, url: \"probe:compose\" }")
    #expect(run.status == 0, "\(run.report)")
    #expect(
      run.lines.contains("opened probe:compose from org.example.notes for - [main]"), "\(run.lines)"
    )
  }

  @Test func `an item that is shared with an app is opened as a file`() throws {
    let run = try ProbeRun("plain", "share: { from: notes, to: probe, text: Lunch }")
    #expect(run.status == 0, "\(run.report)")
    #expect(
      run.lines.contains("opened item.txt from org.example.notes for - [main]"), "\(run.lines)")
  }

  @Test func `the MDM configuration is in UserDefaults, and changes notify the app`() throws {
    let run = try ProbeRun(
      "configured", "configure: { app: probe, configuration: { server: a.example } }",
      "configure: { app: probe, configuration: { server: b.example } }", "stop: probe",
      "launch: probe", "configure: { app: probe, configuration: {} }")
    #expect(run.status == 0, "\(run.report)")
    #expect(
      run.lines.filter { $0.hasPrefix("server") }
        == ["-", "a.example", "b.example", "b.example", "-"].map { "server \($0) [main]" },
      "\(run.lines)")
  }

  @Test func `a new sign-in after a sign-out is reported as a second enrollment`() throws {
    let run = try ProbeRun(
      "curious", "signOut: { app: probe, account: anna }", "signIn: { app: probe, account: anna }")
    #expect(run.status == 0, "\(run.report)")
    #expect(run.lines.filter { $0 == "enrolled \(anna) [background]" }.count == 2)
  }

  // MARK: MDM's configuration

  @Test func `a configuration for managed devices reaches the user defaults`() throws {
    let run = try ProbeRun(
      "configured", isEnrolled: true,
      configurations: """
          server:
            json:
              "@odata.type": "#microsoft.graph.iosMobileAppConfiguration"
              displayName: Server
              settings:
                - { appConfigKey: server, appConfigKeyType: stringType, appConfigKeyValue: a.example }
            assign: [{ account: anna, apps: [org.example.probe.configured] }]

        """,
      steps: [
        "assignConfiguration: { account: anna }",
        "assignConfiguration: { account: anna, configuration: server }",
        // A configuration that a step sets takes precedence.
        "configure: { app: probe, configuration: { server: b.example } }",
        "configure: { app: probe, configuration: {} }",
      ])
    #expect(run.status == 0, "\(run.report)")
    #expect(
      run.lines.filter { $0.hasPrefix("server") }
        == ["a.example", "-", "a.example", "b.example", "a.example"].map { "server \($0) [main]" },
      "\(run.lines) \(run.report)")
  }

  /// Declarations that configure the probe app.
  private func declarations(server: String, in folder: String) -> [String: String] {
    [
      "\(folder)/all.json": """
      [
        { "Type": "com.apple.asset.data", "Identifier": "data", "ServerToken": "\(server)",
          "Payload": { "Reference": { "DataURL": "data.plist", "ContentType": "application/plist" } } },
        { "Type": "com.apple.configuration.app.managed", "Identifier": "probe", "ServerToken": "\(server)",
          "Payload": {
            "BundleID": "org.example.probe.configured",
            "InstallBehavior": { "Install": "Required", "License": { "Assignment": "Device" } },
            "LegacyAppConfigAssetReference": "data" } },
        { "Type": "com.apple.activation.simple", "Identifier": "all", "ServerToken": "1",
          "Payload": { "StandardConfigurations": ["probe"] } }
      ]
      """,
      "\(folder)/data.plist": """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>server</key><string>\(server)</string></dict></plist>
      """,
    ]
  }

  @Test func `app configurations in declarations reach the app's user defaults`() throws {
    let run = try ProbeRun(
      "configured", isEnrolled: true,
      files: declarations(server: "a.example", in: "first")
        .merging(declarations(server: "b.example", in: "second")) { $1 },
      steps: ["declarations: first", "declarations: second", "declarations: none"])
    #expect(run.status == 0, "\(run.report)")
    #expect(
      run.lines.filter { $0.hasPrefix("server") }
        == ["-", "a.example", "b.example", "-"].map { "server \($0) [main]" },
      "\(run.lines) \(run.report)")
  }

  // MARK: Consistent account state

  /// A pseudorandom number generator with a seed (SplitMix64).
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }
  }

  /// Returns the steps of a random walk. Each step changes the state of an account.
  private func walk(_ seed: UInt64, _ count: Int) -> [String] {
    let assignments = [", policy: base", ", policy: relaxed", ", policy: relaxed", ""]
    var numbers = Numbers(state: seed)
    return (0..<count).map { _ in
      let (name, upn) =
        Bool.random(using: &numbers) ? ("anna", "anna@contoso.com") : ("bob", "bob@example.org")
      return switch Int.random(in: 0..<10, using: &numbers) {
      case 0: "signIn: { app: probe, account: \(name) }"
      case 1, 2: "openURL: { from: notes, url: 'probe:register/\(upn)' }"
      case 3: "openURL: { from: notes, url: 'probe:login/\(upn)' }"
      case 4: "openURL: { from: notes, url: 'probe:unenroll/\(upn)' }"
      case 5: "openURL: { from: notes, url: 'probe:leave/\(upn)' }"
      case 6: "assign: { account: anna\(assignments.randomElement(using: &numbers) ?? "") }"
      case 7: "checkIn: { app: probe, account: \(name) }"
      case 8: "wipe: { app: probe, account: \(name) }"
      default:  // open: the last number
        "relaunch: probe"
      }
    }
  }

  /// After each step, the app prints the SDK's view of its accounts. A second run of the same steps expects the
  /// same state of the device.
  @Test(arguments: UInt64(1)...3)
  func `the device and the SDK agree after every step of a random walk`(seed: UInt64) throws {
    let first = "openURL: { from: notes, url: 'probe:register/anna@contoso.com' }"
    let steps = [first] + walk(seed, 40)
    let look = { (number: Int) in "openURL: { from: notes, url: 'probe:look/\(number)' }" }
    let run = try ProbeRun("walking", steps: steps.indices.flatMap { [steps[$0], look($0)] })
    #expect(run.status == 0, "\(run.report)")
    let told = run.lines.filter { $0.hasPrefix("look ") }
    try #require(told.count == steps.count, "\(run.report) \(run.lines)")
    let enrolled = told.count { !$0.contains(" enrolled []") }
    #expect(1..<steps.count ~= enrolled, "the walk enrolls no account, or unenrolls none")
    let ids = ["anna": anna, "bob": "bob@example.org"]
    var expecting: [String] = []
    for (number, line) in told.enumerated() {
      try #require(line.hasPrefix("look \(number) registered ["), "\(line)")
      let parts = line.components(separatedBy: " enrolled ")
      expecting.append(steps[number])
      for (name, id) in ids.sorted(by: { $0.key < $1.key }) {
        let isEnrolled = parts[1].contains("\"\(id)\"")
        let isRegistered = parts[0].contains("\"\(id)\"")
        #expect(!isEnrolled || isRegistered, "seed \(seed), \(line)")
        #expect(!isEnrolled || !parts[1].contains("primary -"), "seed \(seed), \(line)")
        let state = isEnrolled ? "enrolled" : isRegistered ? "waiting" : "unregistered"
        expecting.append(
          "{ enrollmentState: { app: probe, account: \(name) }, expect: { state: \(state) } }")
      }
    }
    let second = try ProbeRun("walking", steps: expecting)
    #expect(second.status == 0, "seed \(seed): \(second.report)")
  }
}
