public import Policy
public import Transfer
public import Wire

/// What a share sheet asks about the guests of a device. Nothing happens, and nothing is recorded.
extension Device {
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
    guard let guest = guests[name] else { return nil }
    let persona = persona(of: guest, for: task, .interface)
    return Sharer(
      party: persona.party, owner: persona.ownership.owner, appPolicy: guest.appPolicy,
      lock: guest.lock(of: persona)?.explained)
  }

  /// Whom rules see in the guest, an app or an extension, when it gets something; nil where there is none.
  public func receivingParty(_ name: String, as task: TaskContext? = nil) -> Party? {
    guard let guest = guests[name] else { return nil }
    guard let containing = guest.app.kind.containingApp else {
      return persona(of: guest, for: task, .interface).party
    }
    return party(ofExtension: guest.app, in: containing)
  }

  /// Whom rules see in a run of an extension: it acts for the managed account of its app, or else for the one
  /// that signed in first.
  ///
  /// - Parameter containingApp: a bundle id.
  public func party(ofExtension extension: AppDescription, in containingApp: String) -> Party {
    guard let app = bundles[containingApp] else {
      return Party(app: `extension`.state(for: nil), identity: .unset)
    }
    var description = `extension`
    description.sdkVersion = description.sdkVersion ?? app.app.sdkVersion
    let parties = app.accounts.map(\.account).filter {
      !app.isBlocked(.account($0)) && !isBeingWiped($0, in: app)
    }.map { account in
      let entries = policies.entries(for: account, in: description, bundleID: containingApp)
      return Party(
        app: description.state(for: account), identity: .account(account),
        policy: entries.isEmpty ? nil : merging(entries))
    }
    return parties.first(where: \.isManaged) ?? parties.first
      ?? Party(app: description.state(for: nil), identity: .unset)
  }
}
