import Model
import Policy
import Testing

/// The engine and the naive evaluator agree on every storage request of the finite domain.
@Suite("Naive evaluator: exhaustive comparison of storage locations")
struct NaiveStorageTests {
  private typealias Domain = RequestDomain

  private static let contents =
    [Content()] + StorageLocation.allCases.map { Content(location: $0) }

  private static let apps = [nil, Version(15, 1, 0), Version(15, 0, 9)].map { version in
    AppState(bundleID: Domain.home.bundleID, sdkVersion: version)
  }

  /// Apps whose configuration restricts saving under "All apps".
  private static let restrictedApps = [nil, Version(12, 6, 1), Version(12, 6, 0)].map { version in
    var app = AppState(bundleID: Domain.home.bundleID, sdkVersion: version)
    app.alwaysRestrictsSaving = true
    return app
  }

  @Test
  func
    `saving to every location with every account, owner and policy agrees with the naive evaluator`()
  {
    var comparison = Comparison()
    for app in Self.apps {
      for sender in Domain.senders(Domain.savePolicies, in: [app]) {
        compareSaving(from: sender, owners: Domain.owners(Domain.savePolicies), &comparison)
      }
    }
    comparison.expectAgreement(on: 111_240, channels: [.saveTo])
  }

  @Test
  func `saving under a restricting app configuration agrees with the naive evaluator`() {
    var comparison = Comparison()
    for app in Self.restrictedApps {
      for sender in Domain.senders(Domain.savePolicies, in: [app]) {
        compareSaving(from: sender, owners: Domain.owners(Domain.savePolicies), &comparison)
      }
    }
    comparison.expectAgreement(on: 111_240, channels: [.saveTo])
  }

  @Test
  func `saving with one allowed or one excluded service agrees with the naive evaluator`() {
    var comparison = Comparison()
    for sender in Domain.senders(Domain.saveServicePolicies, in: [Self.apps[0]]) {
      compareSaving(
        from: sender, owners: Domain.owners(Domain.saveServicePolicies), &comparison)
    }
    comparison.expectAgreement(on: 75_780, channels: [.saveTo])
  }

  @Test
  func `opening from every location with every account and policy agrees with the naive evaluator`()
  {
    var comparison = Comparison()
    for app in Self.apps {
      let policies = Domain.openPolicies + Domain.sending()
      for receiver in Domain.senders(policies, in: [app]) {
        compareOpening(by: receiver, &comparison)
      }
    }
    comparison.expectAgreement(on: 8_370, channels: [.openFrom])
  }

  @Test
  func
    `opening from each service, alone allowed and alone excluded, agrees with the naive evaluator`()
  {
    var comparison = Comparison()
    for receiver in Domain.senders(Domain.openServicePolicies, in: [Self.apps[0]]) {
      compareOpening(by: receiver, &comparison)
    }
    comparison.expectAgreement(on: 3_150, channels: [.openFrom])
  }

  private func compareSaving(
    from sender: Party, owners: [Owner], _ comparison: inout Comparison
  ) {
    var owners = owners
    if let account = sender.identity.account {
      owners.append(Owner(account: account, policy: sender.policy))
    }
    for owner in owners {
      let known = [Owner(account: sender.identity.account, policy: sender.policy), owner]
      for holder in Self.holders(in: sender.app, known: known, policies: Domain.receiving()) {
        for content in Self.contents where !comparison.isFull {
          comparison.check(
            TransferRequest(
              channel: .saveTo, sender: sender, owner: owner, receiver: holder, content: content))
        }
      }
    }
  }

  private func compareOpening(by receiver: Party, _ comparison: inout Comparison) {
    let known = [Owner(account: receiver.identity.account, policy: receiver.policy)]
    for holder in Self.holders(in: receiver.app, known: known, policies: Domain.sending()) {
      let owner = Owner(account: holder.identity.account, policy: holder.policy)
      for content in Self.contents where !comparison.isFull {
        comparison.check(
          TransferRequest(
            channel: .openFrom, sender: holder, owner: owner, receiver: receiver, content: content))
      }
    }
  }

  /// Returns the possible accounts of a location. These are no account, an unknown account, and the
  /// `known` accounts with their policies in the app. They also include a colleague, a stranger and
  /// a personal account, unmanaged and under each policy.
  private static func holders(
    in app: AppState, known: [Owner], policies: [EffectivePolicy]
  ) -> [Party] {
    var holders = [Party(app: app, identity: .unset), Party(app: app, identity: .unknown)]
    func add(_ account: Account, _ policy: EffectivePolicy?) {
      holders.append(Party(app: app, identity: .account(account), policy: policy))
    }
    for account in [Domain.anna, Domain.bert, Domain.carl, Domain.dora] {
      if let person = known.first(where: { $0.account?.isSameUser(as: account) == true }) {
        add(account, person.policy)
      } else {
        add(account, nil)
        if !account.isSameUser(as: Domain.dora) { for policy in policies { add(account, policy) } }
      }
    }
    return holders
  }
}
