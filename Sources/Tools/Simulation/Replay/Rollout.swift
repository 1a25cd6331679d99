internal import GraphDocuments
internal import Model
public import Policy

/// Policies in place of those that a journal's requests were decided by.
///
/// They are for the accounts that were under a policy in some app, in the apps that they name; where they name none of
/// the apps in which these accounts were under a policy, all of them are for all of these apps.
public struct Rollout {
  private let documents: [PolicyDocument]
  private var merged: [[Int]: EffectivePolicy] = [:]
  /// The accounts that were under a policy.
  private var accounts: [Account] = []
  /// Whether the documents' own targeting says for which apps they are.
  private(set) var namesApps = false

  /// A roll-out of `documents`.
  public init(_ documents: [PolicyDocument]) { self.documents = documents }

  /// Notes for whom the policies are.
  mutating func note(_ request: TransferRequest) {
    for side in request.held where side.policy != nil {
      if let account = side.account, !accounts.contains(where: { $0.isSame(as: account) }) {
        accounts.append(account)
      }
      if !targeting(side.app, request.device).isEmpty { namesApps = true }
    }
  }

  /// The request under these policies.
  mutating func applied(to request: TransferRequest) -> TransferRequest {
    var request = request
    let device = request.device
    let (sender, receiver) = (request.sender, request.receiver)
    request.sender.policy = policy(
      sender.identity.account, in: sender.app, device, insteadOf: sender.policy)
    request.receiver.policy = policy(
      receiver.identity.account, in: receiver.app, device, insteadOf: receiver.policy)
    request.owner.policy = policy(
      request.owner.account, in: sender.app, device, insteadOf: request.owner.policy)
    if request.appPolicy != nil {
      request.appPolicy = policy(in: sender.app, device)
    }
    return request
  }

  private mutating func policy(
    _ account: Account?, in app: AppState, _ device: DeviceRestrictions,
    insteadOf old: EffectivePolicy?
  ) -> EffectivePolicy? {
    guard let account, accounts.contains(where: { $0.isSame(as: account) }) else { return nil }
    // The named apps alone tell which apps an account is signed in to, and enrolled from.
    guard namesApps || old != nil, app.linksSDK || old != nil else { return nil }
    return policy(in: app, device)
  }

  private mutating func policy(
    in app: AppState, _ device: DeviceRestrictions
  ) -> EffectivePolicy? {
    let applying = namesApps ? targeting(app, device) : Array(documents.indices)
    guard !applying.isEmpty else { return nil }
    if let known = merged[applying] { return known }
    let policy = EffectivePolicy.merging(applying.map { documents[$0] })
    merged[applying] = policy
    return policy
  }

  private func targeting(_ app: AppState, _ device: DeviceRestrictions) -> [Int] {
    let state = ManagementState(
      isMDMEnrolled: device.isMDMEnrolled, hasEnrolledUPN: app.hasEnrolledUPN)
    return documents.indices.filter {
      documents[$0].targets(bundleID: app.protectedBundleID, state: state).isTargeted
    }
  }
}

extension TransferRequest {
  /// The accounts of the request, each with its app and its policy there.
  fileprivate var held: [(account: Account?, app: AppState, policy: EffectivePolicy?)] {
    [
      (sender.identity.account, sender.app, sender.policy),
      (receiver.identity.account, receiver.app, receiver.policy),
      (owner.account, sender.app, owner.policy),
    ]
  }
}
