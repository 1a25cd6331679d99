import Foundation
import SluiceDispatch
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct StormTests {
  /// Random programs against the model, which needs no thread.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func everyLookSeesWhatTheModelSays(seed: UInt64) async {
    var generator = SeededGenerator(seed: seed)
    var counter = 0
    let program = Errand.random(size: 4, depth: 4, counter: &counter, using: &generator)
    let looks = Mutex<[Int: [String?]]>([:])
    let doing = Doing { number, identity in
      looks.withLock { $0[number, default: []].append(identity) }
    }
    let isDone = await blocking {
      doing.run(program)
      return doing.group.wait(timeout: .now() + 600) == .success
    }
    #expect(isDone)
    let seen = looks.withLock { $0 }
    let expected = Errand.expected(program, under: nil)
    #expect(expected.count == counter)
    #expect(seen.count == counter)
    let wrong = expected.filter { number, identity in seen[number] != [identity] }
    #expect(wrong.keys.sorted() == [], "seed \(seed)")
  }

  /// Thousands of pieces of work on shared queues, from many threads. Plain work among them looks whether
  /// anybody left an identity on the thread.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func noWorkSeesAnothersIdentity(seed: UInt64) async {
    let storm = Storm()
    let (threads, each) = (8, 750)
    let isDone = await blocking {
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        var generator = SeededGenerator(seed: seed &* 1_000 &+ UInt64(thread))
        for number in 0..<each {
          storm.blow(as: number % 17 == 0 ? nil : "\(thread)/\(number)", using: &generator)
        }
      }
      return storm.group.wait(timeout: .now() + 600) == .success
    }
    #expect(isDone)
    #expect(storm.done.load(ordering: .relaxed) == threads * each)
    #expect(storm.wrong.load(ordering: .relaxed) == 0)
    #expect(storm.dirty.load(ordering: .relaxed) == 0)
  }
}

private final class Storm: Sendable {
  /// Pieces of work that have run.
  let done = Atomic(0)
  /// Those of them that saw another identity than theirs.
  let wrong = Atomic(0)
  /// Looks of nobody's that saw an identity.
  let dirty = Atomic(0)
  let group = DispatchGroup()
  private let operations = IdentityOperationQueue()
  private let queues =
    (0..<4).map { IdentityDispatchQueue(label: "serial \($0)") } + [
      IdentityDispatchQueue(label: "concurrent", attributes: .concurrent), .global(),
      .global(qos: .userInitiated),
    ]

  /// Has one piece of work done for `identity`, in a random way, and looks around.
  func blow(as identity: String?, using generator: inout SeededGenerator) {
    let queue = queues[Int.random(in: 0..<queues.count, using: &generator)]
    let way = Int.random(in: 0..<6, using: &generator)
    let pauses = Int.random(in: 0..<4, using: &generator) == 0
    let work: @Sendable () -> Void = { [self] in
      if pauses { sched_yield() }
      let nested = acting(for: "nested") { seen }
      if seen != identity || nested != "nested" { wrong.add(1, ordering: .relaxed) }
      done.add(1, ordering: .relaxed)
      group.leave()
    }
    group.enter()
    acting(for: identity) { hand(work, to: queue, way) }
    queue.queue.async(group: group) { self.look() }
    look()
  }

  private func hand(
    _ work: @escaping @Sendable () -> Void, to queue: IdentityDispatchQueue, _ way: Int
  ) {
    switch way {
    case 0: queue.sync { work() }
    case 1: queue.asyncAfter(deadline: .now() + 0.000_1, execute: work)
    case 2: queue.async(execute: IdentityDispatchWorkItem(block: work))
    case 3: operations.addOperation(work)
    case 4: Task(priority: .high) { work() }
    default:  // open: the last of the ways
      queue.async(execute: work)
    }
  }

  private func look() {
    if seen != nil { dirty.add(1, ordering: .relaxed) }
  }
}
