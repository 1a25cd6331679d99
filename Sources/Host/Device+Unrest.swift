internal import EventLoop
internal import Wire

/// Whether anything is still going on.
extension Device {
  /// Who works, or what is on its way, in a clause; nil where all is quiet: every guest that runs and every server waits for
  /// something, and there is nothing for it to read. Of a suspended guest nothing is said, for it does nothing.
  ///
  /// A program that sleeps for a time of its own choice waits, too.
  public var unrest: String? { unrest(among: Array(guests.values)) }

  /// The same of the guests that have programs of their own, and do more than steps tell them.
  public var ownUnrest: String? {
    unrest(among: guests.values.filter { $0.app.program != .readyMade })
  }

  private func unrest(among guests: [Guest]) -> String? {
    if isBusy { return "a wipe or an enrollment is not done" }
    let running = guests.filter { $0.isRunning && $0.state != .suspended }
      .sorted { $0.name < $1.name }
    guard !running.isEmpty else { return nil }
    if let debt = running.lazy.compactMap(\.debt).first { return debt }
    let workers =
      running.map { Worker("`\($0.name)`", $0.process?.pid) }
      + servers.map { Worker("the server `\($0.description.name)`", $0.pid) }
    let rests = workers.map(\.rest)
    if let index = rests.firstIndex(of: nil) { return "\(workers[index].name) works" }
    if let reader = running.first(where: { $0.connection?.isQuiet != true }) {
      return "`\(reader.name)` works"
    }
    // Whoever has slept all the time between has not been woken by what it was sent.
    let worker = zip(workers, rests).first { $0.rest != $1 }?.0
    return worker.map { "\($0.name) works" }
  }
}

/// Somebody who may be at work.
private struct Worker {
  let name: String
  private let activity: ProcessActivity?

  init(_ name: String, _ process: Int32?) {
    self.name = name
    activity = process.map(ProcessActivity.init)
  }

  /// Who has no process rests for ever.
  var rest: UInt64? { activity.map(\.rest) ?? 0 }
}

extension Guest {
  /// What the device and the guest owe each other, in a clause; nil: nothing.
  fileprivate var debt: String? {
    guard state == .ready, isWelcome, connection != nil, process != nil else {
      return "`\(name)` has not come up, or not gone down"
    }
    if work != nil { return "`\(name)` has not completed its request" }
    if !inFlight.isEmpty { return "`\(name)` has not confirmed what it was sent" }
    if !asks.isEmpty { return "`\(name)` has not answered what it was asked" }
    if unsettled > 0 || !deferred.isEmpty { return "a request of `\(name)` has not ended" }
    return nil
  }
}

extension GuestConnection {
  /// Whether nothing is on its way, in either direction.
  fileprivate var isQuiet: Bool {
    backlog == 0 && pipe.unreadBytes ?? 0 == 0 && pipe.untakenBytes ?? 0 == 0
  }
}
