import Glibc
import Testing

@testable import Host

@Suite struct DeadlineExtensionTests {
  private typealias Reading = DeadlineExtension.Reading

  /// Readings after a reading at 9,000 ms, for a limit of 10,000 ms, and whether the deadline is extended.
  @Test(
    arguments: [
      // The guest has slept or computed.
      (time: 10_000, waited: 0, isExtended: false),
      (time: 10_000, waited: 499, isExtended: false),
      // The guest has waited for a processor.
      (time: 10_000, waited: 500, isExtended: true),
      (time: 10_000, waited: 1_000, isExtended: true),
      // The device was late.
      (time: 10_999, waited: 0, isExtended: false),
      (time: 11_000, waited: 0, isExtended: true),
    ] as [(time: UInt64, waited: UInt64, isExtended: Bool)])
  func `a guest that waited for a processor, or for the device, gets more time`(
    time: UInt64, waited: UInt64, isExtended: Bool
  ) {
    var extended = DeadlineExtension()
    extended.begin(at: 0)
    extended.observe(Reading(time: 9_000, waited: 70_000))
    let more = extended.extend(10_000, Reading(time: time, waited: 70_000 + waited))
    #expect(more == (isExtended ? 1_000 : nil))
  }

  @Test func `a guest that makes requests gets more time`() {
    var extended = DeadlineExtension()
    extended.observe(Reading(time: 9_000, waited: 0, requests: 4))
    #expect(extended.extend(10_000, Reading(time: 10_000, waited: 0, requests: 5)) == 1_000)
    #expect(extended.extend(10_000, Reading(time: 11_000, waited: 0, requests: 5)) == nil)
  }

  @Test func `without an earlier reading, the first extension serves to compare readings`() {
    var idle = DeadlineExtension()
    #expect(idle.extend(10_000, Reading(time: 10_000, waited: 8_000)) == 1_000)
    #expect(idle.extend(10_000, Reading(time: 11_000, waited: 8_000)) == nil)
    var starved = DeadlineExtension()
    #expect(starved.extend(10_000, Reading(time: 10_000, waited: 8_000)) == 1_000)
    #expect(starved.extend(10_000, Reading(time: 11_000, waited: 8_900)) == 1_000)
  }

  @Test func `without readings, no deadline is extended`() {
    var extended = DeadlineExtension()
    #expect(extended.extend(10_000, nil) == nil)
    #expect(processorWait(of: -1) == nil)
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

  @Test func `short limits have extensions, too`() {
    #expect([0, 1, 9, 10, 10_000].map(DeadlineExtension.length) == [1, 1, 1, 1, 1_000])
  }
}
