internal import Encodings
internal import GraphDocuments
internal import Leaks
internal import Model
internal import Policy

/// The ways by which data of the work account can leave the policy on the sample device, as `sluice leaks` finds them
/// for honest apps: retyping reaches every place, whatever the policy.
struct WaysOut: Sendable {
  /// All that the ways depend on.
  struct Input: Sendable, Equatable {
    var settings: Settings
    var targeting: Targeting
  }

  let leaks: [Leak]
  /// What the search leaves out, as a clause.
  let notSearched: String
  private let settings: Settings

  init(_ document: PolicyDocument) {
    let report = LeakSearch(SampleDevice(document).world, .honest).explore()
    leaks = report.leaks
    notSearched = report.notSearched
    settings = document.settings
  }

  /// The number of places that data reaches.
  var placeCount: Int { Set(leaks.map(\.sink.text)).count }

  /// Writes the ways. Those that the saved file does not have are marked, and those that it alone has are listed.
  func write(since old: WaysOut, to writer: inout JSONWriter) {
    let known = Set(old.leaks.map(\.sink))
    let present = Set(leaks.map(\.sink))
    let groups = [
      leaks.filter { !known.contains($0.sink) }, leaks.filter { known.contains($0.sink) },
    ]
    .flatMap { Way.grouping($0) }
    writer.member("places", placeCount)
    writer.objects("ways", of: groups) { writer, way in
      way.writeMembers(under: settings, to: &writer)
      writer.member("isNew", !known.contains(way.leaks[0].sink))
    }
    let closed = Way.grouping(old.leaks.filter { !present.contains($0.sink) })
    writer.objects("closed", of: closed) { $1.writeMembers(under: old.settings, to: &$0) }
    writer.member("notSearched", notSearched)
  }
}

/// Leaks that differ only in the place that the last hop reaches.
private struct Way {
  /// At least one.
  var leaks: [Leak]
  private let path: [String]

  private init(_ leak: Leak) {
    leaks = [leak]
    let last = leak.hops.last
    let verdict = last?.verdict
    let isHandOff = if case .handOff? = last?.action { true } else { false }
    path =
      leak.hops.dropLast().map(\.text)
      + [isHandOff ? "\(last?.app ?? "") \(last?.persona ?? "")" : last?.text ?? ""]
      + [Self.kind(of: leak), verdict?.deciding.rawValue ?? ""] + Self.changes(of: leak)
  }

  static func grouping(_ leaks: [Leak]) -> [Way] {
    var ways: [Way] = []
    for leak in leaks {
      let way = Way(leak)
      if let index = ways.firstIndex(where: { $0.path == way.path }) {
        ways[index].leaks.append(leak)
      } else {
        ways.append(way)
      }
    }
    return ways
  }

  private static func kind(of leak: Leak) -> String {
    switch leak.sink {
    case .app: "app"
    case .outside(let outside): outside.location == nil ? "system" : "storage"
    }
  }

  /// The single changes that close it, one sentence each.
  private static func changes(of leak: Leak) -> [String] {
    var changes: [String] = []
    for change in leak.hops.flatMap(\.verdicts).flatMap(\.changes) where !changes.contains(change) {
      changes.append(change)
    }
    return changes
  }

  /// - Parameter settings: The policy's.
  func writeMembers(under settings: Settings, to writer: inout JSONWriter) {
    let leak = leaks[0]
    var places: [String] = []
    for place in leaks.map(\.sink.text) where !places.contains(place) { places.append(place) }
    writer.strings("places", places)
    writer.member("kind", Self.kind(of: leak))
    writer.objects("hops", of: Array(leak.hops.enumerated())) { writer, numbered in
      let (number, hop) = numbered
      let isLast = number == leak.hops.count - 1
      writer.member(
        "text",
        isLast && places.count > 1 ? "\(hop.app) as \(hop.persona) → these places" : hop.text)
      guard let verdict = hop.verdict else { return }
      let reason = verdict.reasons.first { $0.rule == verdict.deciding }
      writer.member("rule", verdict.deciding.rawValue)
      writer.member("setting", reason?.label)
      writer.member("value", reason?.setting.flatMap(Setting.init).flatMap(settings.words))
      writer.member("why", reason?.text)
    }
    writer.strings("changes", Self.changes(of: leak))
  }
}

extension Workbench {
  /// The ways out under the changed policy.
  func waysOut(_ index: PolicyIndex) -> WaysOut { ways(under: document(index)) }

  /// The ways out under the policy of the saved file.
  func waysOutBefore(_ index: PolicyIndex) -> WaysOut { ways(under: original(index)) }

  private func ways(under document: PolicyDocument) -> WaysOut {
    let input = WaysOut.Input(settings: document.settings, targeting: document.targeting)
    return waysOut.value(for: input) { WaysOut(document) }
  }
}
