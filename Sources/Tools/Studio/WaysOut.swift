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

  /// Writes the ways. Those that the saved file does not have are marked, and those that it alone has are listed.
  func write(since old: WaysOut, to writer: inout JSONWriter) {
    let known = Set(old.leaks.map(\.sink))
    let present = Set(leaks.map(\.sink))
    writer.objects("ways", of: leaks) { writer, leak in
      write(leak, to: &writer)
      writer.member("isNew", !known.contains(leak.sink))
    }
    writer.objects("closed", of: old.leaks.filter { !present.contains($0.sink) }) { writer, leak in
      old.write(leak, to: &writer)
    }
    writer.member("notSearched", notSearched)
  }

  private func write(_ leak: Leak, to writer: inout JSONWriter) {
    writer.member("place", leak.sink.text)
    switch leak.sink {
    case .app: writer.member("kind", "app")
    case .outside(let outside):
      writer.member("kind", outside.location == nil ? "system" : "storage")
    }
    writer.objects("hops", of: leak.hops) { writer, hop in
      writer.member("text", hop.text)
      guard let verdict = hop.verdict else { return }
      let reason = verdict.reasons.first { $0.rule == verdict.deciding }
      writer.member("rule", verdict.deciding.rawValue)
      writer.member("setting", reason?.label)
      writer.member("value", reason?.setting.flatMap(Setting.init).flatMap(settings.words))
      writer.member("why", reason?.text)
    }
    // The single changes that close it, one sentence each.
    var changes: [String] = []
    for change in leak.hops.flatMap(\.verdicts).flatMap(\.changes) where !changes.contains(change) {
      changes.append(change)
    }
    writer.strings("changes", changes)
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
