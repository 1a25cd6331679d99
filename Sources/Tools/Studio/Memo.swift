internal import Synchronization

/// The latest results of a computation, by their inputs. Copies of a workbench share them.
final class Memo<Input: Equatable & Sendable, Output: Sendable>: Sendable {
  private struct Entry {
    var input: Input
    var output: Output
  }

  /// The entries, the one used last at the end.
  private let entries = Mutex<[Entry]>([])

  /// The maximum number of results.
  private static var capacity: Int { 8 }

  /// Returns the result for an input, computed unless it is among the latest ones.
  func value(for input: Input, _ compute: () -> Output) -> Output {
    if let known = known(input) { return known }
    let output = compute()
    entries.withLock { entries in
      if entries.count == Self.capacity { entries.removeFirst() }
      entries.append(Entry(input: input, output: output))
    }
    return output
  }

  private func known(_ input: Input) -> Output? {
    entries.withLock { entries in
      guard let index = entries.lastIndex(where: { $0.input == input }) else { return nil }
      let entry = entries.remove(at: index)
      entries.append(entry)
      return entry.output
    }
  }
}
