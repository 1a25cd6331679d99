/// The identity that a scope has set for the running code: the identity of the thread, or of the task.
///
/// It is a value of the task (`TaskLocal`), or on a thread that runs no task, of the thread. The end of the scope
/// therefore restores it, whatever ends it, and no other thread ever sees it.
package enum ThreadIdentity: Sendable, Hashable {
  /// No scope has set an identity: the identity of the window counts, then that of the process.
  case unset
  /// The unknown account, which is unmanaged.
  case unknown
  /// A UPN or an object id as the app has written it. Not empty.
  case account(String)

  /// The identity of the running code.
  @TaskLocal package static var current: ThreadIdentity = .unset

  /// The identity that the SDK's calls name by `accountID`: nil is ``unset``, `""` is ``unknown``.
  package init(accountID: String?) {
    self =
      switch accountID {
      case nil: .unset
      case .some(""): .unknown
      case .some(let name): .account(name)
      }
  }

  /// The name by which the SDK's calls and the host's messages state the identity: nil when unset, `""` when unknown.
  package var accountID: String? {
    switch self {
    case .unset: nil
    case .unknown: ""
    case .account(let name): name
    }
  }

  /// Runs `body` under this identity, and restores the previous one however `body` ends.
  ///
  /// - Throws: the error of `body`.
  package func scope<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try Self.$current.withValue(self) {
      Result { () throws(Failure) -> Value in try body() }
    }.get()
  }

  /// Runs `body` under this identity on the caller's actor, and restores the previous one however
  /// `body` ends.
  ///
  /// - Throws: the error of `body`.
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
