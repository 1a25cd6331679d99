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

  /// A receiver that has confirmed nothing yet, and the requests of its sender.
  private func receiver(of count: Int) throws -> (
    receiver: MemoryGuest, sender: MemoryGuest, requests: [UInt64]
  ) {
    let (sender, receiver) = (try lab.app("sender"), try lab.app("receiver"))
    var requests: [UInt64] = []
    for _ in 0..<count {
      requests.append(sender.say(.share(Share(destination: "receiver", item: Item(text: "x")))))
      while !sender.isReading { lab.device.loop.poll() }
    }
    try #require(receiver.deliveries.count == count)
    return (receiver, sender, requests)
  }

  @Test func `a confirmation of many deliveries ends them in slices, in order`() throws {
    let (receiver, sender, requests) = try receiver(of: 600)
    let other = try lab.app("other")
    receiver.acknowledge()
    let later = receiver.say(.copy(Item(text: "after the confirmation")))
    var ended = [answered(requests, of: sender)]
    #expect(!receiver.isReading)
    #expect(receiver.outcome(of: later) == nil, "what follows waits for the confirmation")
    let request = other.say(.copy(Item(text: "x")))
    #expect(other.outcome(of: request) != nil, "its slice is over")
    while ended.last != requests.count, ended.count < 100 {
      lab.device.loop.poll()
      ended.append(answered(requests, of: sender))
    }
    let slices = [ended[0]] + zip(ended, ended.dropFirst()).map { $1 - $0 }
    #expect(slices.allSatisfy { 0...(5 * Deliveries.sliceLength) ~= $0 }, "\(slices)")
    #expect(slices.count { $0 > 0 } > 1)
    #expect(requests.allSatisfy { sender.outcome(of: $0)?.end == .delivered })
    lab.wait("the next request") { receiver.outcome(of: later) != nil }
    #expect(receiver.isReading)
  }

  @Test
  func `deliveries that a guest has confirmed are delivered, though it ends before its slice`()
    throws
  {
    let (receiver, sender, requests) = try receiver(of: 600)
    let last = sender.say(.share(Share(destination: "receiver", item: Item(text: "unconfirmed"))))
    receiver.say(.acknowledge(through: 600), isRequest: false)
    #expect(answered(requests, of: sender) < 600)
    lab.device.guests.kill(["receiver"]) {}
    receiver.settle()
    lab.wait("the ends") { sender.outcome(of: last) != nil }
    #expect(requests.allSatisfy { sender.outcome(of: $0)?.end == .delivered })
    #expect(sender.outcome(of: last)?.end == .undeliverable)
  }
}
