import Foundation
import SluiceDispatch
import SluiceKit
import TestSupport

/// A piece of a random program: something that is done, and what is done within it.
indirect enum Errand: Sendable {
  /// Looks whom it acts for.
  case look(Int)
  /// A scope of an identity.
  case scope(String?, [Errand])
  /// A scope that an error leaves.
  case thrown(String?, [Errand])
  /// Work that is handed over in one of the ways of ``Way``, by its index.
  case way(Int, [Errand])
  /// A work item that this code creates, and that another identity dispatches.
  case item(dispatcher: String?, [Errand])
  /// An operation that this code makes, and that another identity adds.
  case operation(adder: String?, [Errand])
  /// A task that waits in an asynchronous scope.
  case asyncScope(String?, [Errand])
  /// What takes nothing along: a detached task.
  case detached([Errand])
  /// A plain, unwrapped block.
  case plain([Errand])
}

extension Errand {
  /// What each look must see: the model, which carries the identity from hand to hand.
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
    case .way(_, let body), .item(_, let body): Self.expected(body, under: identity)
    case .operation(let adder, let body): Self.expected(body, under: adder)
    case .detached(let body), .plain(let body): Self.expected(body, under: nil)
    }
  }
}

extension Errand {
  /// A random program of about `size` looks, at most `depth` deep.
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
      .way(Int.random(in: 0..<Way.all.count, using: &generator), body)
    }
  }
}

/// What an ``Errand`` is when it is really done.
struct Doing: Sendable {
  struct Refused: Error {}

  /// Called with each look's number and what it saw.
  let report: @Sendable (Int, String?) -> Void
  /// Counts what is on its way.
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
    case .way(let way, let body): Way.all[way].start(later(body))
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

  /// Work that the group counts. What it has done within is done elsewhere, for a serial queue cannot wait
  /// for itself.
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
