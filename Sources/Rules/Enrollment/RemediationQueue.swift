public import Model

/// The accounts of one app that are to become compliant, one after the other, as a value.
///
/// Source: Intune App SDK for iOS, `IntuneMAMComplianceManager.h`, `remediateComplianceForAccountId`.
public struct RemediationQueue: Sendable {
  /// After so many without a token the app is said to remediate for ever.
  public static let loopLength = 3
  /// So many accounts may wait; a person has fewer.
  public static let capacity = 32

  public struct Request: Sendable {
    public var account: Account
    /// Whether nobody may be asked for anything.
    public var isSilent: Bool

    public init(_ account: Account, isSilent: Bool) {
      self.account = account
      self.isSilent = isSilent
    }
  }

  /// What becomes of a request.
  public enum Acceptance: Sendable, Equatable {
    /// It is under way now.
    case begun
    /// It waits for those before it.
    case queued
    /// The account is being remediated, or waits for it, already.
    case dropped
    /// The app has remediated the account again and again at this very time, and got no token.
    case refused
  }

  /// The first is under way.
  public private(set) var requests: [Request] = []
  /// Remediations that ended, and no token since.
  private var fruitless: [(account: Account, count: Int, time: Int)] = []

  public init() {}

  public func isRemediating(_ account: Account) -> Bool {
    requests.contains { $0.account.isSame(as: account) }
  }

  /// - Parameter now: seconds of the device's clock.
  public mutating func add(_ request: Request, at now: Int) -> Acceptance {
    guard !isRemediating(request.account) else { return .dropped }
    let isLoop = fruitless.contains {
      $0.account.isSame(as: request.account) && $0.count >= Self.loopLength && $0.time == now
    }
    guard !isLoop, requests.count < Self.capacity else { return .refused }
    requests.append(request)
    return requests.count == 1 ? .begun : .queued
  }

  /// The remediation under way has ended.
  ///
  /// - Returns: how many of the account have ended without a token, where they are a loop from now on.
  public mutating func finish(at now: Int) -> Int? {
    let account = requests.removeFirst().account
    let index = fruitless.firstIndex { $0.account.isSame(as: account) }
    let count = (index.map { fruitless[$0].count } ?? 0) + 1
    if let index { fruitless.remove(at: index) }
    fruitless.append((account, count, now))
    if fruitless.count > Self.capacity { fruitless.removeFirst() }
    return count == Self.loopLength ? count : nil
  }

  /// The account has got a token: it was worth it.
  public mutating func succeed(_ account: Account) {
    fruitless.removeAll { $0.account.isSame(as: account) }
  }
}
