internal import Model
internal import Policy

/// Searches for requests that two policies answer differently.
struct DifferenceSearch {
  let old: EffectivePolicy
  let new: EffectivePolicy
  let differences: [SettingDifference]
  /// For each difference, either policy with only this difference turned to the other's value.
  let turned: [(old: EffectivePolicy, new: EffectivePolicy)]
  var flows: [FlowDifference] = []
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
