import EventLoop
import Model
import TestSupport
import Testing
import Wire

@testable import Host

/// The shares of guests in the device's time. Each look at the clock takes a quarter of a slice.
@Suite struct TimeSliceTests {
  let lab: QuietLab

  init() throws {
    lab = try QuietLab()
    var time: UInt64 = 0
    lab.owners.slices.clock = {
      time += TimeSlices.length / 4
      return time
    }
  }

  /// Says much before any of it is read.
  ///
  /// - Returns: the numbers of the requests.
  private func flood(_ guest: MemoryGuest, _ count: Int) -> [UInt64] {
    guest.isUnheard = true
    let requests = (0..<count).map { number in
      guest.say(.keychainAdd(KeychainKey(service: "flood", account: "\(number)"), value: []))
    }
    guest.isUnheard = false
    return requests
  }

  private func answered(_ requests: [UInt64], of guest: MemoryGuest) -> Int {
    requests.filter { guest.outcome(of: $0) != nil }.count
  }

  @Test func `a guest that floods rests, and another one is served at once`() throws {
    let (flooder, other) = (try lab.app("flooder"), try lab.app("other"))
    let requests = flood(flooder, 100)
    flooder.readRest()
    let served = answered(requests, of: flooder)
    #expect(1...5 ~= served)
    #expect(!flooder.isReading)
    let request = other.say(.copy(Item(text: "x")))
    #expect(other.outcome(of: request) != nil)
    #expect(answered(requests, of: flooder) == served, "its slice is over")
    #expect(!lab.device.rest.isAtRest)
  }

  @Test func `one that rests goes on in the next round, and nothing is lost`() throws {
    let flooder = try lab.app("flooder")
    let requests = flood(flooder, 100)
    flooder.readRest()
    var served = [answered(requests, of: flooder)]
    while served.last != requests.count, served.count < 100 {
      lab.device.loop.poll()
      served.append(answered(requests, of: flooder))
    }
    let slices = zip(served, served.dropFirst()).map { $1 - $0 }
    #expect(slices.allSatisfy { 1...5 ~= $0 })
    #expect(requests.map { flooder.outcome(of: $0)?.status } == requests.map { _ in 0 })
    lab.device.loop.poll()
    #expect(flooder.isReading)
  }

  @Test func `those that rest take turns`() throws {
    let flooders = [try lab.app("a"), try lab.app("b"), try lab.app("c")]
    let requests = flooders.map { flood($0, 60) }
    for flooder in flooders { flooder.readRest() }
    for _ in 0..<9 { lab.device.loop.poll() }
    let served = zip(flooders, requests).map { answered($1, of: $0) }
    #expect(Set(served) == [20])
  }

  @Test func `requests that wait for an earlier one take slices, too`() throws {
    let (asker, source) = (try lab.app("asker"), try lab.app("source"))
    let first = asker.say(.import(source: "source", via: .sdk))
    let requests = flood(asker, 100)
    // As long as the first is open, the others are only kept: this takes no more than slices.
    asker.readRest()
    for _ in requests { lab.device.loop.poll() }
    #expect(asker.isReading, "an answer to somebody else could come")
    #expect(answered(requests, of: asker) == 0)
    guard case .provideItem(let ask, _)? = source.heard.last?.body else {
      Issue.record("nobody was asked")
      return
    }
    source.say(.provided(ask: ask, nil), isRequest: false)
    #expect(asker.outcome(of: first) != nil)
    #expect(1...6 ~= answered(requests, of: asker))
    for _ in requests { lab.device.loop.poll() }
    #expect(answered(requests, of: asker) == 100)
  }

  @Test func `what came in time is served although its sender rests`() throws {
    let flooder = try lab.app("flooder")
    let requests = flood(flooder, 100)
    flooder.readRest()
    lab.device.guests.suspend("flooder")
    #expect(answered(requests, of: flooder) == 100)
    lab.device.guests.resume("flooder")
    #expect(flooder.isReading)
  }

  @Test func `one that is ended while it rests is not served any more`() throws {
    let flooder = try lab.app("flooder")
    let requests = flood(flooder, 100)
    flooder.readRest()
    let served = answered(requests, of: flooder)
    lab.device.guests.kill(["flooder"]) {}
    flooder.settle()
    for _ in requests { lab.device.loop.poll() }
    #expect(1...5 ~= served)
    #expect(answered(requests, of: flooder) == served)
    #expect(lab.device.rest.isAtRest)
  }
}
