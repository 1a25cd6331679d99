internal import GraphDocuments
internal import Model
package import Policy

/// New policies that replace the recorded policies in a replay.
///
/// They apply to all accounts to which a recorded policy applied. If the new policies name an app in which a recorded
/// policy applied, each new policy applies in the apps that it names. Otherwise, all new policies apply in all apps in
/// which a recorded policy applied.
package struct Rollout {
  private let documents: [PolicyDocument]
  private var merged: [[Int]: EffectivePolicy] = [:]
  /// The accounts to which a recorded policy applied.
  private var accounts: [Account] = []
  /// The bundle ids of the apps in which a recorded policy applied to accounts.
  private var apps: Set<String> = []
  /// Whether the new policies name an app in which a recorded policy applied, so the targeting of the new policies
  /// applies.
  private var namesApps = false
  /// The accounts that were signed in to each app, keyed by the app's bundle id.
  private var signedIn: [String: [Account]] = [:]

  package init(_ documents: [PolicyDocument]) { self.documents = documents }

  var scope: ReplayReport.Scope {
    namesApps ? .named(others: apps.filter { !isNamed($0) }.sorted()) : .all
  }

  /// Records an account to which a policy applied in an app.
  mutating func record(_ account: Account, in app: String) {
    if !accounts.contains(where: { $0.isSameUser(as: account) }) { accounts.append(account) }
    if apps.insert(app).inserted, isNamed(app) { namesApps = true }
  }

  mutating func record(_ account: Account, signedInTo app: String) {
    signedIn[app, default: []].append(account)
  }

  mutating func record(_ account: Account, renamedTo name: String) {
    let new = Account(upn: name)
    if accounts.contains(where: { $0.isSameUser(as: account) }) { accounts.append(new) }
    for (app, names) in signedIn where names.contains(where: { $0.isSameUser(as: account) }) {
      signedIn[app, default: []].append(new)
    }
  }

  /// Records the request's accounts to which a policy applies.
  mutating func record(_ request: TransferRequest) {
    for side in request.held where side.policy != nil {
      if let account = side.account { record(account, in: side.app.protectedBundleID) }
    }
  }

  /// Returns whether a policy names an app, regardless of the targeted device states.
  private func isNamed(_ app: String) -> Bool {
    documents.contains { document in
      if case .otherApp = document.targets(bundleID: app, state: Self.unenrolled) { return false }
      return true
    }
  }

  private static let unenrolled = ManagementState(isMDMEnrolled: false, hasEnrolledUPN: false)

  mutating func applied(to request: TransferRequest) -> TransferRequest {
    var request = request
    let device = request.device
    let (sender, receiver) = (request.sender, request.receiver)
    request.sender.policy = policy(
      sender.identity.account, in: sender.app, device, insteadOf: sender.policy)
    request.receiver.policy = policy(
      receiver.identity.account, in: receiver.app, device, insteadOf: receiver.policy)
    if sender.isMixedView { request.sender.lockDown() }
    if receiver.isMixedView { request.receiver.lockDown() }
    request.owner.policy = policy(
      request.owner.account, in: sender.app, device, insteadOf: request.owner.policy)
    if request.appPolicy != nil {
      request.appPolicy = policy(
        request.appAccount, in: sender.app, device, insteadOf: request.appPolicy)
    }
    return request
  }

  /// Returns the new policy for an account in an app; nil if no policy applies.
  ///
  /// A recorded policy must have applied to the account in some app. If one applied in this app, the new policy
  /// replaces it. Otherwise, a new policy applies only if it names the app, the app links the SDK, and the account was
  /// signed in to the app.
  private mutating func policy(
    _ account: Account?, in app: AppState, _ device: DeviceRestrictions,
    insteadOf old: EffectivePolicy?
  ) -> EffectivePolicy? {
    guard let account, accounts.contains(where: { $0.isSameUser(as: account) }) else { return nil }
    let isSignedIn =
      signedIn[app.protectedBundleID]?.contains { $0.isSameUser(as: account) } ?? false
    guard old != nil || namesApps && app.linksSDK && isSignedIn else { return nil }
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
  /// The accounts in the request, with their apps and their policies in these apps.
  fileprivate var held: [(account: Account?, app: AppState, policy: EffectivePolicy?)] {
    [
      (sender.identity.account, sender.app, sender.policy),
      (receiver.identity.account, receiver.app, receiver.policy),
      (owner.account, sender.app, owner.policy),
    ]
  }
}
