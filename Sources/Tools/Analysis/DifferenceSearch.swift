internal import GraphDocuments
package import Model
internal import Output
package import Policy

/// Searches for requests that two policies answer differently.
struct DifferenceSearch {
  private let old: EffectivePolicy
  private let new: EffectivePolicy
  private let differences: [SettingDifference]
  /// The managed apps in the requests that represent flows.
  private let apps: SceneApps
  /// For each setting difference, the old and the new policy, changed in this one setting to the other policy's value.
  private let turned: [(old: EffectivePolicy, new: EffectivePolicy)]
  private(set) var flows: [FlowDifference] = []
  /// The indices of the differences that change an answer to a flow.
  private var causes: Set<Int> = []
  /// The first flow for which a policy's answer depends on a difference, keyed by the index of the difference.
  private var dependences: [Int: BalancedDifference] = [:]
  private var indices: [Kind: Int] = [:]

  /// The properties by which requests are grouped. One request represents each group.
  private struct Kind: Hashable {
    var channel: Channel
    /// The parties of the flow; nil for any parties.
    var parties: Parties?
    /// The SDK release of the apps, if the difference does not occur with the newest SDK; otherwise nil.
    var sdkVersion: Version?
    var old: Answer
    var new: Answer
    var causes: [SettingDifference]

    /// This kind, for any parties and any SDK release.
    var general: Kind {
      var kind = self
      kind.parties = nil
      kind.sdkVersion = nil
      return kind
    }
  }

  /// The identity of a difference between answers under the newest SDK. A flow with an older SDK is omitted if its
  /// difference has the same identity.
  private struct NewestDifference: Hashable {
    var kind: Kind
    var subject: String?
    var device: DeviceCondition
  }

  init(
    _ old: EffectivePolicy, _ new: EffectivePolicy, _ differences: [SettingDifference],
    in apps: SceneApps
  ) {
    self.old = old
    self.new = new
    self.apps = apps
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
      let differing = Self.separatingSDKs(
        scenes.scenes(of: channel).compactMap { difference(in: $0) })
      let plain = differing.filter { $0.scene.parties.isPlain }
      for (scene, kind) in plain { add(scene, kind) }
      let reported = Set(plain.map(\.kind.general))
      for (scene, kind) in differing where !scene.parties.isPlain {
        if !reported.contains(kind.general) { add(scene, kind) }
      }
    }
  }

  /// Removes the flows with an old SDK whose answers differ in the same way with the newest SDK. The other flows with
  /// an old SDK become separate kinds.
  private static func separatingSDKs(
    _ differing: [(scene: Scene, kind: Kind)]
  ) -> [(scene: Scene, kind: Kind)] {
    func newest(_ scene: Scene, _ kind: Kind) -> NewestDifference {
      NewestDifference(kind: kind, subject: scene.subject.name, device: scene.device)
    }
    let known = Set(
      differing.filter { $0.scene.sdkVersion == nil }.map { newest($0.scene, $0.kind) })
    return differing.compactMap { scene, kind in
      guard let version = scene.sdkVersion else { return (scene, kind) }
      guard !known.contains(newest(scene, kind)) else { return nil }
      var kind = kind
      kind.sdkVersion = version
      return (scene, kind)
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
    // If only a combination of settings changes an answer, all of them count as causes.
    if causes.isEmpty { causes = Set(differences.indices) }
    self.causes.formUnion(causes)
    let kind = Kind(
      channel: scene.channel, parties: scene.parties, old: oldAnswer, new: newAnswer,
      causes: causes.sorted().map { differences[$0] })
    return (scene, kind)
  }

  /// Records each setting difference that by itself changes a policy's answer to the flow. Skips differences that cause
  /// a flow to change or are already recorded.
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
        with: FlowDifference.Side(scene, under: policy, in: apps),
        without: FlowDifference.Side(scene, under: without, in: apps))
    }
  }

  private mutating func add(_ scene: Scene, _ kind: Kind) {
    let index = indices[kind] ?? flows.count
    if index == flows.count {
      indices[kind] = index
      flows.append(
        FlowDifference(
          scene: scene, old: FlowDifference.Side(scene, under: old, in: apps),
          new: FlowDifference.Side(scene, under: new, in: apps), causes: kind.causes))
    }
    flows[index].devices.insert(scene.device)
    // The app configuration is part of the name only if the kind's first scene needs it.
    let isConfigured = scene == flows[index].scene && scene.subject == .screenWithoutControl
    let name = isConfigured ? scene.subject.word : scene.subject.name
    if let word = name, !flows[index].subjects.contains(word) {
      flows[index].subjects.append(word)
    }
  }
}

