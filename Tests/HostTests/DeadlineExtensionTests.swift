import EventLoop
import Testing

@testable import Host

@Suite struct DeadlineExtensionTests {
  private typealias Reading = DeadlineExtension.Reading

  /// Each row has a reading after the reading at 9,000 ms, for a limit of 10,000 ms, and whether
  /// the deadline is extended.
  @Test(
    arguments: [
      // The guest has slept or computed.
      (time: 10_000, waited: 0, own: 0, isExtended: false),
      (time: 10_000, waited: 499, own: 0, isExtended: false),
      // The guest has waited for a processor.
      (time: 10_000, waited: 500, own: 0, isExtended: true),
      (time: 10_000, waited: 1_000, own: 0, isExtended: true),
      // It has waited for its own processes, or may have.
      (time: 10_000, waited: 1_000, own: 1_000, isExtended: false),
      (time: 10_000, waited: 1_000, own: 2_000, isExtended: false),
      (time: 10_000, waited: 1_000, own: 501, isExtended: false),
      (time: 10_000, waited: 1_000, own: 500, isExtended: true),
      // The device was late.
      (time: 10_999, waited: 0, own: 0, isExtended: false),
      (time: 11_000, waited: 0, own: 0, isExtended: true),
      // It may have been late because of the guest's own processes.
      (time: 11_000, waited: 0, own: 1, isExtended: false),
      (time: 12_000, waited: 0, own: 1_000, isExtended: true),
    ] as [(time: UInt64, waited: UInt64, own: UInt64, isExtended: Bool)])
  func `a guest that waited for other programs or the device gets a deadline extension`(
    time: UInt64, waited: UInt64, own: UInt64, isExtended: Bool
  ) {
    var extended = DeadlineExtension()
    extended.begin(at: 0)
    extended.observe(Reading(time: 9_000, waited: 70_000, own: 50_000))
    let reading = Reading(time: time, waited: 70_000 + waited, own: 50_000 + own)
    #expect(extended.extend(10_000, reading) == (isExtended ? 1_000 : nil))
  }

  /// The kernel has not counted the waiting yet.
  @Test(
    arguments: [
      (isHeldUp: false, ran: 0, own: 0, isExtended: false),
      (isHeldUp: true, ran: 0, own: 0, isExtended: true),
      (isHeldUp: true, ran: 500, own: 0, isExtended: true),
      (isHeldUp: true, ran: 501, own: 0, isExtended: false),
      (isHeldUp: true, ran: 1_000, own: 0, isExtended: false),
      (isHeldUp: true, ran: 1_001, own: 0, isExtended: false),
      (isHeldUp: true, ran: 0, own: 500, isExtended: true),
      (isHeldUp: true, ran: 0, own: 501, isExtended: false),
    ] as [(isHeldUp: Bool, ran: UInt64, own: UInt64, isExtended: Bool)])
  func `a guest that waits for a processor or the disk gets more time`(
    isHeldUp: Bool, ran: UInt64, own: UInt64, isExtended: Bool
  ) {
    var extended = DeadlineExtension()
    extended.begin(at: 0)
    extended.observe(Reading(time: 9_000, waited: 70_000, ran: 60_000, own: 50_000))
    let reading = Reading(
      time: 10_000, waited: 70_000, ran: 60_000 + ran, isHeldUp: isHeldUp, own: 50_000 + own)
    #expect(extended.extend(10_000, reading) == (isExtended ? 1_000 : nil))
  }

  @Test func `a guest that makes requests gets more time`() {
    var extended = DeadlineExtension()
    extended.observe(Reading(time: 9_000, waited: 0, requests: 4))
    #expect(extended.extend(10_000, Reading(time: 10_000, waited: 0, requests: 5)) == 1_000)
    #expect(extended.extend(10_000, Reading(time: 11_000, waited: 0, requests: 5)) == nil)
  }

