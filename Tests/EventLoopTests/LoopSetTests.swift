import EventLoop
import Testing

/// Several loops on one thread.
@Suite(.timeLimit(.minutes(15))) struct LoopSetTests {
  @Test func `each loop goes on, and wakes for what another opens on it`() throws {
    try withLoop { first in
      try withLoop { second in
        var path: [String] = []
        var (later, last): (Timer?, Timer?)
        last = try Timer(on: first) { path.append("first again") }
        later = try Timer(on: second) {
          path.append("second")
          last?.start(after: 1)
          first.touch()
        }
        let start = try Timer(on: first) {
          path.append("first")
          later?.start(after: 1)
          second.touch()
        }
        start.start(after: 0)
        try #require(LoopSet([first, second])).run { path.count == 3 }
        #expect(path == ["first", "second", "first again"])
      }
    }
  }

  @Test func `work on other threads wakes the loop that gave it`() throws {
    try withLoop { first in
      try withLoop { second in
        var result = 0
        second.work {
          21
        } then: {
          result = $0 * 2
        }
        try #require(LoopSet([first, second])).run { result != 0 }
        #expect(result == 42)
      }
    }
  }

  @Test func `a loop without handles keeps nobody awake`() throws {
    try withLoop { first in
      try withLoop { second in
        var isDue = false
        let timer = try Timer(on: first) { isDue = true }
        timer.start(after: 50)
        var looks = 0
        try #require(LoopSet([first, second])).run {
          looks += 1
          return isDue
        }
        #expect(looks < 20, "\(looks)")
      }
    }
  }

  @Test func `a condition that holds needs no event`() throws {
    try withLoop { first in
      try withLoop { second in
        let set = try #require(LoopSet([first, second]))
        set.run { true }
        #expect(set.isOf([first, second]) && !set.isOf([second, first]) && !set.isOf([first]))
      }
    }
  }
}
