package import Simulation

/// A run whose shards are done elsewhere.
package protocol ClusterJob: Sendable {
  var folder: JobFolder { get }
  /// The number of shards.
  var shards: Int { get }

  /// The state of each shard, by its number. What the scheduler does not know any more has ended.
  ///
  /// - Throws: ``RunError`` where the scheduler does not answer, which it may do again later.
  func states() throws(RunError) -> [Int: ShardState]

  /// What is wrong with hosts, a sentence each; empty where nothing is, or is not known.
  var complaints: [String] { get }

  /// Ends all shards.
  ///
  /// - Throws: ``RunError`` where the scheduler does not take that in.
  func cancel() throws(RunError)
}

extension ClusterJob {
  package var complaints: [String] { [] }
}

/// What becomes of a shard.
package enum ShardState: Sendable, Equatable {
  /// It waits to be begun, for a reason that the scheduler names; nil: it names none.
  case waiting(String?)
  /// It runs, on a host.
  case running(String)
  /// It has ended, or will never begin: the reason, such as `with status 2 on node3`.
  case ended(String)
}
