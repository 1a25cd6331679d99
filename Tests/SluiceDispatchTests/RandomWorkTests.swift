import Foundation
import SluiceDispatch
import SluiceKit
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct RandomWorkTests {
  /// Compares random programs with the model, which uses no threads.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `random dispatched work runs under the identity that the model predicts`(seed: UInt64) async
  {
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

  /// Runs thousands of work items on shared queues, from many threads. Unwrapped items among them
  /// check that no identity remains on the thread.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `dispatched work never runs under the identity of other work`(seed: UInt64) async {
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
  /// The number of completed work items.
  let done = Atomic(0)
  /// The number of work items that saw a wrong identity.
  let wrong = Atomic(0)
  /// The number of unwrapped work items that saw an identity.
  let dirty = Atomic(0)
  let group = DispatchGroup()
  private let operations = IdentityOperationQueue()
  private let queues =
    (0..<4).map { IdentityDispatchQueue(label: "serial \($0)") } + [
      IdentityDispatchQueue(label: "concurrent", attributes: .concurrent), .global(),
      .global(qos: .userInitiated),
    ]

  /// Runs a work item for `identity` by a random method, and checks the identity.
  func blow(as identity: String?, using generator: inout SeededGenerator) {
    let queue = queues[Int.random(in: 0..<queues.count, using: &generator)]
    let method = Int.random(in: 0..<6, using: &generator)
    let pauses = Int.random(in: 0..<4, using: &generator) == 0
    let work: @Sendable () -> Void = { [self] in
      if pauses { sched_yield() }
      let nested = acting(for: "nested") { seen }
      if seen != identity || nested != "nested" { wrong.add(1, ordering: .relaxed) }
      done.add(1, ordering: .relaxed)
      group.leave()
    }
    group.enter()
    acting(for: identity) { hand(work, to: queue, method) }
    queue.queue.async(group: group) { self.look() }
    look()
  }

  private func hand(
    _ work: @escaping @Sendable () -> Void, to queue: IdentityDispatchQueue, _ method: Int
  ) {
    switch method {
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

/// A part of a random program. It is an operation, and the operations inside it.
indirect enum Errand: Sendable {
  /// An operation that reads the acting identity.
  case look(Int)
  /// A scope of an identity.
  case scope(String?, [Errand])
  /// A scope that ends with an error.
  case thrown(String?, [Errand])
  /// Work scheduled by the ``DispatchMethod`` with this index.
  case method(Int, [Errand])
  /// A work item that is created here and dispatched under another identity.
  case item(dispatcher: String?, [Errand])
  /// An operation that is created here and added under another identity.
  case operation(adder: String?, [Errand])
  /// A task that suspends in an asynchronous scope.
  case asyncScope(String?, [Errand])
  /// A detached task, which inherits nothing.
  case detached([Errand])
  /// A plain, unwrapped block.
  case plain([Errand])

  /// Returns the expected identity of each read. This is the model, which passes the identity along
  /// explicitly.
  static func expected(_ errands: [Errand], under identity: String?) -> [Int: String?] {
    var all: [Int: String?] = [:]
    for errand in errands {
      all.merge(errand.expected(under: identity)) { first, _ in first }
    }
    return all
  }

  private func expected(under identity: String?) -> [Int: String?] {
    switch self {
    case .look(let number): [number: identity]
    case .scope(let inner, let body), .thrown(let inner, let body),
      .asyncScope(let inner, let body):
      Self.expected(body, under: inner)
    case .method(_, let body), .item(_, let body): Self.expected(body, under: identity)
    case .operation(let adder, let body): Self.expected(body, under: adder)
    case .detached(let body), .plain(let body): Self.expected(body, under: nil)
    }
  }

  /// Returns a random program of about `size` reads, at most `depth` levels deep.
  static func random(
    size: Int, depth: Int, counter: inout Int, using generator: inout SeededGenerator
  ) -> [Errand] {
    var errands: [Errand] = []
    for _ in 0..<size {
      counter += 1
      errands.append(.look(counter))
      guard depth > 0 else { continue }
      let body = random(
        size: Int.random(in: 1...2, using: &generator), depth: depth - 1, counter: &counter,
        using: &generator)
      errands.append(random(around: body, using: &generator))
    }
    counter += 1
    return errands + [.look(counter)]
  }

  private static func random(
    around body: [Errand], using generator: inout SeededGenerator
  ) -> Errand {
    let identity = [nil, "", "anna", "bob"].randomElement(using: &generator) ?? nil
    return switch Int.random(in: 0..<12, using: &generator) {
    case 0, 1: .scope(identity, body)
    case 2: .thrown(identity, body)
    case 3: .item(dispatcher: identity, body)
    case 4: .operation(adder: identity, body)
    case 5: .asyncScope(identity, body)
    case 6: .detached(body)
    case 7: .plain(body)
    default:  // open: the last of the numbers
      .method(Int.random(in: 0..<DispatchMethod.all.count, using: &generator), body)
    }
  }
}

/// The real execution of an ``Errand``.
struct Doing: Sendable {
  struct Refused: Error {}

  /// Called with the number of each read and its result.
  let report: @Sendable (Int, String?) -> Void
  /// The group that counts unfinished work.
  let group = DispatchGroup()
  private let operations = IdentityOperationQueue()

  init(_ report: @escaping @Sendable (Int, String?) -> Void) { self.report = report }

  func run(_ errands: [Errand]) {
    for errand in errands { run(errand) }
  }

  private func run(_ errand: Errand) {
    switch errand {
    case .look(let number): report(number, seen)
    case .scope(let identity, let body):
      acting(for: identity) { run(body) }
    case .thrown(let identity, let body):
      try? IntuneMAMSwiftContextManager.setAccountId(identity) {
        run(body)
        throw Refused()
      }
    case .method(let method, let body): DispatchMethod.all[method].start(later(body))
    case .item(let dispatcher, let body):
      let item = IdentityDispatchWorkItem(block: later(body))
      acting(for: dispatcher) { IdentityDispatchQueue.global().async(execute: item) }
    case .operation(let adder, let body):
      let operation = IdentityBlockOperation(block: later(body))
      acting(for: adder) { operations.addOperation(operation) }
    case .asyncScope(let identity, let body):
      let work = later(body)
      Task(priority: .high) {
        await IntuneMAMSwiftContextManager.setAccountId(identity) {
          await Task.yield()
          work()
        }
      }
    case .detached(let body):
      let work = later(body)
      Task.detached(priority: .high) { work() }
    case .plain(let body): DispatchQueue.global().async(execute: later(body))
    }
  }

  /// Returns work that the group counts. Its inner work runs elsewhere, because a serial queue
  /// cannot wait for itself.
  private func later(_ body: [Errand]) -> @Sendable () -> Void {
    group.enter()
    return {
      IdentityDispatchQueue.global().async {
        run(body)
        group.leave()
      }
    }
  }
}
