import Foundation
import Synchronization

/// Threads that open connections to a control socket in a loop, without sending anything.
final class Flood: Sendable {
  private let isOver = Atomic<Bool>(false)
  /// The number of connections made so far.
  private let made = Atomic<Int>(0)
  private let running: Atomic<Int>

  /// Starts the threads.
  ///
  /// - Parameter held: The number of connections that each thread keeps open.
  init(_ path: String, threads: Int, held: Int) {
    running = Atomic(threads)
    for _ in 0..<threads { Thread { [self] in flood(path, held) }.start() }
  }

  private func flood(_ path: String, _ held: Int) {
    var clients: [Client] = []
    while !isOver.load(ordering: .relaxed) {
      guard let client = try? Client(path) else { continue }
      clients.append(client)
      if clients.count > held { clients.removeFirst() }
      made.add(1, ordering: .relaxed)
    }
    running.subtract(1, ordering: .releasing)
  }

  var count: Int { made.load(ordering: .relaxed) }

  var hasEnded: Bool { running.load(ordering: .acquiring) == 0 }

  func end() { isOver.store(true, ordering: .relaxed) }
}
