import Cryptography
import FileProtection
import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Tests interrupted wipes, and requests during a wipe.
  @Suite struct WipeRecoveryTests {
    @Test func `an interrupted wipe resumes when the device restarts`() throws {
      let workspace = try Workspace()
      do {
        let lab = try Lab(policy: .encrypting()) { $0.folder = workspace.path("device") }
        try lab.installForSeveralAccounts(wipe: .failed)
        lab.launch(["managed"])
        lab.work(.write, "a.txt", "canary")
        try lab.device.storage.database.markWipe(of: Lab.anna, in: "managed")
        lab.close()
      }
      let lab = try Lab(policy: .encrypting()) { $0.folder = workspace.path("device") }
      try lab.installForSeveralAccounts(nil, wipe: .failed)
      lab.wait("the wipe") { !lab.device.wipes.isWiping }
      let path = lab.device.containerPath(of: "managed") + "/a.txt"
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(try lab.device.storage.database.accounts(of: "managed").isEmpty)
      #expect(
        try lab.device.storage.database.existingAccountKey(
          of: Lab.anna, wrap: lab.device.files.wrappingKey)
          == nil)
      lab.close()
    }

    @Test func `an account cannot act or sign in while it is wiped`() throws {
      let lab = try Lab(policy: .encrypting())
      try lab.installForSeveralAccounts(wipe: .hang)
      lab.hasDeafGuests = true
      lab.launch(["managed"])
      var isDone = false
      try lab.device.wipes.wipe(Lab.anna, in: "managed") { isDone = true }
      let requests: [GuestMessage.Body] = [
        .switchIdentity(SwitchIdentity(account: Lab.anna.upn)), .signIn(account: Lab.anna.upn),
      ]
      for request in requests {
        lab.finish("an answer") { done in
          lab.device.driver.perform(request, on: "managed") { _ in done() }
        }
      }
      #expect(!isDone)
      #expect(
        lab.decisions.map(\.verdict.deciding) == [.accountBeingWiped, .accountBeingWiped])
      lab.pass(\.wipe)
      lab.wait("the wipe") { isDone }
      lab.close()
    }
  }

  /// Tests wipes of accounts in programs that behave arbitrarily.
  @Suite struct WipedProgramTests {
    @Test func `a file that a program moves during a wipe is still deleted`() throws {
      let lab = try Lab()
      try lab.install(
        executable: "\(Lab.programs)/hostile-guest", ["shuffle", "a/sealed", "b/sealed"],
        name: "hostile")
      try lab.device.accounts.presetSignIn(Lab.anna, in: "hostile")
      let container = lab.device.containerPath(of: "hostile")
      for folder in ["a", "b"] {
        try FileManager.default.createDirectory(
          atPath: "\(container)/\(folder)", withIntermediateDirectories: true)
      }
      let page = ProtectionHeader.firstPage(
        owner: Lab.anna, key: .random(),
        accountKey: AES256GCM(key: Array(repeating: 7, count: 32)))
      try Data(page).write(to: URL(fileURLWithPath: "\(container)/a/sealed"))
      lab.hasDeafGuests = true
      lab.launch(["hostile"])
      var isDone = false
      try lab.device.wipes.wipe(Lab.anna, in: "hostile") { isDone = true }
      lab.waitAsTimePasses("the end of the wipe") { isDone }
      let notes = lab.events.compactMap { event in
        if case .wipeAdvanced(_, _, "deleted", let note) = event { note } else { nil }
      }
      #expect(notes == ["1 file and 0 keychain items"])
      for folder in ["a", "b"] {
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(container)/\(folder)")
        #expect(left == [])
      }
      try lab.closeInService()
    }
  }
}

@Suite(.ownThreads) struct SelectiveWipeTests {
  typealias Action = SelectiveWipe.Action
  typealias Event = SelectiveWipe.Event

  private static let clean = FileErasure.Report()
  private static let leftovers = FileErasure.Report(listed: 2, sealed: 1, erased: 3)
  private static let crash = ExitCause.signalled(signal: 11)

  private static let delete: [Action] = [.stopWaiting, .delete]
  private static let start: [Action] = [.startGuest(within: 10_000)]
  private static let ask: [Action] = [.ask(within: 10_000)]

  /// Only an app that reported success can have been wrong about its files.
  static let courses: [([Event], [Action])] = [
    (
      [.start(.remote), .guestReady, .answered(true), .deletionFinished(clean)],
      start + ask + delete + [.finish(.succeeded)]
    ),
    (
      [.start(.remote), .guestReady, .answered(true), .deletionFinished(leftovers)],
      start + ask + delete + [.finish(.lied(files: 3))]
    ),
    (
      [.start(.conditionalLaunch), .guestReady, .answered(false), .deletionFinished(leftovers)],
      start + ask + delete + [.finish(.declined)]
    ),
    (
      [.start(.notAllowed), .guestReady, .guestExited(crash), .deletionFinished(leftovers)],
      start + ask + delete + [.finish(.crashed(crash))]
    ),
    (
      [.start(.unenrolled), .guestReady, .timedOut, .deletionFinished(leftovers)],
      start + ask + delete + [.finish(.unresponsive)]
    ),
    (
      [.start(.remote), .guestExited(.notStarted("no memory")), .deletionFinished(clean)],
      start + delete + [.finish(.notRunning)]
    ),
    (
      [.start(.remote), .timedOut, .deletionFinished(leftovers)],
      start + delete + [.finish(.notRunning)]
    ),
    (
      [.start(.signOut), .deletionFinished(leftovers)],
      [.delete, .finish(.notAsked)]
    ),
  ]

