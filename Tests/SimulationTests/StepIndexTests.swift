import Model
import Policy
import Scenario
import SimulationSupport
import TestSupport
import Testing

@testable import Simulation

/// Compares the index by which a case's steps are found with a search from end to end.
@Suite struct StepIndexTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `the step index and a search of all steps assign requests to the same steps`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var index = StepIndex()
    var naive = NaiveSteps(count: 12)
    let guests = ["mail", "notes", "keeper#1", "keeper#2"]
    // Steps mostly begin in order. The steps of apps that must start first begin later.
    var toBegin = (0..<12).map { ($0, guests[Int.random(in: 0..<2, using: &generator)]) }
    if seed % 4 == 0 { toBegin.shuffle(using: &generator) }
    for request in 1...60 {
      if let (step, guest) = toBegin.first, Bool.random(using: &generator) {
        toBegin.removeFirst()
        index.expectRequest(of: guest, by: step)
        naive.steps[step].expected = guest
      }
      let operation = [Operation.share, .completeExtension, .universalClipboard, .copy]
        .randomElement(using: &generator)!
      let receiver = (guests + [nil]).randomElement(using: &generator)!
      let decision = Self.decision(request, operation, receiver: receiver)
      let requester = guests.randomElement(using: &generator)!
      #expect(
        index.assign(decision, of: requester) == naive.assign(decision, of: requester),
        "request \(request), \(operation) of \(requester)")
      let ended = Int.random(in: 1...request, using: &generator)
      #expect(index.owner(of: ended) == naive.owner(of: ended), "the end of \(ended)")
    }
  }

  private static func decision(
    _ request: Int, _ operation: Operation, receiver: String?
  ) -> RequestDecision {
    RequestDecision(
      request: request, operation: operation,
      receiver: receiver.map {
        Participant(guest: $0, app: "com.example", identity: nil, isManaged: false)
      },
      verdict: Explainer.explain(Verdict([Reason(.tagSealBroken, .device)])))
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `an arriving item matches all steps that wait for it, in step order`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let names = ["mail", "notes", "Keeper", "com.example.Keeper", "com.EXAMPLE.keeper"]
    let waits = (0..<30).map { _ in
      Action.ExpectedItem(
        guest: names.randomElement(using: &generator)!,
        text: [nil, "Minutes", "Agenda"].randomElement(using: &generator)!,
        type: [nil, "public.text"].randomElement(using: &generator)!,
        sender: ([nil] + names).randomElement(using: &generator)!)
    }
    var index = StepIndex(waits.map { .wait(.item($0)) })
    var open = Set(waits.indices)
    for _ in 0..<40 {
      let arrival = CaseTraffic.Arrival(
        receiver: Self.participant(&generator),
        sender: Bool.random(using: &generator) ? Self.participant(&generator) : nil,
        item: Item(
          type: ["public.text", "PUBLIC.TEXT", "public.png"].randomElement(using: &generator)!,
          name: nil,
          payload: .inline(
            [Array("Minutes".utf8), Array("Agenda".utf8), [0xFF]].randomElement(
              using: &generator)!),
          tag: nil))
      let found = index.waits(for: arrival).filter { arrival.fits(waits[$0]) }
      #expect(found == waits.indices.filter { open.contains($0) && arrival.fits(waits[$0]) })
      guard let first = found.first else { continue }
      index.remove(first, waitingFor: .item(waits[first]))
      open.remove(first)
      #expect(index.waits == open.sorted())
    }
  }

  private static func participant(_ generator: inout SeededGenerator) -> Participant {
    let name = ["mail", "notes", "Keeper", "Keeper#3"].randomElement(using: &generator)!
    let app = ["com.example.keeper", "com.example.Keeper"].randomElement(using: &generator)!
    return Participant(guest: name, app: app, identity: nil, isManaged: false)
  }

  @Test func `NumberQueue returns its numbers in ascending order`() {
    var generator = SeededGenerator(seed: 7)
    var queue = NumberQueue()
    var naive: Set<Int> = []
    for number in (0..<200).shuffled(using: &generator) {
      queue.insert(number)
      naive.insert(number)
      #expect(queue.first == naive.min())
      guard Int.random(in: 0..<3, using: &generator) == 0 else { continue }
      queue.removeFirst()
      if let least = naive.min() { naive.remove(least) }
    }
    while let number = queue.first {
      #expect(number == naive.min())
      naive.remove(number)
      queue.removeFirst()
    }
    #expect(naive.isEmpty)
    queue.removeFirst()
    #expect(queue.first == nil)
  }

  @Test func `equal decisions on one program's requests are merged into one entry with a count`() {
    var requests = OwnRequests()
    let decisions = [Operation.share, .copy].map { Self.decision(1, $0, receiver: "notes") }
    for (requester, decision) in [
      ("mail", 0), ("pad", 1), ("mail", 1), ("mail", 0), ("pad", 1), ("mail#2", 0),
    ] {
      requests.add(decisions[decision], of: requester)
    }
    let consumed = ["mail", "mail", "other"].map {
      requests.consume(Action.ExpectedDecision(guest: $0, operation: .copy))
    }
    #expect(consumed == [true, false, false])
    requests.add(decisions[1], of: "mail")
    #expect(requests.words(of: "mail").count == 2)
    let all = requests.takeAll()
    #expect(all.map(\.decision.guest) == ["mail", "pad", "mail"])
    #expect(all.map(\.decision.operation) == [.share, .copy, .copy])
    #expect(all.map(\.count) == [3, 2, 1])
    #expect(requests.takeAll().isEmpty)
  }
}

