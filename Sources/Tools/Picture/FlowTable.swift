internal import JSON
internal import Model

/// Who moved what to whom, counted.
struct FlowTable {
  private var flows = Table<Flow>()
  private var counts: [Int] = []
  /// The flows of which the page has not been told the number.
  private var changed: Set<Int> = []
  /// The number of requests in flows that are not counted, because there are too many others.
  private(set) var uncounted = 0

  /// Requests that differ in nothing that the map tells apart.
  struct Flow: Hashable {
    /// The numbers of the nodes.
    var from: Int
    var to: Int
    var operation: Operation
    /// The number of the verdict.
    var verdict: Int
  }

  /// The most flows: as many as a browser holds with ease.
  private static let most = 50_000

  mutating func count(_ flow: Flow) {
    guard let number = flows.number(of: flow, atMost: Self.most) else {
      uncounted += 1
      return
    }
    if number == counts.count { counts.append(0) }
    counts[number] += 1
    changed.insert(number)
  }

  mutating func settle() { changed.removeAll(keepingCapacity: true) }

  /// Writes flows with their numbers of requests, as a member of an object.
  func write(_ part: LivePicture.Part, to writer: inout JSONWriter) {
    let numbers = part == .all ? Array(counts.indices) : changed.sorted()
    guard !numbers.isEmpty else { return }
    writer.array("flows") { writer in
      for number in numbers {
        let flow = flows.values[number]
        writer.array { writer in
          writer.number(number)
          writer.number(flow.from)
          writer.number(flow.to)
          writer.number(RequestTable.number(of: flow.operation))
          writer.number(flow.verdict)
          writer.number(counts[number])
        }
      }
    }
  }
}
