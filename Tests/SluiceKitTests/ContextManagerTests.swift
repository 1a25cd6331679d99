import SluiceKit
import Testing

/// The thread identity of the running code.
private var seen: String? { IntuneMAMPolicyManager.getCurrentThreadAccountId() }

/// The identities that a scope can set.
private let identities: [String?] = [
  nil, "", "anna@contoso.com", "Anna@Contoso.COM", "0f8fad5b-d9cb-469f-a165-70867728950e", " ",
  "日本",
]

private struct Refused: Error, Equatable {
  var code: Int
}

struct ContextManagerTests {
  @Test func `no thread identity is set before the first setAccountId`() {
    #expect(seen == nil)
  }

  @Test(arguments: identities)
  func `setAccountId sets the thread identity within its closure and then restores it`(
    identity: String?
  ) {
    let inside = IntuneMAMSwiftContextManager.setAccountId(identity) { seen }
    #expect(inside == identity)
    #expect(seen == nil)
  }

  @Test(arguments: identities, identities)
  func `in nested setAccountId scopes, the innermost identity applies`(
    outer: String?, inner: String?
  ) {
    var trail: [String?] = []
    IntuneMAMSwiftContextManager.setAccountId(outer) {
      trail.append(seen)
      IntuneMAMSwiftContextManager.setAccountId(inner) { trail.append(seen) }
      trail.append(seen)
    }
    #expect(trail == [outer, inner, outer])
    #expect(seen == nil)
  }

  @Test(arguments: identities)
  func `an error in a setAccountId scope is rethrown, and the identity is restored`(
    identity: String?
  ) {
    IntuneMAMSwiftContextManager.setAccountId("outer") {
      #expect(throws: Refused(code: 7)) {
        try IntuneMAMSwiftContextManager.setAccountId(identity) {
          #expect(seen == identity)
          throw Refused(code: 7)
        }
      }
      #expect(seen == "outer")
    }
  }

  /// The error keeps its type, and a scope that cannot throw needs no `try`.
  @Test func `setAccountId rethrows its closure's error with its type`() {
    do throws(Refused) {
      try IntuneMAMSwiftContextManager.setAccountId("anna") { () throws(Refused) in
        throw Refused(code: 1)
      }
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.code == 1)
    }
  }

  @Test func `setAccountId returns its closure's value`() {
    final class Unsendable {}
    let object = Unsendable()
    let same = IntuneMAMSwiftContextManager.setAccountId("anna") { object }
    #expect(same === object)
  }

  @Test(arguments: identities)
  func `an asynchronous setAccountId scope keeps its identity across suspensions`(identity: String?)
    async
  {
    var trail: [String?] = []
    await IntuneMAMSwiftContextManager.setAccountId(identity) {
      trail.append(seen)
      await Task.yield()
      trail.append(seen)
      #expect(await elsewhere() == identity)
      trail.append(seen)
      let nested = await IntuneMAMSwiftContextManager.setAccountId("inner") {
        await elsewhere()
      }
      #expect(nested == "inner")
      trail.append(seen)
    }
    #expect(trail == [identity, identity, identity, identity])
    #expect(seen == nil)
  }

  @Test(arguments: identities)
  func `an error propagates out of an asynchronous scope and restores the identity`(
    identity: String?
  ) async {
    await IntuneMAMSwiftContextManager.setAccountId("outer") {
      await #expect(throws: Refused(code: 7)) {
        try await IntuneMAMSwiftContextManager.setAccountId(identity) {
          await Task.yield()
          #expect(seen == identity)
          throw Refused(code: 7)
        }
      }
      #expect(seen == "outer")
    }
  }

  @Test func `cancelling a task ends its setAccountId scope and restores the identity`() async {
    let task = Task {
      var trail: [String?] = []
      do {
        try await IntuneMAMSwiftContextManager.setAccountId("anna") {
          trail.append(seen)
          try await Task.sleep(for: .seconds(600))
        }
      } catch is CancellationError {
        trail.append(seen)
      } catch {
        Issue.record(error)
      }
      return trail
    }
    task.cancel()
    #expect(await task.value == ["anna", nil])
  }

  @Test func `a cancelled task can set an identity with setAccountId`() async {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return IntuneMAMSwiftContextManager.setAccountId("anna") { seen }
    }
    task.cancel()
    #expect(await task.value == "anna")
  }

  @MainActor @Test func `an asynchronous setAccountId scope stays on the caller's actor`() async {
    await IntuneMAMSwiftContextManager.setAccountId("anna") {
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
    }
    MainActor.assertIsolated()
  }

  @Test func `a setAccountId scope can access the state of the caller's actor`() async {
    let ledger = Ledger()
    await ledger.write(2)
    #expect(await ledger.lines == ["anna", "anna"])
  }
}

/// An actor that calls a scope. The scope's body runs on this actor.
private actor Ledger {
  private(set) var lines: [String?] = []

  func write(_ count: Int) async {
    await IntuneMAMSwiftContextManager.setAccountId("anna") {
      for _ in 0..<count {
        lines.append(seen)
        await Task.yield()
        self.assertIsolated()
      }
    }
  }
}

@concurrent private func elsewhere() async -> String? { seen }
