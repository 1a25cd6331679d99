internal import Analysis
internal import Dispatch
internal import Encodings
internal import GraphDocuments
internal import Model
internal import Output
internal import PageServer
internal import Policy
internal import Scenario
internal import Synchronization

// Trying an answer on a running device: the device gets the draft as one of its policies, and its apps carry out the
// flow.

/// The verdicts that a device has given on the flows of drafts, and the drafts that are on the device.
struct Tries: Sendable {
  let device: String
  /// The drafts on the device, keyed by the name of the replaced policy.
  var applied: [String: Applied] = [:]
  /// The number of draft files written so far.
  var fileCount = 0
  private var answers: [Flow: Answer] = [:]

  init(device: String) { self.device = device }

  /// A draft that replaces a policy on the device.
  struct Applied: Sendable {
    /// The file that the device has read.
    var file: String
    var bytes: [UInt8]
    /// The file with the settings that a step had saved for the policy before the first draft replaced it. Nil if the
    /// policy had the scenario's settings.
    var previous: String?
  }

  struct Answer: Sendable {
    /// The settings of the draft. The answer applies to these settings only.
    var settings: Settings
    var outcome: Outcome
  }

  private struct Flow: Hashable {
    var policy: Workbench.PolicyIndex
    var scene: Scene
  }

  mutating func add(
    _ answer: Answer, to scene: Scene, of policy: Workbench.PolicyIndex
  ) {
    answers[Flow(policy: policy, scene: scene)] = answer
  }

