internal import Activation
package import Model
package import Policy
internal import UniformTypes
package import Wire

/// Predicts the content of share sheets on the device. Its functions change nothing, and record nothing in the journal.
package struct ShareSheetView {
  let registry: GuestRegistry
  let identities: IdentityCoordinator
  let accounts: SignInCoordinator

  package struct Sharer {
    package var party: Party
    package var owner: Owner
    /// The policy of the app's managed account; nil if there is none.
    package var appPolicy: EffectivePolicy?
    /// The verdict that locks the acting account; nil if the account is not locked.
    package var lock: ExplainedVerdict?
  }

  /// Returns the facts about a guest that rules evaluate if it shares now.
  ///
  /// - Parameter task: The task that shares; nil for the front window.
  /// - Returns: nil if there is no such guest.
  package func sharer(_ name: String, as task: TaskContext? = nil) -> Sharer? {
    guard let guest = registry[name] else { return nil }
    let actingIdentity = identities.actingIdentity(of: guest, for: task, .interface)
    var party = actingIdentity.party
    party.app.alwaysRestrictsSaving =
      party.identity.account.map(guest.alwaysRestrictsSaving) ?? false
    return Sharer(
      party: party, owner: actingIdentity.ownership.owner,
      appPolicy: guest.appPolicy,
      lock: guest.acting.lock(of: actingIdentity)?.explained)
  }

  /// Returns up to two item types: the first for which the share sheet offers the extension, and the first for whose
  /// SDK alias the share sheet offers it. The candidates are common types, beginning with plain text, and the types in
  /// the extension's activation rule.
  package func offeredTypes(_ name: String) -> [String] {
    guard let activation = registry[name]?.app.activation else { return [] }
    let candidates = Self.commonTypes + activation.namedTypes
    let plain = candidates.first { isOffered(name, for: $0) }
    let aliased = candidates.first { isOffered(name, for: IntuneTypeAlias.of($0)) }
    return [plain, aliased].compactMap(\.self)
  }

  /// Returns whether the extension is offered for an item of the type; false if there is no such guest.
  package func isOffered(_ name: String, for type: String) -> Bool {
    registry[name]?.app.activation.offers([SharedItem(types: [type])], types: registry.types)
      ?? false
  }

  /// Returns whether the extension is offered for an item that the SDK registers under the alias of a type.
  package func isOffered(_ name: String, forAliasOf type: String) -> Bool {
    isOffered(name, for: IntuneTypeAlias.of(type))
  }

  /// The types that ``offeredTypes(_:)`` tries first.
  private static let commonTypes = [
    Item.plainText, "public.url", "public.png", "public.jpeg", "public.mpeg-4", "com.adobe.pdf",
    "public.vcard", "public.zip-archive", "public.data",
  ]

  /// Returns the party that rules evaluate if the app or extension `name` receives data. Returns nil if there is no
  /// guest of that name.
  ///
  /// - Parameters:
  ///   - owner: The owner of the received data.
  ///   - task: The task for which an app receives the data; nil for the front window.
  package func receivingParty(
    _ name: String, of owner: Owner, as task: TaskContext? = nil
  ) -> Party? {
    guard let guest = registry[name] else { return nil }
    guard guest.app.kind != .app else {
      let own = identities.actingIdentity(of: guest, for: task, .interface)
      return identities.receiver(
        identities.receivingIdentity(of: guest, actingAs: own, for: owner), in: guest)
    }
    let app = registry.completed(guest.app)
    let signedIn = accounts.accounts(ofExtension: app)
    let actor = SignInCoordinator.actor(of: signedIn)
    var party = Party(
      app: app.state(for: actor?.account), identity: actor.map { .account($0.account) } ?? .unset,
      policy: actor?.policy)
    party.app.lacksRequiredAccount = identities.lacksRequiredAccount(app, signedIn)
    return party
  }

  package func lacksRequiredAccount(_ name: String) -> Bool {
    registry[name].map { identities.lacksRequiredAccount($0.app, $0.accounts.signedIn) } ?? false
  }
}
