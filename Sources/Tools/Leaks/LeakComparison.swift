internal import Model

/// The places that data reach in one world and not in another.
public struct LeakComparison: Sendable {
  /// The leaks that the old world does not have.
  public let new: [Leak]
  /// The leaks that the new world has no more.
  public let closed: [Leak]

  /// Compares two worlds by the places that each account's data reach.
  public init(_ report: LeakReport, against old: LeakReport) {
    func missing(of leaks: [Leak], in others: [Leak]) -> [Leak] {
      leaks.filter { leak in
        !others.contains { $0.sink == leak.sink && $0.owner.isSame(as: leak.owner) }
      }
    }
    new = missing(of: report.leaks, in: old.leaks)
    closed = missing(of: old.leaks, in: report.leaks)
  }

  /// The comparison as text, a line for each place, with its way below.
  public var text: String {
    let lines = lines(new, "new") + lines(closed, "closed")
    return lines.isEmpty ? "the same places are reached\n" : lines.joined(separator: "\n") + "\n"
  }

  private func lines(_ leaks: [Leak], _ word: String) -> [String] {
    leaks.flatMap { leak in
      ["\(word): data of \(leak.owner.upn) reach \(leak.sink.text)"]
        + (leak.condition.map { ["   where \($0)"] } ?? [])
        + leak.hops.map { hop in "   \(hop.text)" + (hop.why.map { ": \($0)" } ?? "") }
    }
  }
}