/// The steps as a list that is searched from end to end.
private struct NaiveSteps {
  struct Step {
    /// The guest that makes the step's request; nil if the step has not begun.
    var expected: String?
    var requests: [RequestDecision] = []
  }

  var steps: [Step]

  init(count: Int) { steps = Array(repeating: Step(), count: count) }

  mutating func assign(_ decision: RequestDecision, of requester: String) -> Int? {
    let found = steps.firstIndex { step in
      guard decision.operation != .universalClipboard else { return false }
      guard let first = step.requests.first else { return step.expected == requester }
      return decision.operation == .completeExtension && first.receiver?.guest == requester
    }
    if let found { steps[found].requests.append(decision) }
    return found
  }

  func owner(of request: Int) -> Int? {
    steps.firstIndex { $0.requests.contains { $0.request == request } }
  }
}

// MARK: - Work

extension RealProcesses {
  /// Tests the work of observers in fleets. The work is counted instead of timed.
  @Suite struct FleetWorkTests {
    /// A scenario in which every member of a fleet does something at the same time.
    struct Fleet: Sendable, CustomTestStringConvertible {
      let testDescription: String
      /// The lines of the step for the given number of guests.
      let step: @Sendable (Int) -> String

      /// Returns a step of each member, as parts that run concurrently.
      static func each(_ name: String, before: String = "", _ part: String) -> Fleet {
        Fleet(testDescription: name) { count in
          before + "  - concurrently:\n"
            + (1...count).map { "      - \(part.replacing("MEMBER", with: "mail-\($0)"))\n" }
            .joined()
        }
      }
    }

    private static let fleets = [
      Fleet(testDescription: "share") { _ in
        "  - share: { from: mail, to: notes, text: Figures }\n    expect: { end: delivered }\n"
      },
      .each("copy", "copy: { app: MEMBER, text: Figures }"),
      .each(
        "paste", before: "  - copy: { app: notes, text: Figures }\n", "paste: { app: MEMBER }"),
      .each("wipe", "wipe: { app: MEMBER, account: anna }"),
    ]

    @Test(arguments: fleets)
    func `the lookups of a fleet's steps grow linearly with the number of guests`(fleet: Fleet)
      throws
    {
      let few = try Self.lookups(fleet, count: 6)
      let many = try Self.lookups(fleet, count: 24)
      // A wipe makes no requests.
      #expect(few >= 6 || fleet.testDescription == "wipe")
      #expect(Double(many) <= 4.6 * Double(few), "\(few) lookups, then \(many)")
    }

    @Test func `shares by many apps to one extension are queued, and all are delivered`() throws {
      let result = try Stage().play(
        text: """
          device: { extensionsAtOnce: 2 }
          apps:
            mail: { bundle: com.contoso.mail, count: 9 }
            notes: { bundle: com.contoso.notes }
            clip: { bundle: com.contoso.notes.clip, extension: share, containingApp: notes }
          steps:
            - launch: mail
            - share: { from: mail, to: clip, text: Figures }
              expect: { end: delivered }
          """)
      expectPass(result)
      var (running, most, starts) = (0, 0, 0)
      for line in result.journals[0].split(separator: "\n") where line.contains("\"clip#") {
        if line.contains("\"guest.started\"") { (running, starts) = (running + 1, starts + 1) }
        if line.contains("\"guest.exited\"") { running -= 1 }
        most = max(most, running)
      }
      #expect(starts == 9 && most == 2 && running == 0)
    }

    @Test func `if a guest floods the device, only the first steps of a case wait for the guest`()
      throws
    {
      let workspace = try Workspace()
      try workspace.write(
        """
        app.launched(function()
          while true do app.share { to = "viewer", text = "x" } end
        end)

        """, to: "flood.lua")
      let shares = (1...8).map { "  - share: { from: mail, to: viewer, text: Figures \($0) }\n" }
      let file = try workspace.write(
        """
        name: Flood
        apps:
          mail: { bundle: com.contoso.mail }
          viewer: { bundle: org.example.viewer }
          flood: { bundle: org.example.flood, executable: flood.lua }
        steps:
          - launch: [mail, viewer, flood]

        """ + shares.joined(), to: "scenario.yaml")
      let run = try Self.run(file, in: workspace)
      // The machine determines how soon the flood is noticed.
      #expect(run.timedOutWaits < 9)
    }

    /// Runs the fleet's step with `count` members.
    private static func lookups(_ fleet: Fleet, count: Int) throws -> Int {
      let text = """
        name: Fleet
        accounts:
          anna: { upn: anna@contoso.com, tenant: contoso.com }
        policies:
          base:
            json: { displayName: Base, printBlocked: true }
            assign: [{ account: anna, apps: [com.contoso.mail, com.contoso.notes] }]
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, count: \(count), signedIn: [anna] }
          notes: { bundle: com.contoso.notes, sdk: true, signedIn: [anna] }
        steps:
          - launch: [mail, notes]

        """
      let workspace = try Workspace()
      let file = try workspace.write(text + fleet.step(count), to: "scenario.yaml")
      return try Self.run(file, in: workspace).lookups
    }

    /// Runs the only case of a scenario, whose steps must not fail.
    private static func run(_ file: String, in workspace: Workspace) throws -> CaseRun {
      let settings = RunSettings(
        programs: .installed(in: Repository.programs), folder: workspace.path("device"))
      let prepared = try ScenarioRun(settings).prepare(ScenarioFiles.read(file))
      let run = try CaseRun(
        prepared.cases[0], of: prepared.devices, settings, folder: settings.folder)
      let recording = try run.run()
      for event in recording.events {
        if case .stepFailed(let step, let why) = event.kind {
          Issue.record("step \(step): \(why)")
        }
      }
      return run
    }
  }
}
