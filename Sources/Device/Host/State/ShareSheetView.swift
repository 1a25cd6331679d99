public import Policy
public import Model
public import Wire

/// What a share sheet asks about the guests of a device. Nothing happens, and nothing is recorded.
public struct ShareSheetView {
  let registry: GuestRegistry
  let identities: IdentityCoordinator
  let accounts: SignInCoordinator

  /// A guest that shares.
  public struct Sharer {
    public var party: Party
    /// Whose the data is.
    public var owner: Owner
    /// The policy of the app's managed account; nil where it has none.
    public var appPolicy: EffectivePolicy?
    /// Why the account is closed; nil where it is open.
    public var lock: ExplainedVerdict?
  }

  /// The guest as it would share now.
  ///
  /// - Parameter task: what shares; nil: whatever is in front.
  /// - Returns: nil where there is no such guest.
  public func sharer(_ name: String, as task: TaskContext? = nil) -> Sharer? {
    guard let guest = registry[name] else { return nil }
    let actingIdentity = identities.actingIdentity(of: guest, for: task, .interface)
    return Sharer(
      party: actingIdentity.party, owner: actingIdentity.ownership.owner,
      appPolicy: guest.appPolicy,
      lock: guest.lock(of: actingIdentity)?.explained)
  }

  /// Whom rules see in the guest, an app or an extension, when it gets something; nil where there is none.
  public func receivingParty(_ name: String, as task: TaskContext? = nil) -> Party? {
    guard let guest = registry[name] else { return nil }
    guard guest.app.kind != .app else {
      return identities.actingIdentity(of: guest, for: task, .interface).party
    }
    let app = registry.completed(guest.app)
    let actor = SignInCoordinator.actor(of: accounts.accounts(ofExtension: app))
    return Party(
      app: app.state(for: actor?.account), identity: actor.map { .account($0.account) } ?? .unset,
      policy: actor?.policy)
  }
}
