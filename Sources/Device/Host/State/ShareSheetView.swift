internal import Activation
package import Model
package import Policy
internal import UniformTypes
package import Wire

/// A device's guests as a share sheet shows them. The functions have no effects and record nothing.
package struct ShareSheetView {
  let registry: GuestRegistry
  let identities: IdentityCoordinator
  let accounts: SignInCoordinator

  package struct Sharer {
    package var party: Party
    package var owner: Owner
    /// The policy of the app's managed account; nil if there is none.
    package var appPolicy: EffectivePolicy?
    /// The reason why the account is locked; nil if the account is not locked.
    package var lock: ExplainedVerdict?
  }

  /// Returns the guest's current state as a sharer.
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

  /// Returns up to two item types for which an extension is offered: the first type that is offered under its own name,
  /// and the first type that is offered under its alias. The candidates are common types, beginning with plain text,
  /// and the types in the extension's activation rule.
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

  /// The types that are tried first as candidates.
  private static let commonTypes = [
    Item.plainText, "public.url", "public.png", "public.jpeg", "public.mpeg-4", "com.adobe.pdf",
    "public.vcard", "public.zip-archive", "public.data",
  ]

  /// Returns the app or extension as a receiver for rules; nil if there is no guest of that name.
  ///
  /// - Parameters:
  ///   - owner: The owner of the received data.
  ///   - task: The task that acts for the receiver; nil for the front window.
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
