import Testing

@testable import Host

/// The times at which containers are looked at.
@Suite struct LookScheduleTests {
  @Test func `the fuller, the sooner`() {
    let intervals = [0, 0.2, 0.4, 0.6, 0.8, 1, 7].map(LookSchedule.interval(share:))
    #expect(intervals == [1_000, 500, 250, 125, 62, 62, 62])
  }

  @Test func `a container that nobody has looked at is due first`() {
    var schedule = LookSchedule()
    #expect(schedule.due(["b", "a"], at: 0) == ["a", "b"])
    schedule.didLook(at: "a", DiskUsage(), share: 0, at: 0)
    #expect(schedule.due(["b", "a"], at: 0) == ["b"])
    #expect(schedule.due(["b", "a"], at: 1_000) == ["b", "a"])
  }

  @Test func `what does not change is looked at more seldom, and what changes soon again`() {
    var schedule = LookSchedule()
    var now: UInt64 = 0
    var intervals: [UInt64] = []
    for _ in 0..<6 {
      schedule.didLook(at: "a", DiskUsage(bytes: 5, files: 1), share: 0.9, at: now)
      let begin = now
      while schedule.due(["a"], at: now).isEmpty { now += 1 }
      intervals.append(now - begin)
    }
    #expect(intervals == [62, 124, 248, 496, 992, 1_984])
    schedule.didLook(at: "a", DiskUsage(bytes: 6, files: 1), share: 0.9, at: now)
    #expect(schedule.due(["a"], at: now + 62) == ["a"])
  }

  @Test func `when the disk loses room, all are due`() {
    var schedule = LookSchedule()
    schedule.didLook(at: "a", DiskUsage(), share: 0, at: 0)
    schedule.hasten(to: 10)
    #expect(schedule.due(["a"], at: 10) == ["a"])
  }
}
