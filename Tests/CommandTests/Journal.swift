import Foundation
import Model

/// The journal of a device that was kept after a run.
struct Journal {
  private let lines: [JournalEvent]

  /// Reads a journal. Text after the last line break is ignored.
  ///
  /// - Parameter device: The device's folder.
  /// - Throws: An error if a line is not an event.
  init(_ device: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(device)/journal.jsonl"))
    let text = String(decoding: data, as: UTF8.self)
    let whole = text[..<(text.lastIndex(of: "\n") ?? text.startIndex)]
    lines = try whole.split(separator: "\n").map { try JournalEvent(line: String($0)) }
  }

  var events: [JournalEvent.Kind] { lines.map(\.kind) }

  var sequences: [Int] { lines.map(\.sequence) }

  /// The numbers of the requests that were decided.
  var requests: [Int] { decisions.map(\.request) }

  /// The number of keychain searches that found their item.
  var answeredImports: Int {
    let imports = Set(decisions.filter { $0.operation == .import }.map(\.request))
    return events.count { event in
      if case .ended(let request, .delivered, _, _) = event {
        imports.contains(request)
      } else {
        false
      }
    }
  }

  private var decisions: [RequestDecision] {
    events.compactMap { if case .decided(let decision) = $0 { decision } else { nil } }
  }
}
