internal import Model
public import Policy

/// The flows that become possible and impossible where one policy takes the place of another.
public struct PolicyComparison: Sendable {
  /// The flows on which the policies differ, in the order of the channels, the simplest first.
  public private(set) var flows: [FlowDifference] = []
  /// The settings that differ, but change no flow, because other differences compensate for them.
  public private(set) var balanced: [BalancedDifference] = []
  /// The settings that differ, and on which no flow depends in either policy.
  public private(set) var inert: [SettingDifference] = []
  /// The setting that decides how files are stored, where it differs and no flow depends on it; nil where it does not.
  public private(set) var storage: StorageDifference?
  /// The settings of the access requirements and of conditional launch that differ.
  public let requirements: [SettingDifference]

  /// The differences of the policies' targeting; only documents are compared for it.
  public var targeting: [TargetingDifference] = []

  /// Whether every flow is decided as before.
  public var isSameBehaviour: Bool { flows.isEmpty }

  /// Whether there is no difference at all.
  public var isEmpty: Bool {
    flows.isEmpty && balanced.isEmpty && inert.isEmpty && requirements.isEmpty
      && storage == nil && targeting.isEmpty
  }

  /// The settings that differ, and the flows that they change, a line each.
  public var changes: [String] {
    var causes: [SettingDifference] = []
    for cause in flows.flatMap(\.causes) where !causes.contains(cause) { causes.append(cause) }
    let stored = [storage?.setting].compactMap(\.self)
    let settings = (causes + balanced.map(\.setting) + stored + inert + requirements).map(\.text)
    let effects = headings.flatMap { title, flows in
      FlowParagraph.all(flows).map { "\(title): \($0.head)" }
    }
    return settings + targeting.map(\.text) + effects
  }

  /// The flows by change, each under its heading. Those that differ only in apps with an old SDK are apart, because a
  /// ``FlowMatrix`` has the newest one.
  package var headings: [(title: String, flows: [FlowDifference])] {
    FlowDifference.Change.allCases.flatMap { change in
      let flows = flows.filter { $0.change == change }
      let old = flows.compactMap(\.scene.sdkVersion).max()
      let groups = [
        (change.title, flows.filter { $0.scene.sdkVersion == nil }),
        (
          "\(change.title), but only in apps with an SDK as old as \(old?.description ?? "")",
          flows.filter { $0.scene.sdkVersion != nil }
        ),
      ]
      return groups.filter { !$0.1.isEmpty }
    }
  }

  /// Compares two documents, with their targeting.
  public init(_ old: PolicyDocument, _ new: PolicyDocument) {
    self.init(
      EffectivePolicy(settings: old.settings, origins: old.origins),
      EffectivePolicy(settings: new.settings, origins: new.origins))
    targeting = TargetingDifference.all(old.targeting, new.targeting)
  }

  /// Compares two effective policies, which have no targeting.
  public init(_ old: EffectivePolicy, _ new: EffectivePolicy) {
    let all = SettingDifference.all(old, new)
    requirements = all.filter { !$0.decidesFlows }
    let differences = all.filter(\.decidesFlows)
    guard !differences.isEmpty else { return }
    var search = DifferenceSearch(old, new, differences)
    search.run()
    flows = search.flows
    balanced = search.balanced
    storage = search.inert.first { $0.settings == [.appDataEncryptionType] }.map {
      StorageDifference(setting: $0, old: old.encryptsFiles, new: new.encryptsFiles)
    }
    inert = search.inert.filter { $0 != storage?.setting }
  }

  /// A setting that differs, and decides how the account's files are stored on the device.
  ///
  /// Source: ms-intune-app-sdk-ios, issues 160 and 241: under "Encrypt Org data" the system encrypts files, without the app.
  public struct StorageDifference: Sendable {
    public var setting: SettingDifference
    /// Whether files of the account are stored encrypted under the old policy.
    public var old: Bool
    /// Whether they are under the new one.
    public var new: Bool

    /// How files are stored, in words.
    static func words(_ isEncrypted: Bool) -> String {
      isEncrypted
        ? "files of the account are stored encrypted"
        : "files of the account are stored as the device's own settings have it"
    }
  }
}
