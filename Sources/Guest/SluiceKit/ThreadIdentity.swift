/// Whom the running code acts for where a scope says so: the identity of the thread, or of the task.
///
/// It is a value of the task (`TaskLocal`), or on a thread that runs no task, of the thread. So what
/// restores it is the end of the scope, whatever ends it, and no other thread ever sees it.
package enum ThreadIdentity: Sendable, Hashable {
  /// No scope says anything: it falls back to the window's identity, then the process's.
  case unset
  /// The unknown account, which nobody manages.
  case unknown
  /// A UPN or an object id as the app has written it. Not empty.
  case account(String)

  /// That of the running code.
  @TaskLocal package static var current: ThreadIdentity = .unset

  /// - Parameter accountID: nil is ``unset``, `""` is ``unknown``.
  package init(accountID: String?) {
    self =
      switch accountID {
      case nil: .unset
      case .some(""): .unknown
      case .some(let name): .account(name)
      }
  }

  /// What the SDK's calls take and the host is told: nil when unset, `""` when unknown.
  package var accountID: String? {
    switch self {
    case .unset: nil
    case .unknown: ""
    case .account(let name): name
    }
  }

  /// Runs `body` under this identity, and restores the one before however `body` ends.
  package func scope<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try Self.$current.withValue(self) {
      Result { () throws(Failure) -> Value in try body() }
    }.get()
  }

  /// Runs `body` under this identity where the caller runs, and restores the one before however
  /// `body` ends.
  package nonisolated(nonsending) func scope<Value, Failure>(
    _ body: nonisolated(nonsending) () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await Self.$current.withValue(self) {
      do throws(Failure) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
