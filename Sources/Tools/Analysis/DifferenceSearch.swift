internal import GraphDocuments
package import Model
package import Policy

/// Searches for requests that two policies answer differently.
struct DifferenceSearch {
  private let old: EffectivePolicy
  private let new: EffectivePolicy
  private let differences: [SettingDifference]
  /// For each difference, either policy with only this difference turned to the other's value.
  private let turned: [(old: EffectivePolicy, new: EffectivePolicy)]
  private(set) var flows: [FlowDifference] = []
  /// The indices of the differences that change some flow.
  private var causes: Set<Int> = []
  /// The first scene in which one policy's answer depends on a difference.
  private var dependences: [Int: BalancedDifference] = [:]
  private var indices: [Kind: Int] = [:]

  /// The common properties of requests for which one witness suffices.
  private struct Kind: Hashable {
    var channel: Channel
    /// The parties; nil: any.
    var parties: Parties?
    var old: Answer
    var new: Answer
    var causes: [SettingDifference]

    var withoutParties: Kind {
      var kind = self
      kind.parties = nil
      return kind
    }
  }

  init(_ old: EffectivePolicy, _ new: EffectivePolicy, _ differences: [SettingDifference]) {
    self.old = old
    self.new = new
    self.differences = differences
    turned = differences.map { (old.taking($0, from: new), new.taking($0, from: old)) }
  }

  var balanced: [BalancedDifference] {
    differences.indices.compactMap { causes.contains($0) ? nil : dependences[$0] }
  }

  var inert: [SettingDifference] {
    differences.indices.filter { !causes.contains($0) && dependences[$0] == nil }
      .map { differences[$0] }
  }

  mutating func run() {
    let scenes = RepresentativeScenes([old.settings, new.settings])
    for channel in Channel.allCases {
      let differing = scenes.scenes(of: channel).compactMap { difference(in: $0) }
      let plain = differing.filter { $0.scene.parties.isPlain }
      for (scene, kind) in plain { add(scene, kind) }
      let told = Set(plain.map(\.kind.withoutParties))
      for (scene, kind) in differing where !scene.parties.isPlain {
        if !told.contains(kind.withoutParties) { add(scene, kind) }
      }
    }
  }

  private mutating func difference(in scene: Scene) -> (scene: Scene, kind: Kind)? {
    let oldAnswer = Answer(to: scene.request(under: old))
    let newAnswer = Answer(to: scene.request(under: new))
    noteDependences(in: scene, oldAnswer, newAnswer)
    guard oldAnswer != newAnswer else { return nil }
    var causes = Set(
      turned.indices.filter { index in
        Answer(to: scene.request(under: turned[index].old)) != oldAnswer
          || Answer(to: scene.request(under: turned[index].new)) != newAnswer
      })
    // Where several settings together turn an answer, and none alone does, all count as causes.
    if causes.isEmpty { causes = Set(differences.indices) }
    self.causes.formUnion(causes)
    let kind = Kind(
      channel: scene.channel, parties: scene.parties, old: oldAnswer, new: newAnswer,
      causes: causes.sorted().map { differences[$0] })
    return (scene, kind)
  }

  /// Notes each difference that alone turns an answer, whether or not the policies' answers differ.
  private mutating func noteDependences(in scene: Scene, _ oldAnswer: Answer, _ newAnswer: Answer) {
    for (index, policies) in turned.enumerated()
    where dependences[index] == nil && !causes.contains(index) {
      let dependent: (BalancedDifference.Holder, EffectivePolicy, EffectivePolicy)? =
        if Answer(to: scene.request(under: policies.old)) != oldAnswer {
          (.old, old, policies.old)
        } else if Answer(to: scene.request(under: policies.new)) != newAnswer {
          (.new, new, policies.new)
        } else {
          nil
        }
      guard let (holder, policy, without) = dependent else { continue }
      dependences[index] = BalancedDifference(
        setting: differences[index], holder: holder, scene: scene,
        with: FlowDifference.Side(scene, under: policy),
        without: FlowDifference.Side(scene, under: without))
    }
  }

  private mutating func add(_ scene: Scene, _ kind: Kind) {
    let index = indices[kind] ?? flows.count
    if index == flows.count {
      indices[kind] = index
      flows.append(
        FlowDifference(
          scene: scene, old: FlowDifference.Side(scene, under: old),
          new: FlowDifference.Side(scene, under: new), causes: kind.causes))
    }
    if let word = scene.subject.name, !flows[index].subjects.contains(word) {
      flows[index].subjects.append(word)
    }
  }
}

extension FlowDifference.Side {
  fileprivate init(_ scene: Scene, under policy: EffectivePolicy) {
    let request = scene.request(under: policy)
    let verdict = evaluate(request)
    self.init(
      request: request, outcome: verdict.outcome,
      reason: Explainer.explanation(of: verdict.deciding, in: request))
  }
}

extension EffectivePolicy {
  /// The policy with the settings of a difference taken from another policy.
  fileprivate func taking(
    _ difference: SettingDifference, from other: EffectivePolicy
  ) -> EffectivePolicy {
    var settings = self.settings
    var origins = self.origins
    for setting in difference.settings {
      settings.take(setting, from: other.settings)
      origins[setting] = other.origins[setting]
    }
    return EffectivePolicy(settings: settings, origins: origins)
  }
}

/// The answer to a request.
private struct Answer: Sendable, Hashable {
  var outcome: Outcome
  /// Whether the request is allowed, and the receiver takes the data for data of its own organisation.
  var becomesOrgData: Bool

  init(to request: TransferRequest) {
    let verdict = evaluate(request)
    outcome = verdict.outcome
    becomesOrgData =
      outcome == .allowed && verdict.reasons.contains { $0.rule == .incomingOrgData }
  }
}

