import EventLoop
import Model
import Testing
import Wire

@testable import Host

/// Tests the guests' time slices. Each reading of the clock takes a quarter of a slice.
@Suite struct TimeSliceTests {
  let lab: QuietLab

  init() throws {
    lab = try QuietLab()
    var time: UInt64 = 0
    lab.services.slices.clock = {
      time += TimeSlices.length / 4
      return time
    }
  }

  /// Sends many messages before any of them is read.
  ///
  /// - Returns: The numbers of the requests.
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

  @Test func `a flooding guest yields to another guest`() throws {
    let (flooder, other) = (try lab.app("flooder"), try lab.app("other"))
    let requests = flood(flooder, 100)
    flooder.readRest()
    let served = answered(requests, of: flooder)
    #expect(1...5 ~= served)
    #expect(!flooder.isReading)
    #expect(other.ask(.copy(Item(text: "x"))) != nil)
    #expect(answered(requests, of: flooder) == served, "its slice is over")
    #expect(!lab.device.idleWatch.isAtRest)
  }

  @Test func `a guest that yielded resumes in the next round without losing a request`() throws {
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

  @Test func `guests that yielded their time slice resume in turn`() throws {
    let flooders = [try lab.app("a"), try lab.app("b"), try lab.app("c")]
    let requests = flooders.map { flood($0, 60) }
    for flooder in flooders { flooder.readRest() }
    for _ in 0..<9 { lab.device.loop.poll() }
    let served = zip(flooders, requests).map { answered($1, of: $0) }
    #expect(Set(served) == [20])
  }

  @Test func `requests queued behind an open request are served in slices`() throws {
    let (asker, source) = (try lab.app("asker"), try lab.app("source"))
    let first = asker.say(.import(source: "source", via: .sdk))
    let requests = flood(asker, 100)
    // While the first request is open, the others are only stored. This takes no more than the
    // slices.
    asker.readRest()
    for _ in requests { lab.device.loop.poll() }
    #expect(asker.isReading, "an answer to another guest may arrive")
    #expect(answered(requests, of: asker) == 0)
    guard case .provideItem(let ask, _)? = source.heard.last?.body else {
      Issue.record("no app was asked")
      return
    }
    source.say(.provided(ask: ask, nil), isRequest: false)
    #expect(asker.outcome(of: first) != nil)
    #expect(1...6 ~= answered(requests, of: asker))
    for _ in requests { lab.device.loop.poll() }
    #expect(answered(requests, of: asker) == 100)
  }

  /// Returns the numbers of answered requests after each iteration of the loop, until no guest
  /// rests.
  private func rounds(_ requests: [UInt64], of guest: MemoryGuest) -> [Int] {
    var served = [answered(requests, of: guest)]
    while guest.guest.connection?.isYielding == true, served.count < 1_000 {
      lab.device.loop.poll()
      served.append(answered(requests, of: guest))
    }
    return served
  }

  private func isInSlices(_ served: [Int]) -> Bool {
    zip(served, served.dropFirst()).allSatisfy { $1 - $0 <= 6 }
  }

  /// Returns the journal's requests with a decision, and those with an end.
  private func journalled() throws -> (decided: [Int], ended: [Int]) {
    let ended = try lab.events.compactMap {
      if case .ended(let request, _, _, _) = $0 { request } else { nil }
    }
    return (try lab.decisions.map(\.request), ended)
  }

  @Test func `messages sent before a suspension are served in slices`() throws {
    let (flooder, other) = (try lab.app("flooder"), try lab.app("other"))
    let requests = flood(flooder, 100)
    flooder.readRest()
    let late = flood(flooder, 10)
    lab.device.guests.suspend("flooder")
    #expect(1...5 ~= answered(requests, of: flooder))
    flooder.isUnheard = true
    let tooLate = flooder.say(.paste)
    #expect(other.ask(.paste) != nil, "other guests do not wait for it")
    lab.device.guests.kill(["other"]) {}
    other.settle()
    #expect(!lab.device.idleWatch.isAtRest)
    let served = rounds(requests + late, of: flooder)
    #expect(isInSlices(served))
    #expect(served.last == 110)
    #expect(!flooder.isReading && flooder.outcome(of: tooLate) == nil)
    #expect(lab.device.idleWatch.isAtRest)
    lab.device.guests.resume("flooder")
    flooder.isUnheard = false
    flooder.readRest()
    #expect(flooder.outcome(of: tooLate) != nil)
  }

  @Test
  func `no new input is read from a resumed guest until its earlier messages are served`()
    throws
  {
    let flooder = try lab.app("flooder")
    let requests = flood(flooder, 100)
    flooder.readRest()
    lab.device.guests.suspend("flooder")
    lab.device.guests.resume("flooder")
    #expect(!flooder.isReading)
    #expect(rounds(requests, of: flooder).last == 100)
    #expect(flooder.isReading)
  }

  @Test func `messages that arrived before the handshake deadline keep the guest from timing out`()
    throws
  {
    let (late, other) = (try lab.app("late", saysHello: false), try lab.app("other"))
    late.isUnheard = true
    late.sayHello()
    let requests = flood(late, 100)
    lab.device.loop.advance(by: lab.device.configuration.limits.handshake)
    #expect(late.guest.isReady)
    #expect(answered(requests, of: late) <= 5)
    #expect(other.ask(.paste) != nil)
    let served = rounds(requests, of: late)
    #expect(isInSlices(served) && served.last == 100)
    lab.device.loop.poll()
    #expect(late.guest.isReady && late.isReading)
  }

  @Test func `messages sent before an exit are served in slices before the exit is reported`()
    throws
  {
    let (flooder, other) = (try lab.app("flooder"), try lab.app("other"))
    flooder.isHeldOpen = true
    let requests = flood(flooder, 100)
    flooder.readRest()
    flooder.exit(.status(0))
    lab.device.loop.advance(by: 100)
    #expect(flooder.guest.isRunning)
    #expect(answered(requests, of: flooder) <= 10)
    #expect(other.ask(.paste) != nil)
    let served = rounds(requests, of: flooder)
    #expect(isInSlices(served))
    #expect(!flooder.guest.isRunning)
    #expect(lab.device.guests.exitCause(of: "flooder") == .exited(status: 0))
    let (decided, ended) = try journalled()
    #expect(decided.count == 101 && ended == decided)
  }

  /// The way in which the last guests of a stopping device exit.
  enum LastGuest: CaseIterable {
    /// The guest is terminated by SIGTERM.
    case deaf
    /// The guest exits on request.
    case polite
    /// The guest has exited on its own immediately before.
    case gone
  }

  @Test(arguments: LastGuest.allCases)
  func `a device that shuts down drops messages still unread at its time limit`(
    _ last: LastGuest
  ) throws {
    let flooders = try ["a", "b", "c"].map { try lab.app($0) }
    for flooder in flooders {
      flooder.isHeldOpen = true
      flooder.isDeaf = last == .deaf
      _ = flood(flooder, 1_000)
      flooder.readRest()
      if last == .gone { flooder.exit(.status(0)) }
    }
    if last == .gone { lab.device.loop.advance(by: 100) }
    var isDone = false
    lab.device.guests.stopAll { isDone = true }
    for flooder in flooders { flooder.settle() }
    // While there is time, sent messages are served. Each iteration serves one slice.
    for _ in 0..<30 { lab.device.loop.poll() }
    lab.device.loop.advance(by: 1_500)
    for flooder in flooders { flooder.settle() }
    #expect(!isDone)
    lab.device.loop.advance(by: 100)
    for _ in 0..<30 { lab.device.loop.poll() }
    #expect(!isDone)
    lab.device.loop.advance(by: 400)
    lab.device.loop.poll()
    #expect(isDone && lab.device.guests.running.isEmpty)
    let (decided, ended) = try journalled()
    #expect(ended == decided)
    #expect(60...1_000 ~= decided.count, "of 3,000")
  }

  @Test func `killing a guest drops its unserved last messages and ends it immediately`() throws {
    let flooder = try lab.app("flooder")
    flooder.isHeldOpen = true
    _ = flood(flooder, 1_000)
    flooder.readRest()
    flooder.exit(.status(0))
    lab.device.loop.advance(by: 100)
    var isDone = false
    lab.device.guests.kill(["flooder"]) { isDone = true }
    lab.device.loop.advance(by: 0)
    lab.device.loop.poll()
    #expect(isDone && !flooder.guest.isRunning)
    let (decided, ended) = try journalled()
    #expect(decided.count < 100 && ended == decided)
  }

  @Test func `a guest that is killed while it yields is not served again`() throws {
    let flooder = try lab.app("flooder")
    let requests = flood(flooder, 100)
    flooder.readRest()
    let served = answered(requests, of: flooder)
    lab.device.guests.kill(["flooder"]) {}
    flooder.settle()
    for _ in requests { lab.device.loop.poll() }
    #expect(1...5 ~= served)
    #expect(answered(requests, of: flooder) == served)
    #expect(lab.device.idleWatch.isAtRest)
  }

  /// Returns a receiver without confirmations, and the requests of its sender.
  private func receiver(of count: Int) throws -> (
    receiver: MemoryGuest, sender: MemoryGuest, requests: [UInt64]
  ) {
    let (sender, receiver) = (try lab.app("sender"), try lab.app("receiver"))
    var requests: [UInt64] = []
    for _ in 0..<count {
      requests.append(sender.say(.sharing("x", with: "receiver")))
      while !sender.isReading { lab.device.loop.poll() }
    }
    try #require(receiver.deliveries.count == count)
    return (receiver, sender, requests)
  }

  @Test func `an acknowledgement of many deliveries is served in slices, in order`() throws {
    let (receiver, sender, requests) = try receiver(of: 600)
    let other = try lab.app("other")
    receiver.acknowledge()
    let later = receiver.say(.copy(Item(text: "after the confirmation")))
    var ended = [answered(requests, of: sender)]
    #expect(!receiver.isReading)
    #expect(receiver.outcome(of: later) == nil, "later messages wait for the acknowledgement")
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
    lab.wait("the next request") {
      receiver.readRest()
      return receiver.outcome(of: later) != nil
    }
    lab.wait("the end of its rest") { receiver.isReading }
  }

  @Test func `deliveries acknowledged before a guest is killed count as delivered`() throws {
    let (receiver, sender, requests) = try receiver(of: 600)
    let last = sender.say(.sharing("unconfirmed", with: "receiver"))
    receiver.say(.acknowledge(through: 600), isRequest: false)
    #expect(answered(requests, of: sender) < 600)
    lab.device.guests.kill(["receiver"]) {}
    receiver.settle()
    lab.wait("the ends") { sender.outcome(of: last) != nil }
    #expect(requests.allSatisfy { sender.outcome(of: $0)?.end == .delivered })
    #expect(sender.outcome(of: last)?.end == .undeliverable)
  }
}
