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

  /// An item under the tag with which the device would deliver it that comes from the app `app`.
  ///
  /// - Parameter account: whose it is; nil: nobody's. A policy protects it where one protects the account in `app`.
  package func sealed(_ item: Item, of account: Account?, from app: String) -> Item {
    let policy = bundles[app].flatMap { self.policy(of: account, in: $0) }
    return tagged(
      item,
      Ownership(
        owner: Owner(account: account, policy: policy), originApp: app, sealer: sealer))
  }

  /// Tells the ready-made guest `name` to make a request of its own.
  ///
  /// - Parameters:
  ///   - task: for whom it asks; nil: for whom it acts.
  ///   - done: called once the guest has its outcome, or could not ask.
  public func perform(
    _ request: GuestMessage.Body, as task: TaskContext? = nil, on name: String,
    done: @escaping (Performance) -> Void
  ) {
    perform(.ask(GuestMessage(request, task: task)), on: name, done: done)
  }

  /// Tells the ready-made guest `name` to work on a file.
  public func perform(
    _ work: FileWork, as task: TaskContext? = nil, on name: String,
    done: @escaping (Performance) -> Void
  ) {
    perform(.work(work, task: task), on: name, done: done)
  }

  func perform(
    _ instruction: Instruction, on name: String, done: @escaping (Performance) -> Void
  ) {
    turn {
      guard let guest = guests[name] else {
        return done(Performance(failure: "there is no guest `\(name)`"))
      }
      perform(instruction, Behaviour(), on: guest, done: done)
    }
  }

  /// Tells the ready-made guest `name` how to answer what it will be asked.
  public func instruct(
    _ behaviour: Behaviour, on name: String, done: @escaping (Performance) -> Void
  ) {
    turn {
      guard let guest = guests[name] else {
        return done(Performance(failure: "there is no guest `\(name)`"))
      }
      perform(.nothing, behaviour, on: guest, done: done)
    }
  }
}

/// What happens on a device, for those who watch.
public struct DeviceObserver {
  /// A request was decided; the guest is the one that made it.
  public var onDecision: (_ requester: String, RequestDecision) -> Void
  /// A request ended, and the guest gets this status with the outcome.
  public var onEnd: (_ request: Int, RequestEnd, _ status: Int) -> Void
  /// An item goes to the receiver of a request that was decided and has not ended: as it was sent, also where the
  /// receiver gets ciphertext.
  public var onItem: ((_ request: Int, Item) -> Void)?
  /// A guest wrote something to its log or its standard error.
  public var onOutput: ((_ guest: String, _ output: GuestWriting) -> Void)?

  public init(
    onDecision: @escaping (_ requester: String, RequestDecision) -> Void,
    onEnd: @escaping (_ request: Int, RequestEnd, _ status: Int) -> Void,
    onItem: ((_ request: Int, Item) -> Void)? = nil,
    onOutput: ((_ guest: String, _ output: GuestWriting) -> Void)? = nil
  ) {
    self.onDecision = onDecision
    self.onEnd = onEnd
    self.onItem = onItem
    self.onOutput = onOutput
  }
}

/// What a guest wrote.
public enum GuestWriting: Sendable, Equatable {
  /// Lines of its log.
  case log(String)
  /// Some of its standard output or standard error, which may end anywhere in a line.
  case stream(String)
}

extension Device {
  /// Who is signed in to a guest's app, in the order in which they signed in.
  public func accounts(signedInTo guest: String) -> [Account] {
    guests[guest]?.accounts.map(\.account) ?? []
  }
}

extension Device {
  /// Tells those who watch what a guest wrote.
  func tell(_ writing: GuestWriting, of guest: Guest) {
    observer?.onOutput?(guest.name, writing)
    switch writing {
    case .log(let text), .stream(let text): trace?.write(guest.name, text)
    }
  }
}
