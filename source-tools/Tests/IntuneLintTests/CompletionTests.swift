import Testing

@Suite struct CompletionTests {
  @Test(arguments: [
    ("", "completionNotCalled:1"), ("print(1)", "completionNotCalled:1"),
    ("if x { done(.success) }", "completionNotCalled:2"),
    ("if x { done(.success) } else if y { done(.failed) }", "completionNotCalled:2"),
    ("guard x else { return }; done(.success)", "completionNotCalled:1"),
    ("switch x { case 1: done(.success)\ndefault: break }", "completionNotCalled:3"),
    ("if x {\nreturn }; done(.success)", "completionNotCalled:2"),
    ("do { try f(); done(.success) } catch { print(error) }", "completionNotCalled:2"),
    ("for a in all { done(.success) }", "completionNotCalled:2"),
    (
      "switch x { case 1: fallthrough; case 2: print(2); default: done(.failed) }",
      "completionNotCalled:2"
    ),
  ])
  func `lint reports a code path that does not call the completion handler`(
    body: String, code: String
  ) throws {
    #expect(try Linting.codes(inHandler: body) == [code])
  }

  @Test(arguments: [
    "done(.success)", "if x { done(.success) } else { done(.failed) }",
    "guard x else { done(.failed); return }; done(.success)",
    "guard x else { return done(.failed) }; done(.success)",
    "switch x { case 1: done(.success)\ndefault: done(.failed) }",
    "DispatchQueue.main.async { done(.success) }", "add(id, then: done)", "kept = done",
    "defer { done(.success) }; guard x else { return }; print(1)",
    "do { try f(); done(.success) } catch { done(.failed) }",
    "do { try f() } catch { return done(.failed) }; done(.success)",
    "Task { await f(); done(.success) }", "guard x else { fatalError() }; done(.success)",
    "while true { if x { done(.success); break } }",
    "repeat { print(1) } while x; done(.success)",
    "switch x { case 1: fallthrough; case 2: done(.success); default: done(.failed) }",
    "func end() { done(.success) }; end()", "x ? done(.success) : done(.failed)",
    "done(x ? .success : .failed)", "#if DEBUG\ndone(.success)\n#else\ndone(.failed)\n#endif",
    "let r = if x { 1 } else { 2 }; done(r)",
    "for a in all { if a { return done(.success) } }; done(.failed)",
  ])
  func `a handler that completes on each path is not reported`(body: String) throws {
    #expect(try Linting.codes(inHandler: body) == [])
  }

  @Test(arguments: [
    ("done(.success)\ndone(.failed)", "completionCalledTwice:2"),
    ("if x { done(.failed) }\ndone(.success)", "completionCalledTwice:2"),
    ("defer { done(.success) }\nif x { done(.failed) }", "completionCalledTwice:2"),
    ("do { done(.success)\ntry f() } catch {\ndone(.failed) }", "completionCalledTwice:3"),
  ])
  func `lint reports a second completion handler call on a code path`(body: String, code: String)
    throws
  {
    #expect(try Linting.codes(inHandler: body) == [code])
  }

  @Test func `completion handlers of the app's own methods are not checked`() throws {
    let text =
      "class D: IntuneMAMPolicyDelegate { func load(_ id: String, completion: () -> Void) {} }"
    #expect(try Linting.codes(text) == [])
  }
}
