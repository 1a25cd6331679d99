public import Model

/// The accounts of one app that have to become compliant, one after the other, as a value.
///
/// Source: Intune App SDK for iOS, `IntuneMAMComplianceManager.h`, `remediateComplianceForAccountId`.
public struct RemediationQueue: Sendable {
  /// The number of remediations without a token after which the app is said to remediate for ever.
  public static let loopLength = 3
  /// The maximum number of waiting accounts; a person has fewer.
  public static let capacity = 32

  /// A request to remediate an account.
  public struct Request: Sendable {
    public var account: Account
    /// Whether the user must not be asked for anything.
    public var isSilent: Bool

    /// Creates a request for `account`.
    public init(_ account: Account, isSilent: Bool) {
      self.account = account
      self.isSilent = isSilent
    }
  }

  /// The acceptance of a request.
  public enum Acceptance: Sendable, Equatable {
    /// The remediation is under way now.
    case begun
    /// The request waits for the ones before it.
    case queued
    /// The account is being remediated already, or waits for that.
    case dropped
    /// The app has remediated the account repeatedly at this very time without a token, or too many accounts wait.
    case refused
  }

  /// The requests in their order; the first is under way.
  public private(set) var requests: [Request] = []
  /// The number of remediations of an account that ended, with no token since, and the time of the last one.
  private var fruitless: [(account: Account, count: Int, time: Int)] = []

  /// Creates an empty queue.
  public init() {}

  /// Whether the account is being remediated, or waits for that.
  public func isRemediating(_ account: Account) -> Bool {
    requests.contains { $0.account.isSame(as: account) }
  }

  /// Adds a request to the queue, unless it is dropped or refused.
  ///
  /// - Parameter now: The time in seconds of the device's clock.
  public mutating func add(_ request: Request, at now: Int) -> Acceptance {
    guard !isRemediating(request.account) else { return .dropped }
    let isLoop = fruitless.contains {
      $0.account.isSame(as: request.account) && $0.count >= Self.loopLength && $0.time == now
    }
    guard !isLoop, requests.count < Self.capacity else { return .refused }
    requests.append(request)
    return requests.count == 1 ? .begun : .queued
  }

  /// Ends the remediation under way.
  ///
  /// - Returns: The number of the account's remediations that ended without a token, where that makes them a loop now.
  public mutating func finish(at now: Int) -> Int? {
    let account = requests.removeFirst().account
    let index = fruitless.firstIndex { $0.account.isSame(as: account) }
    let count = (index.map { fruitless[$0].count } ?? 0) + 1
    if let index { fruitless.remove(at: index) }
    fruitless.append((account, count, now))
    if fruitless.count > Self.capacity { fruitless.removeFirst() }
    return count == Self.loopLength ? count : nil
  }

  /// Knows the account by its new name from now on.
  public mutating func rename(_ account: Account, to new: Account) {
    for index in requests.indices where requests[index].account.isSame(as: account) {
      requests[index].account = new
    }
    for index in fruitless.indices where fruitless[index].account.isSame(as: account) {
      fruitless[index].account = new
    }
  }

  /// Forgets the account's fruitless remediations: the account has got a token.
  public mutating func succeed(_ account: Account) {
    fruitless.removeAll { $0.account.isSame(as: account) }
  }
}
