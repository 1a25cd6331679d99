internal import Analysis
internal import Model
internal import Policy
internal import Scenario

/// The names by which steps refer to the apps and accounts of a flow.
struct SceneCast: Equatable {
  /// The app that makes the request.
  var app: String
  /// The second app of a flow between apps; nil for any other flow.
  var other: String?
  /// The protected account of the app.
  var account: String
  /// A protected account of another organisation; nil if the flow has none.
  var otherAccount: String?
  /// The text of the items that steps send. A paste has another text, of the length that the flow requires.
  var text: String
}

/// The reason why no step carries out a flow.
enum StepObstacle: Error {
  /// The flow is an extension's result, which depends on an item from an earlier flow.
  case resultNeedsItem
  /// The flow drops an item on the system's path. Steps can drop items only on the SDK's path.
  case dropByTheSystem

  /// The reason as a clause.
  var text: String {
    switch self {
    case .resultNeedsItem: "the answer depends on an item that the extension received earlier"
    case .dropByTheSystem: "the step `drop` uses only the SDK's own path"
    }
  }
}

extension Scene {
  /// The reason why no step carries out the flow; nil if a step does.
  var obstacle: StepObstacle? {
    if channel == .extensionResult { return .resultNeedsItem }
    return channel == .dragAndDrop && via == .os ? .dropByTheSystem : nil
  }

  /// Returns the steps that carry out the flow, as lines of YAML; nil if there are none, or if the cast lacks a
  /// required name. The last step makes the request.
  func actions(of cast: SceneCast) -> [String]? {
    guard obstacle == nil else { return nil }
    return switch channel.counterpart {
    case .app: transfer(of: cast)
    case .url: opening(of: cast)
    case .location: storing(of: cast)
    case .system: use(of: cast)
    }
  }

  private func transfer(of cast: SceneCast) -> [String]? {
    guard let second = cast.other else { return nil }
    let (one, two) = (YAMLScalar.text(cast.app), YAMLScalar.text(second))
    let path = via == .os ? ", via: os" : ""
    let ends = "from: \(one), to: \(two), text: \(YAMLScalar.text(cast.text))"
    if channel == .import { return ["import: { into: \(one), from: \(two)\(path) }"] }
    if channel == .clipboard {
      guard case .text(let length) = subject else { return nil }
      let text = String(repeating: "x", count: length)
      return ["copy: { app: \(one), text: \(text) }", "paste: { app: \(two) }"]
    }
    return switch channel.way {
    case .openIn: ["share: { \(ends), openIn: true\(path) }"]
    case .dragAndDrop: ["drop: { \(ends) }"]
    case .share, nil: ["share: { \(ends)\(path) }"]
    }
  }

  private func opening(of cast: SceneCast) -> [String]? {
    guard case .url(let url, _) = subject else { return nil }
    return ["openURL: { from: \(YAMLScalar.text(cast.app)), url: \(YAMLScalar.quoted(url)) }"]
  }

  private func storing(of cast: SceneCast) -> [String]? {
    guard case .location(let location) = subject else { return nil }
    let isSave = channel == .saveTo
    var owner = ""
    switch isSave ? parties.to : parties.from {
    case .managed: owner = ", account: \(YAMLScalar.text(cast.account))"
    case .otherOrganisation:
      guard let account = cast.otherAccount else { return nil }
      owner = ", account: \(YAMLScalar.text(account))"
    case .unmanaged, .colleague, .unenrolled, .orgData, .system: break
    }
    let step = isSave ? "saveTo: { from" : "openFrom: { into"
    return ["\(step): \(YAMLScalar.text(cast.app)), location: \(location.rawValue)\(owner) }"]
  }

  private func use(of cast: SceneCast) -> [String]? {
    var more = ""
    if case .page(_, .external) = subject { more = ", externalPage: true" }
    let app = YAMLScalar.text(cast.app)
    return ["use: { app: \(app), feature: \(channel.rawValue)\(more) }"]
  }

  /// The party of the flow that makes the request.
  var near: End { channel.isIncoming ? parties.to : parties.from }

  /// The party of the flow that does not make the request.
  var far: End { channel.isIncoming ? parties.from : parties.to }
}
