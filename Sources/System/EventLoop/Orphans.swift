internal import CSpawn
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// Processes that the children of this process have started and left, outside of the children's process groups.
public enum Orphans {
  /// Makes such processes children of this one when their parent ends (PR_SET_CHILD_SUBREAPER of prctl(2)), so that
  /// ``end()`` finds them. From here on this process must start others by ``ChildProcess`` alone.
  public static func adopt() { cspawn_adopt_orphans() }

  /// The largest number of searches in one call: killed processes leave their own children behind.
  private static let rounds = 100
  /// The pause between searches in microseconds, for killed processes to be gone.
  private static let pause: UInt32 = 1_000

  /// The number of searches that were asked for.
  private static let asked = Atomic<Int>(0)
  /// The number of the last request whose search is over.
  private static let done = Mutex(0)

  /// Kills all processes that this one has adopted; nothing where it adopts none.
  ///
  /// A search looks at every process of the machine. Threads that ask during a search share the next one.
  public static func end() {
    guard cspawn_adopts_orphans() != 0 else { return }
    let ticket = asked.add(1, ordering: .sequentiallyConsistent).newValue
    done.withLock { done in
      guard done < ticket else { return }
      let last = asked.load(ordering: .sequentiallyConsistent)
      search()
      done = last
    }
  }

  private static func search() {
    for round in 0..<rounds {
      if round > 0 { usleep(pause) }
      let areFound = ChildProcess.withAll { pids in
        pids.withUnsafeBufferPointer { cspawn_end_orphans($0.baseAddress, Int32($0.count)) > 0 }
      }
      if !areFound { return }
    }
  }
}
