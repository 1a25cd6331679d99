import Foundation
import Model

/// The journal of a device that was kept.
struct Journal {
  private let lines: [JournalEvent]

  /// - Parameter device: the device's folder.
  /// - Throws: where a line is no event. What stands after the last line break is no line.
  init(_ device: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(device)/journal.jsonl"))
    let text = String(decoding: data, as: UTF8.self)
    let whole = text[..<(text.lastIndex(of: "\n") ?? text.startIndex)]
    lines = try whole.split(separator: "\n").map { try JournalEvent(line: String($0)) }
  }

  var events: [JournalEvent.Kind] { lines.map(\.kind) }

  var sequences: [Int] { lines.map(\.sequence) }

  /// Numbers of the requests that were decided.
  var requests: [Int] { decisions.map(\.request) }

  /// How many searches of the keychain have ended with what they looked for.
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
