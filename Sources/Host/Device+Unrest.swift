internal import EventLoop
internal import Wire

/// Whether anything is still going on.
extension Device {
  /// Who works, or what is on its way, in a clause; nil where all is quiet: every guest that runs waits for something,
  /// and there is nothing for it to read. Of a suspended guest nothing is said, for it does nothing.
  ///
  /// A program that sleeps for a time of its own choice waits, too.
  public var unrest: String? {
    if isBusy { return "a wipe or an enrollment is not done" }
    let running = guests.values.filter { $0.isRunning && $0.state != .suspended }
    return running.sorted { $0.name < $1.name }.lazy.compactMap(\.unrest).first
  }
}

extension Guest {
  fileprivate var unrest: String? {
    guard state == .ready, isWelcome, let connection, let process else {
      return "`\(name)` has not come up, or not gone down"
    }
    if work != nil { return "`\(name)` has not completed its request" }
    if !inFlight.isEmpty { return "`\(name)` has not confirmed what it was sent" }
    if !asks.isEmpty { return "`\(name)` has not answered what it was asked" }
    if unsettled > 0 || !deferred.isEmpty { return "a request of `\(name)` has not ended" }
    // Whoever sleeps before and after has not been woken by what it was sent between.
    let activity = ProcessActivity(of: process.pid)
    guard !activity.isWorking, connection.isQuiet, !activity.isWorking else {
      return "`\(name)` works"
    }
    return nil
  }
}

extension GuestConnection {
  /// Whether nothing is on its way, in either direction.
  fileprivate var isQuiet: Bool {
    backlog == 0 && pipe.unreadBytes ?? 0 == 0 && pipe.untakenBytes ?? 0 == 0
  }
}