  /// Returns the answers for a policy with these settings, keyed by flow.
  fileprivate func answers(
    of policy: Workbench.PolicyIndex, under settings: Settings
  ) -> [Scene: Answer] {
    let known = answers.filter { $0.key.policy == policy && $0.value.settings == settings }
    return Dictionary(
      known.map { ($0.key.scene, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Writes the device's name, and the names of its policies that drafts have replaced.
  func write(to writer: inout JSONWriter) {
    writer.object("device") { writer in
      writer.member("name", device)
      writer.strings("applied", applied.keys.sorted())
    }
  }
}

extension Workbench {
  /// Returns the device's answers for a policy with its current settings, keyed by flow.
  func triedAnswers(_ index: PolicyIndex) -> [Scene: Tries.Answer] {
    tries?.answers(of: index, under: document(index).settings) ?? [:]
  }

  /// A computed answer that the device is asked to check.
  struct Question: Sendable {
    var policy: PolicyIndex
    var title: String
    /// The flow in each device state in which it has this answer.
    var scenes: [Scene]
    var settings: Settings
    var computed: Outcome
    /// The rule that decides the computed answer.
    var rule: Rule
    /// The content of a file with the policy. ``name`` is the file's name.
    var draft: [UInt8]
    var name: String
  }

  /// Returns the computed answer in a cell as a question to the device.
  ///
  /// - Throws: ``StudioSession/BadRequest`` if there is no such cell, ``StudioSession/Refusal`` if the draft is
  ///   invalid.
  func question(of cell: Cell, in index: PolicyIndex) throws -> Question {
    guard let (scene, name) = found(cell, of: index),
      let answer = comparison(index).answers(cell.section, cell.row, cell.column)?
        .first(where: { $0.states.contains(cell.state) })
    else { throw StudioSession.BadRequest() }
    let draft = drafts[index.draft]
    guard let bytes = draft.bytes(ofPolicy: index.policy) else {
      throw StudioSession.Refusal(message: "the draft of `\(draft.file)` is not a valid policy")
    }
    return Question(
      policy: index, title: "\(name), \(cell.state.title)",
      scenes: answer.states.map { state in
        var scene = scene
        scene.device = DeviceCondition(state)
        return scene
      }, settings: document(index).settings, computed: answer.after.outcome,
      rule: answer.after.reason.rule, draft: bytes,
      name: draft.file.split(separator: "/").last.map(String.init) ?? "policy.json")
  }
}

// MARK: - Requests

/// A request from the page that is about the device.
enum DeviceRequest: String, CaseIterable {
  /// Asks whether the device's apps can carry out the flow of a cell, and for the steps and their effects.
  case device
  case `try`
  case putBack
}

extension StudioSession {
  /// The routes of requests about the device. The requests are answered in sequence on a separate thread, because they
  /// wait for the device.
  var deviceRoutes: [PageRoute] {
    guard device != nil else { return [] }
    let queue = DispatchQueue(label: "device")
    return DeviceRequest.allCases.map { request in
      PageRoute(.post, request.rawValue) { [self] received in
        queue.async { [self] in
          guard received.isConnected else { return received.refuse(.conflict) }
          if let text = answer(request, received.body) {
            received.answer(text)
          } else {
            received.refuse(.badRequest)
          }
        }
      }
    }
  }

  /// Returns the answer to a request; nil if the page would not make it. Blocks until the device has answered.
  func answer(_ request: DeviceRequest, _ body: [UInt8]) -> String? {
    guard let device, let body = try? JSONReader.read(body) else { return nil }
    do {
      switch request {
      case .device: return try look(at: device, body)
      case .try: return try tryOut(on: device, body)
      case .putBack: return try putBack(on: device, body)
      }
    } catch let refusal as Refusal {
      return JSONWriter.objectLine { $0.member("error", refusal.message) }
    } catch {
      return nil
    }
  }

  private func question(_ body: JSONValue) throws -> Workbench.Question {
    let cell = try Self.cell(body)
    return try workbench.withLock { workbench in
      guard let number = body["policy"]?.int, workbench.policies.indices.contains(number) else {
        throw BadRequest()
      }
      guard body["revision"]?.int == workbench.revision else {
        throw Refusal(message: "another page has changed the draft; select the answer again")
      }
      return try workbench.question(of: cell, in: workbench.policies[number])
    }
  }

  private var tries: Tries? { workbench.withLock { $0.tries } }

  /// Returns the device's policy that the draft is to replace.
  ///
  /// - Parameter name: The chosen policy. If nil, the first of these that exists: the policy with the draft's file
  ///   name, the first policy that protects an account, and the first policy.
  private static func policy(
    called name: String?, for question: Workbench.Question, on facts: DeviceFacts
  ) throws(Refusal) -> DeviceFacts.Policy {
    guard !facts.isTenant else {
      throw Refusal(
        message:
          "an export assigns the device's policies; only a policy that a scenario states can be replaced"
      )
    }
    guard let first = facts.policies.first else {
      throw Refusal(message: "the device's scenario states no policy that the draft could replace")
    }
    guard let name else {
      return facts.policies.first {
        $0.file?.split(separator: "/").last.map(String.init) == question.name
      } ?? facts.policies.first { facts.isProtecting($0.name) } ?? first
    }
    guard let chosen = facts.policies.first(where: { $0.name == name }) else {
      throw Refusal(message: "the device has no policy `\(name)`")
    }
    return chosen
  }

  /// Returns whether and how the device's apps can carry out the flow of a cell, as JSON with a final line break.
  private func look(at device: StudioDevice, _ body: JSONValue) throws -> String {
    let question = try question(body)
    let facts = try device.facts()
    var reason: String?
    var policy: DeviceFacts.Policy?
    var plan: TryPlan?
    do {
      policy = try Self.policy(called: body["replacing"]?.string, for: question, on: facts)
      plan = try policy.map { try TryPlan(question.scenes, on: facts, under: $0.name) }
    } catch let refusal as Refusal {
      reason = refusal.message
    } catch let obstacle as TryPlan.Obstacle {
      reason = obstacle.text
    }
    return JSONWriter.objectLine { writer in
      writer.member("reason", reason)
      guard let policy else { return }
      writer.strings("policies", facts.policies.map(\.name))
      writer.member("policy", policy.name)
      guard let plan else { return }
      let hasDraft = self.hasDraft(question, as: policy)
      writer.strings(
        "effects",
        [
          hasDraft
            ? "Its policy \(policy.name) already is the draft."
            : "Its policy \(policy.name) becomes the draft, for all accounts that have the policy."
        ] + plan.effects)
      writer.strings("steps", plan.actions)
    }
  }

  /// Returns whether the device already has the question's draft in place of `policy`.
  private func hasDraft(_ question: Workbench.Question, as policy: DeviceFacts.Policy) -> Bool {
    guard let applied = tries?.applied[policy.name] else { return false }
    return applied.bytes == question.draft && applied.file == policy.saved
  }

  // MARK: Trying

  /// Makes the device carry out the flow of a cell, and returns its verdict as JSON with a final line break.
  private func tryOut(on device: StudioDevice, _ body: JSONValue) throws -> String {
    let question = try question(body)
    var facts = try device.facts()
    let policy = try Self.policy(called: body["replacing"]?.string, for: question, on: facts)
    // Nothing changes on a device whose apps cannot carry out the flow.
    _ = try Self.plan(question, on: facts, under: policy)
    if !hasDraft(question, as: policy) { try apply(question, as: policy, on: device) }
    facts = try device.facts()
    var plan = try Self.plan(question, on: facts, under: policy, after: "with the draft, ")
    for step in plan.launches { try device.carryOut(step) }
    plan.update(from: try device.facts())
    for step in plan.switches {
      let result = try device.carryOut(step)
      guard result["observed"]?.array?.first?["verdict"]?.string != Outcome.blocked.rawValue else {
        throw Refusal(
          message: "the device refused `\(step)`: \(Self.rule(of: result) ?? "no rule")")
      }
    }
    var last: JSONValue?
    for step in plan.actions { last = try device.carryOut(step) }
    guard let last, let request = Self.request(in: last),
      let outcome = request["verdict"]?["outcome"]?.string.flatMap(Outcome.init(rawValue:))
    else { throw Refusal(message: "the device made no request") }
    if let mismatch = plan.mismatch(request) { throw Refusal(message: mismatch) }
    let answer = Tries.Answer(settings: question.settings, outcome: outcome)
    workbench.withLock { $0.tries?.add(answer, to: plan.scene, of: question.policy) }
    return Self.text(of: answer, to: question, request, last)
  }

  /// Returns the apps, accounts and steps that answer a question.
  ///
  /// - Parameter condition: The text before the reason in the error message, if the apps cannot carry out the flow.
  private static func plan(
    _ question: Workbench.Question, on facts: DeviceFacts, under policy: DeviceFacts.Policy,
    after condition: String = ""
  ) throws(Refusal) -> TryPlan {
    do throws(TryPlan.Obstacle) {
      return try TryPlan(question.scenes, on: facts, under: policy.name)
    } catch {
      throw Refusal(message: "\(condition)\(error.text)")
    }
  }

  /// Replaces a policy of the device with the draft.
  private func apply(
    _ question: Workbench.Question, as policy: DeviceFacts.Policy, on device: StudioDevice
  ) throws(Refusal) {
    let number = workbench.withLock { workbench in
      workbench.tries?.fileCount += 1
      return workbench.tries?.fileCount ?? 0
    }
    let file = "\(device.folder)/\(number)-\(question.name)"
    do throws(OutputError) {
      try OutputFile.write(question.draft, to: file)
    } catch {
      throw Refusal(message: "`\(file)` cannot be written: \(error)")
    }
    try device.carryOut(Self.saving(policy.name, file))
    workbench.withLock { workbench in
      let known = workbench.tries?.applied[policy.name]
      let isDraft = known.map { $0.file == policy.saved } ?? false
      workbench.tries?.applied[policy.name] = Tries.Applied(
        file: file, bytes: question.draft, previous: isDraft ? known?.previous : policy.saved)
    }
  }

  private static func saving(_ policy: String, _ file: String?) -> String {
    let source = file.map { ", file: \(YAMLScalar.quoted($0))" } ?? ""
    return "savePolicy: { policy: \(YAMLScalar.text(policy))\(source) }"
  }

  /// Returns the request that has the step's verdict; nil if there is none. Apps may make other requests during the
  /// step.
  private static func request(in result: JSONValue) -> JSONValue? {
    let observed = result["observed"]?.array?.first
    return result["requests"]?.array?.first { request in
      let verdict = request["verdict"]
      return verdict?["outcome"]?.string == observed?["verdict"]?.string
        && verdict?["decidedBy"]?.string == observed?["decidedBy"]?.string
    }
  }

  private static func rule(of result: JSONValue) -> String? {
    result["observed"]?.array?.first?["decidedBy"]?.string
  }

  private static func text(
    of answer: Tries.Answer, to question: Workbench.Question, _ request: JSONValue,
    _ result: JSONValue
  ) -> String {
    let verdict = request["verdict"]
    let rule = verdict?["decidedBy"]?.string
    let reason = verdict?["reasons"]?.array?.first { $0["rule"]?.string == rule }
    return JSONWriter.objectLine { writer in
      writer.member("title", question.title)
      writer.member("outcome", answer.outcome.rawValue)
      writer.member("computed", question.computed.rawValue)
      writer.member("computedRule", question.rule.rawValue)
      writer.member("rule", rule)
      writer.member("text", reason?["text"]?.string)
      writer.strings("report", result["report"]?.array?.compactMap(\.string) ?? [])
    }
  }

  // MARK: Putting back

  /// Restores the policies that drafts have replaced, and returns the workbench's state.
  ///
  /// - Throws: ``Refusal`` if the device has no draft, or if a policy was replaced again after the draft. Such a policy
  ///   is not restored.
  private func putBack(on device: StudioDevice, _ body: JSONValue) throws -> String {
    let panel = try Self.panel(body)
    guard let applied = tries?.applied, !applied.isEmpty else {
      throw Refusal(message: "the device has no draft")
    }
    let facts = try device.facts()
    var others: [String] = []
    for (name, draft) in applied.sorted(by: { $0.key < $1.key }) {
      if facts.policies.contains(where: { $0.name == name && $0.saved == draft.file }) {
        try device.carryOut(Self.saving(name, draft.previous))
      } else {
        others.append(name)
      }
      workbench.withLock { $0.tries?.applied[name] = nil }
    }
    guard others.isEmpty else {
      let names = others.map { "`\($0)`" }.joined(separator: ", ")
      throw Refusal(
        message: "\(names): not put back, because the device no longer has the draft")
    }
    return try workbench.withLock { workbench in
      guard let number = body["policy"]?.int, workbench.policies.indices.contains(number) else {
        throw BadRequest()
      }
      return workbench.state(workbench.policies[number], showing: panel)
    }
  }
}
