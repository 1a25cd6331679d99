internal import Policy
public import Transfer
public import Wire

/// What those may ask and do who drive a device from outside: scenarios, tests, benchmarks.
extension Device {
  /// For whom a guest acts now, and whether a policy applies; nil where there is no such guest.
  public func identity(of guest: String) -> (identity: Identity, isManaged: Bool)? {
    guests[guest].map { ($0.identity, $0.party.isManaged) }
  }

  /// Whether a run of an extension has not ended.
  public var isRunningExtensions: Bool { guests.count > order.count }

  /// Signs an account in before the app has run, as on a device that has been in use. Only the database
  /// and the journal know: nobody asks for it.
  ///
  /// - Throws: ``HostError`` where there is no such guest, or its configuration does not let the account in.
  public func presetSignIn(_ account: Account, in name: String) throws(HostError) {
    guard let guest = guests[name] else {
      throw HostError(.folder, "the device has no app named `\(name)`")
    }
    var refusal: String?
    turn { refusal = preset(account, in: guest) }
    if let refusal { throw HostError(.entitlements, "app `\(name)`: \(refusal)") }
  }

  /// Tells the ready-made guest `name` to make a request of its own.
  ///
  /// - Parameter done: gets nil once the guest has its outcome; else why it could not.
  public func perform(
    _ request: GuestMessage.Body, on name: String, done: @escaping (String?) -> Void
  ) {
    turn {
      guard let guest = guests[name] else { return done("there is no guest `\(name)`") }
      perform(request, Behaviour(), on: guest, done: done)
    }
  }

  /// Tells the ready-made guest `name` how to answer what it will be asked.
  public func instruct(
    _ behaviour: Behaviour, on name: String, done: @escaping (String?) -> Void
  ) {
    turn {
      guard let guest = guests[name] else { return done("there is no guest `\(name)`") }
      perform(nil, behaviour, on: guest, done: done)
    }
  }
}

/// What happens to requests, for those who watch.
public struct RequestObserver {
  /// A request was decided; the guest is the one that made it.
  public var onDecision: (_ requester: String, RequestDecision) -> Void
  /// A request ended, and the guest gets this status with the outcome.
  public var onEnd: (_ request: Int, RequestEnd, _ status: Int) -> Void

  public init(
    onDecision: @escaping (_ requester: String, RequestDecision) -> Void,
    onEnd: @escaping (_ request: Int, RequestEnd, _ status: Int) -> Void
  ) {
    self.onDecision = onDecision
    self.onEnd = onEnd
  }
}