  @Test func `a deadline's second extension requires additional waiting time since the first`() {
    var idle = DeadlineExtension()
    #expect(idle.extend(10_000, Reading(time: 10_000, waited: 8_000)) == 1_000)
    #expect(idle.extend(10_000, Reading(time: 11_000, waited: 8_000)) == nil)
    var starved = DeadlineExtension()
    #expect(starved.extend(10_000, Reading(time: 10_000, waited: 8_000)) == 1_000)
    #expect(starved.extend(10_000, Reading(time: 11_000, waited: 8_900)) == 1_000)
  }

  @Test func `if the guest's waiting time is unreadable, its deadline is not extended`() {
    var extended = DeadlineExtension()
    #expect(extended.extend(10_000, nil) == nil)
    #expect(ProcessFolder(of: -1).mainThread == nil)
    #expect(ProcessFolder(of: -1).processorTime(withInitOf: nil) == 0)
  }

  @Test func `the extensions of a deadline are bounded, and progress begins a new period`() {
    var extended = DeadlineExtension()
    func total(from start: UInt64) -> UInt64 {
      extended.begin(at: start)
      var time = start + 300
      while let more = extended.extend(300, Reading(time: time, waited: time)) { time += more }
      return time - start
    }
    #expect(total(from: 1_000) == 300 + 5 * 300)
    #expect(total(from: 1_000) == 300)
    #expect(total(from: 9_000) == 300 + 5 * 300)
  }

  @Test func `a deadline is extended by a tenth, but at least by one millisecond`() {
    #expect([0, 1, 9, 10, 10_000].map(DeadlineExtension.length) == [1, 1, 1, 1, 1_000])
  }
}

extension RealProcesses {
  /// Programs whose own child processes compute.
  @Suite struct DeadlineExtensionAbuseTests {
    /// The ways in which `hostile-guest spin` has children.
    static let ways = ["children", "orphans", "short-lived", "threads"]

    /// Returns a device whose time passes by itself. No guest misses a deadline, however busy the machine is.
    private static func lab() throws -> Lab {
      try Lab {
        $0.deadlines = .system
        $0.limits.handshake = 3_600_000
        $0.limits.delivery = 3_600_000
      }
    }

    /// Starts `hostile-guest spin`.
    private static func spin(_ arguments: [String], in lab: Lab) throws -> Guest {
      try lab.hostile("spin", arguments)
      lab.hasDeafGuests = false
      return try #require(lab.device.services.registry["hostile"])
    }

    @Test(arguments: ways)
    func `the processor time of a guest's child processes and threads is measured`(way: String)
      throws
    {
      let lab = try Self.lab()
      let guest = try Self.spin([way, "2"], in: lab)
      let before = try #require(lab.device.guests.reading(of: guest))
      lab.wait("its children to compute") {
        let reading = lab.device.guests.reading(of: guest)
        return (reading?.own ?? 0) >= before.own + 300
      }
      lab.kill("hostile")
      lab.close()
    }

    @Test func `a computing guest is ready to run, and a guest that waits for messages is not`()
      throws
    {
      let lab = try Self.lab()
      let guest = try Self.spin(["threads", "0"], in: lab)
      lab.wait("it to compute") { lab.device.guests.reading(of: guest)?.isHeldUp == true }
      lab.kill("hostile")
      try lab.app("mail")
      let mail = try #require(lab.device.services.registry["mail"])
      lab.wait("the app to wait") { lab.device.guests.reading(of: mail)?.isHeldUp == false }
      lab.close()
    }

    @Test
    func `without a control group, no waiting time is counted for a guest that ignores SIGCHLD`()
      throws
    {
      let lab = try Self.lab()
      let guest = try Self.spin(["ignored", "2"], in: lab)
      if guest.process.controlGroup == nil {
        lab.wait("SIGCHLD to be ignored") { lab.device.guests.reading(of: guest)?.waited == 0 }
        #expect(lab.device.guests.reading(of: guest)?.own == 0)
      }
      lab.kill("hostile")
      lab.close()
    }
  }
}