extension FlowDifference.Side {
  fileprivate init(_ scene: Scene, under policy: EffectivePolicy, in apps: SceneApps) {
    let standard = scene.request(under: policy)
    var request = scene.request(under: policy, in: apps)
    // Rules about certain apps could change the verdict. The standard apps are used then.
    if evaluate(request).reasons != evaluate(standard).reasons { request = standard }
    let verdict = evaluate(request)
    self.init(
      request: request, outcome: verdict.outcome,
      reason: Explainer.explanation(of: verdict.deciding, in: request))
  }
}

extension EffectivePolicy {
  /// Returns this policy with the settings of `difference` replaced by the values of `other`.
  fileprivate func taking(
    _ difference: SettingDifference, from other: EffectivePolicy
  ) -> EffectivePolicy {
    var settings = self.settings
    var origins = self.origins
    for setting in difference.settings {
      settings.copy(setting, from: other.settings)
      origins[setting] = other.origins[setting]
    }
    return EffectivePolicy(settings: settings, origins: origins)
  }
}

private struct Answer: Sendable, Hashable {
  var outcome: Outcome
  /// Whether the request is allowed, and the receiver treats the data as its own org data.
  var becomesOrgData: Bool

  init(to request: TransferRequest) {
    let verdict = evaluate(request)
    outcome = verdict.outcome
    becomesOrgData =
      outcome == .allowed && verdict.reasons.contains { $0.rule == .incomingOrgData }
  }
}

// MARK: - Results

