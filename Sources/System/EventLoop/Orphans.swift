internal import CSpawn
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// Processes that the children of this process have started and left: out of their process group, nobody finds them there.
public enum Orphans {
  /// Has such processes become children of this one when their parent ends (PR_SET_CHILD_SUBREAPER of prctl(2)), so that
  /// ``end()`` finds them. From here on this process must start others by ``ChildProcess`` alone.
  public static func adopt() { cspawn_adopt_orphans() }

  /// How often it is looked for more: what is killed leaves its own children behind.
  private static let rounds = 100
  /// In microseconds: for what was killed to be gone.
  private static let pause: UInt32 = 1_000

  /// Searches that were asked for.
  private static let asked = Atomic<Int>(0)
  /// Of which those are over that were asked for up to this one.
  private static let done = Mutex(0)

  /// Kills all that this process has adopted; nothing where it adopts none.
  ///
  /// A search looks at every process of the machine. Threads that ask while one goes on have the next one together.
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
