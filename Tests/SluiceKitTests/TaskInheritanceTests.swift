import SluiceKit
import Testing

private var seen: String? { IntuneMAMPolicyManager.getCurrentThreadAccountId() }

/// Tests which Swift concurrency constructs inherit the identity.
struct TaskInheritanceTests {
  @Test(arguments: [nil, "", "anna@contoso.com"] as [String?])
  func `a task has its starter's identity`(identity: String?) async {
    let task = IntuneMAMSwiftContextManager.setAccountId(identity) {
      Task {
        await Task.yield()
        return seen
      }
    }
    // The scope has ended when the task resumes.
    #expect(await task.value == identity)
  }

  @Test func `a detached task does not inherit an identity`() async {
    let task = IntuneMAMSwiftContextManager.setAccountId("anna") {
      Task.detached { seen }
    }
    #expect(await task.value == nil)
  }

  @Test func `a detached task can set a captured identity`() async {
    let task = IntuneMAMSwiftContextManager.setAccountId("anna") {
      let identity = seen
      return Task.detached {
        await IntuneMAMSwiftContextManager.setAccountId(identity) {
          await Task.yield()
          return seen
        }
      }
    }
    #expect(await task.value == "anna")
  }

  @Test func `an async let child runs under its parent task's identity`() async {
    let both = await IntuneMAMSwiftContextManager.setAccountId("anna") {
      async let first = seen
      async let second = IntuneMAMSwiftContextManager.setAccountId("") { seen }
      return await [first, second]
    }
    #expect(both == ["anna", ""])
  }

  @Test func `tasks of a group have their parent's identity`() async {
    let all = await IntuneMAMSwiftContextManager.setAccountId("anna") {
      await withTaskGroup(of: String?.self) { group in
        for _ in 0..<20 { group.addTask { seen } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(all == [String?](repeating: "anna", count: 20))
  }

  @Test func `a task added to a group within a scope has the scope's identity`() async {
    let all = await withTaskGroup(of: [String?].self) { group in
      for identity in ["anna", "", nil] {
        IntuneMAMSwiftContextManager.setAccountId(identity) {
          group.addTask { [identity, seen] }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(all.count == 3)
    #expect(all.allSatisfy { $0[0] == $0[1] })
  }

  @Test func `a child's identity is invisible to its parent`() async {
    await IntuneMAMSwiftContextManager.setAccountId("anna") {
      async let child = IntuneMAMSwiftContextManager.setAccountId("bob") {
        await Task.yield()
        return seen
      }
      #expect(seen == "anna")
      #expect(await child == "bob")
      #expect(seen == "anna")
    }
  }

  @Test func `a continuation resumes under the identity of its own task`() async {
    let after = await IntuneMAMSwiftContextManager.setAccountId("anna") {
      await withCheckedContinuation { continuation in
        Task.detached {
          IntuneMAMSwiftContextManager.setAccountId("bob") { continuation.resume() }
        }
      }
      return seen
    }
    #expect(after == "anna")
  }

  @Test func `a task keeps its identity when it changes actors`() async {
    let there = await IntuneMAMSwiftContextManager.setAccountId("anna") {
      await MainActor.run { seen }
    }
    #expect(there == "anna")
  }
}