/// A kind of flow that two policies decide differently, with the simplest request as an example.
package struct FlowDifference: Sendable {
  package var scene: Scene
  /// The locations, URLs, kinds of web views or app configurations in all requests of this kind.
  package fileprivate(set) var subjects: [String] = []
  /// The device conditions of all requests of this kind.
  fileprivate var devices: Set<DeviceCondition> = []
  package var old: Side
  package var new: Side
  /// The settings that cause the difference. Each of them changes an answer by itself. If no single setting does, all
  /// differing settings are listed.
  package var causes: [SettingDifference]

  /// A policy's answer to the request that represents the flow.
  package struct Side: Sendable {
    package var request: TransferRequest
    package var outcome: Outcome
    /// The reason that decides the answer.
    package var reason: Explanation
  }

  package enum Change: String, Sendable, CaseIterable {
    case becomesPossible, becomesImpossible, becomesEncrypted
    /// Both policies allow the request, but another app opens it, or the receiver treats the data as its own org data.
    case goesElsewhere

    /// Returns a verb phrase for this change of `count` flows, such as `become possible`.
    func words(of count: Int) -> String {
      let (becomes, stays) = count == 1 ? ("becomes", "stays") : ("become", "stay")
      return switch self {
      case .becomesPossible: "\(becomes) possible"
      case .becomesImpossible: "\(becomes) impossible"
      case .becomesEncrypted: "\(becomes) encrypted"
      case .goesElsewhere: "\(stays) possible, but \(count == 1 ? "ends" : "end") elsewhere"
      }
    }

    var title: String {
      switch self {
      case .becomesPossible: "Become possible"
      case .becomesImpossible: "Become impossible"
      case .becomesEncrypted: "Become encrypted"
      case .goesElsewhere: "Stay possible, but end elsewhere"
      }
    }
  }

  /// A device state that a difference requires: on other devices, both policies decide all requests of the kind alike.
  package enum RequiredDevice: String, Sendable, CaseIterable {
    /// The device is enrolled in MDM.
    case enrolled
    /// The device is enrolled, and MDM keeps other apps from opening documents of MDM-managed apps.
    case restricted

    /// The condition as part of a heading, such as `on devices that are enrolled in MDM`.
    var words: String {
      switch self {
      case .enrolled: "on devices that are enrolled in MDM"
      case .restricted: "on devices on which MDM restricts opening documents"
      }
    }
  }

  /// The device state that the difference requires: on other devices, both policies decide the requests alike. Nil if
  /// requests on unenrolled devices differ as well.
  package var requiredDevice: RequiredDevice? {
    if devices.contains(.unenrolled) { return nil }
    return devices.isSubset(of: [.restricted, .restrictedToMDMApp]) ? .restricted : .enrolled
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

/// A setting that differs between two policies but changes no flow, because other differences compensate for it.
///
/// For example, an exemption permits flows that a stricter "Send org data to other apps" would block.
package struct BalancedDifference: Sendable {
  package var setting: SettingDifference
  /// The policy whose answers depend on the setting.
  package var holder: Holder
  /// The simplest request with an answer that depends on the setting.
  package var scene: Scene
  /// The answer to the request under the policy of ``holder``.
  package var with: FlowDifference.Side
  /// The same policy's answer to the request if the setting has the other policy's value.
  package var without: FlowDifference.Side

  package enum Holder: String, Sendable {
    case old, new
  }
}

// MARK: - Settings and targeting

/// A setting in the admin centre that differs between two policies, as text.
package struct SettingDifference: Sendable, Hashable {
  /// The differing Graph properties that belong to the label, in the order of the admin centre.
  package var settings: [Setting]
  package var old: Value
  package var new: Value

  package struct Value: Sendable, Hashable {
    /// The value as text, in the admin centre's words if it has any.
    package var words: String
    /// The locations as `file:line`, separated by commas; or a note that the file does not set the value.
    package var source: String
  }

  /// The label in the admin centre.
  package var label: String { settings.first?.label ?? "" }

  /// Whether the setting is on the page "Data protection". Settings of other pages affect access to the app, not flows.
  var decidesFlows: Bool { settings.first?.page == .dataProtection }

  /// The difference as one line, such as `Send org data to other apps: None (a.json:3) -> All apps (b.json:3)`.
  package var text: String {
    "\(label): \(old.words) (\(old.source)) -> \(new.words) (\(new.source))"
  }

  /// Returns one difference for each label under which two policies differ, in the order of the settings.
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
    return Value(
      words: list(citations.map(\.value)),
      source: list(citations.flatMap { [$0.source] + $0.otherSources }))
  }

  private static func list(_ texts: [String]) -> String {
    texts.unique.joined(separator: ", ")
  }
}

package struct TargetingDifference: Sendable, Hashable {
  /// The label in the admin centre.
  package var label: String
  package var old: String
  package var new: String
  /// The location of the property in the policy's file, as `file:line`; nil if the file does not state the property.
  package var oldSource: String?
  package var newSource: String?

  /// The difference in one line, such as `Device types: all (a.json:1) -> unmanaged (b.json:4)`.
  package var text: String {
    let cited = { (words: String, source: String?) in
      words + (source.map { " (\($0))" } ?? "")
    }
    return "\(label): \(cited(old, oldSource)) -> \(cited(new, newSource))"
  }

  static func all(_ old: PolicyDocument, _ new: PolicyDocument) -> [TargetingDifference] {
    var differences: [TargetingDifference] = []
    func compare(
      _ property: Targeting.Property, _ label: String, _ words: (old: String, new: String)
    ) {
      guard words.old != words.new else { return }
      let sources = [old, new].map { document in
        document.targetingLines[property].map { "\(document.file):\($0)" }
      }
      differences.append(
        TargetingDifference(
          label: label, old: words.old, new: words.new, oldSource: sources[0],
          newSource: sources[1]))
    }
    let (before, after) = (old.targeting, new.targeting)
    compare(
      .appGroupType, "Target policy to", (before.appGroup.rawValue, after.appGroup.rawValue))
    compare(
      .apps, "Apps",
      (
        words(before.bundleIDs.subtracting(after.bundleIDs)),
        words(after.bundleIDs.subtracting(before.bundleIDs))
      ))
    compare(
      .targetedAppManagementLevels, "Device types", (words(before.levels), words(after.levels)))
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
