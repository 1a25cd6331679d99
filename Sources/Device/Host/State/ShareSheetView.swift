internal import Activation
package import Model
package import Policy
internal import UniformTypes
package import Wire

/// The guests of a device as a share sheet sees them. Nothing happens by looking, and nothing is recorded.
package struct ShareSheetView {
  let registry: GuestRegistry
  let identities: IdentityCoordinator
  let accounts: SignInCoordinator

  /// A guest that shares.
  package struct Sharer {
    package var party: Party
    /// Owner of the data.
    package var owner: Owner
    /// The policy of the app's managed account; nil where the app has none.
    package var appPolicy: EffectivePolicy?
    /// The reason why the account is closed; nil where it is open.
    package var lock: ExplainedVerdict?
  }

  /// The guest as it would share now.
  ///
  /// - Parameter task: the task that shares; nil: the window in front.
  /// - Returns: nil where there is no such guest.
  package func sharer(_ name: String, as task: TaskContext? = nil) -> Sharer? {
    guard let guest = registry[name] else { return nil }
    let actingIdentity = identities.actingIdentity(of: guest, for: task, .interface)
    return Sharer(
      party: actingIdentity.party, owner: actingIdentity.ownership.owner,
      appPolicy: guest.appPolicy,
      lock: guest.acting.lock(of: actingIdentity)?.explained)
  }

  /// The types, among those that are common and those that its rule names, of which an item has an extension offered:
  /// the first under its own name, and the first under its alias. Plain text where that is one.
  package func offeredTypes(_ name: String) -> [String] {
    guard let activation = registry[name]?.app.activation else { return [] }
    let candidates = Self.commonTypes + activation.namedTypes
    let plain = candidates.first { isOffered(name, for: $0) }
    let aliased = candidates.first { isOffered(name, for: IntuneTypeAlias.of($0)) }
    return [plain, aliased].compactMap(\.self)
  }

  /// Whether an item of the type has an extension offered.
  package func isOffered(_ name: String, for type: String) -> Bool {
    registry[name]?.app.activation.offers([SharedItem(types: [type])], types: registry.types)
      ?? false
  }

  /// Whether an item of the type has an extension offered, where the SDK registers it under the type's alias.
  package func isOffered(_ name: String, forAliasOf type: String) -> Bool {
    isOffered(name, for: IntuneTypeAlias.of(type))
  }

  /// The types with which rules are tried first.
  private static let commonTypes = [
    Item.plainText, "public.url", "public.png", "public.jpeg", "public.mpeg-4", "com.adobe.pdf",
    "public.vcard", "public.zip-archive", "public.data",
  ]

  /// The party that rules see in the guest, an app or an extension, when it gets something; nil where there is no such
  /// guest.
  package func receivingParty(_ name: String, as task: TaskContext? = nil) -> Party? {
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