  @Test(arguments: courses)
  func `a selective wipe responds to each event sequence with the expected actions, and ends`(
    events: [Event], actions: [Action]
  ) {
    var wipe = SelectiveWipe(within: 10_000)
    #expect(events.flatMap { wipe.handle($0) } == actions)
    if case .done = wipe.state {} else { Issue.record("the wipe is \(wipe.state)") }
  }

  @Test func `an app that crashes in its wipe callback is not asked again`() {
    var wipe = SelectiveWipe(within: 10_000)
    let events: [Event] = [.start(.remote), .guestReady, .guestExited(Self.crash)]
    for event in events { _ = wipe.handle(event) }
    #expect(wipe.handle(.guestReady) == [])
    #expect(wipe.handle(.answered(true)) == [])
    #expect(wipe.handle(.deletionFinished(Self.clean)) == [.finish(.crashed(Self.crash))])
  }

  @Test func `starting a wipe of an account again does not restart the running wipe`() {
    var wipe = SelectiveWipe(within: 10_000)
    #expect(wipe.state == .requested)
    _ = wipe.handle(.start(.remote))
    for event: Event in [.guestReady, .answered(false)] {
      #expect([.starting, .asked].contains(wipe.state))
      for reason in SelectiveWipe.Reason.allCases { #expect(wipe.handle(.start(reason)) == []) }
      _ = wipe.handle(event)
    }
    #expect(wipe.handle(.start(.signOut)) == [])
    #expect(wipe.handle(.deletionFinished(Self.clean)) == [.finish(.declined)])
  }

  @Test func `every selective wipe except at sign-out first asks the app to delete the data`() {
    let asking = SelectiveWipe.Reason.allCases.filter(\.asksApp)
    #expect(
      asking == [.remote, .conditionalLaunch, .notAllowed, .unenrolled, .notCompliant, .replaced])
  }

  /// Events that may arrive in any order.
  private static let events: [Event] =
    SelectiveWipe.Reason.allCases.map { .start($0) } + [
      .guestReady, .answered(true), .answered(false), .guestExited(crash), .timedOut,
      .deletionFinished(clean), .deletionFinished(leftovers),
    ]

  /// Returns whether the host may send the event in this state. Otherwise it is a programming
  /// error, which traps.
  private static func isLegal(_ event: Event, for wipe: SelectiveWipe) -> Bool {
    switch event {
    case .deletionFinished: if case .deleting = wipe.state { true } else { false }
    case .start: if case .done = wipe.state { false } else { true }
    case .guestReady, .answered, .guestExited, .timedOut: true
    }
  }

  /// Checks the invariants of the actions so far.
  private static func isLawful(_ actions: [Action], _ wipe: SelectiveWipe) -> Bool {
    let deletions = actions.indices.filter { actions[$0] == .delete }
    let questions = actions.indices.filter { actions[$0] == .ask(within: 10_000) }
    let ends = actions.indices.filter {
      if case .finish = actions[$0] { true } else { false }
    }
    let starts = actions.count { $0 == .startGuest(within: 10_000) }
    let isOver = ends.first == actions.indices.last && ends.count == 1
    guard questions.count <= 1, deletions.count <= 1, ends.count <= 1, starts <= 1 else {
      return false
    }
    if let question = questions.first, let deletion = deletions.first, question > deletion {
      return false
    }
    if case .done(let outcome) = wipe.state {
      return isOver && actions.last == .finish(outcome) && deletions.count == 1
    }
    return ends.isEmpty
  }

  @Test func `every sequence of up to seven wipe events keeps the invariants and can finish`() {
    var ways: [(wipe: SelectiveWipe, actions: [Action])] = [
      (SelectiveWipe(within: 10_000), [])
    ]
    var sequences = 0
    for _ in 0..<7 {
      var next: [(SelectiveWipe, [Action])] = []
      for way in ways {
        for event in Self.events where Self.isLegal(event, for: way.wipe) {
          var wipe = way.wipe
          let actions = way.actions + wipe.handle(event)
          sequences += 1
          if !Self.isLawful(actions, wipe) {
            Issue.record("\(actions) in \(wipe.state) after \(event)")
            return
          }
          if !Self.ends(wipe, actions) {
            Issue.record("\(wipe.state) does not end after \(event)")
            return
          }
          // An event without effect leads to a state that is already being explored.
          if wipe.state != way.wipe.state {
            next.append((wipe, actions))
          } else {
            #expect(actions == way.actions)
          }
        }
      }
      ways = next
    }
    #expect(ways.isEmpty)
    #expect(sequences > 200)
  }

  /// Returns whether the wipe ends if no app answers and requested deletions complete.
  private static func ends(_ start: SelectiveWipe, _ soFar: [Action]) -> Bool {
    var wipe = start
    var actions = soFar
    for _ in 0..<3 {
      switch wipe.state {
      case .requested: actions += wipe.handle(.start(.remote))
      case .starting, .asked: actions += wipe.handle(.timedOut)
      case .deleting: actions += wipe.handle(.deletionFinished(leftovers))
      case .done: return isLawful(actions, wipe)
      }
    }
    if case .done = wipe.state { return isLawful(actions, wipe) }
    return false
  }

  @Test func `a wipe traps on an unexpected deletion result or a second start after its end`() async
  {
    await #expect(processExitsWith: .failure) {
      var wipe = SelectiveWipe(within: 10_000)
      _ = wipe.handle(.deletionFinished(FileErasure.Report()))
    }
    await #expect(processExitsWith: .failure) {
      var wipe = SelectiveWipe(within: 10_000)
      for event: Event in [.start(.signOut), .deletionFinished(FileErasure.Report())] {
        _ = wipe.handle(event)
      }
      _ = wipe.handle(.start(.remote))
    }
  }
}