// MARK: - What is found

/// Flows of one kind on which two policies differ, with the simplest of them as a witness.
package struct FlowDifference: Sendable {
  /// The simplest request that shows the difference.
  package var scene: Scene
  /// The locations, URLs or kinds of web views of all requests that show the difference.
  package fileprivate(set) var subjects: [String] = []
  package var old: Side
  package var new: Side
  /// The settings whose values make the difference: each of them alone turns one of the answers, or only all together
  /// do.
  package var causes: [SettingDifference]

  /// The answer of one of the policies to the witness.
  package struct Side: Sendable {
    package var request: TransferRequest
    package var outcome: Outcome
    /// The reason that decided.
    package var reason: Explanation
  }

  /// The change from the old policy's answer to the new one's.
  package enum Change: String, Sendable, CaseIterable {
    case becomesPossible, becomesImpossible, becomesEncrypted
    /// Allowed by both, but another app opens it, or the receiver takes the data for its own organisation's.
    case goesElsewhere

    /// The heading of the list in a report.
    var title: String {
      switch self {
      case .becomesPossible: "Become possible"
      case .becomesImpossible: "Become impossible"
      case .becomesEncrypted: "Become encrypted"
      case .goesElsewhere: "Stay possible, but end elsewhere"
      }
    }
  }

  fileprivate init(scene: Scene, old: Side, new: Side, causes: [SettingDifference]) {
    self.scene = scene
    self.old = old
    self.new = new
    self.causes = causes
  }

  package var channel: Channel { scene.channel }
  package var parties: Parties { scene.parties }

  package var change: Change {
    if old.outcome == new.outcome { return .goesElsewhere }
    return switch new.outcome {
    case .allowed: .becomesPossible
    case .blocked: .becomesImpossible
    case .encrypted: .becomesEncrypted
    }
  }
}

/// A setting that differs between two policies and changes no flow, because other settings that differ compensate for
/// it: an exemption, say, that keeps open what a stricter Send would close.
package struct BalancedDifference: Sendable {
  package var setting: SettingDifference
  /// The policy whose answers depend on the setting.
  package var holder: Holder
  /// The simplest request that shows the dependence.
  package var scene: Scene
  /// The policy's answer to the request.
  package var with: FlowDifference.Side
  /// The policy's answer with the other policy's value of the setting.
  package var without: FlowDifference.Side

  /// One of the two policies.
  package enum Holder: String, Sendable {
    case old, new
  }
}

// MARK: - Settings and targeting

/// A setting of the admin centre that differs between two policies, in words.
package struct SettingDifference: Sendable, Hashable {
  /// The properties behind the label that differ, in the order of the admin centre.
  package var settings: [Setting]
  package var old: Value
  package var new: Value

  /// A value and its source.
  package struct Value: Sendable, Hashable {
    /// The value in the admin centre's words where it has some.
    package var words: String
    /// The source as `file:line`, or a note that the file does not state the value.
    package var source: String
  }

  /// The label in the admin centre.
  package var label: String { settings.first?.label ?? "" }

  /// Whether the setting decides flows, rather than access to the app.
  var decidesFlows: Bool { settings.first?.page == .dataProtection }

  /// The difference in one line, such as `Send org data to other apps: None (a.json:3) -> All apps (b.json:3)`.
  package var text: String {
    "\(label): \(old.words) (\(old.source)) -> \(new.words) (\(new.source))"
  }

  /// The labels under which two policies differ, in the order of the settings.
  static func all(_ old: EffectivePolicy, _ new: EffectivePolicy) -> [SettingDifference] {
    var labels: [(label: String, settings: [Setting])] = []
    for setting in old.settings.differences(from: new.settings) {
      if let index = labels.firstIndex(where: { $0.label == setting.label }) {
        labels[index].settings.append(setting)
      } else {
        labels.append((setting.label, [setting]))
      }
    }
    return labels.map { _, settings in
      SettingDifference(
        settings: settings, old: value(of: settings, in: old), new: value(of: settings, in: new))
    }
  }

  private static func value(of settings: [Setting], in policy: EffectivePolicy) -> Value {
    let citations = settings.compactMap { policy.citation(of: $0) }
    return Value(words: list(citations.map(\.value)), source: list(citations.map(\.source)))
  }

  /// The texts with commas between them, each of them once.
  private static func list(_ texts: [String]) -> String {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }.joined(separator: ", ")
  }
}

/// A difference between the targeting of two policies.
package struct TargetingDifference: Sendable, Hashable {
  /// The label in the admin centre.
  package var label: String
  package var old: String
  package var new: String

  /// The difference in one line, such as `Device types: all -> unmanaged`.
  package var text: String { "\(label): \(old) -> \(new)" }

  static func all(_ old: Targeting, _ new: Targeting) -> [TargetingDifference] {
    var differences: [TargetingDifference] = []
    func compare(_ label: String, _ old: String, _ new: String) {
      guard old != new else { return }
      differences.append(TargetingDifference(label: label, old: old, new: new))
    }
    compare("Target policy to", old.appGroup.rawValue, new.appGroup.rawValue)
    compare(
      "Apps", words(old.bundleIDs.subtracting(new.bundleIDs)),
      words(new.bundleIDs.subtracting(old.bundleIDs)))
    compare("Device types", words(old.levels), words(new.levels))
    return differences
  }

  private static func words(_ bundleIDs: Set<String>) -> String {
    bundleIDs.isEmpty ? "no other" : bundleIDs.sorted().joined(separator: ", ")
  }

  private static func words(_ levels: Set<Targeting.Level>?) -> String {
    guard let levels else { return "all" }
    return levels.isEmpty ? "none of iOS" : levels.map(\.rawValue).sorted().joined(separator: ", ")
  }
}
