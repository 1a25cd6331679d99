import Model
import Policy

extension LeakMoves {
  /// Whether a sender hands data on by ways on which no tag comes along: an app does with what is its persona's.
  func isUntaggedSender(_ sender: Sender, of state: Possession) -> Bool {
    guard case .tagged(let upn, _) = state.form else { return true }
    return sender.persona.account?.upn.lowercased() == upn
  }

  /// The other apps that read what a sender keeps in a keychain group, each for all of its personas.
  func readers(of group: String, after sender: Sender) -> [Arrival] {
    (members[group] ?? []).filter { world.apps[$0].name != sender.app.name }
      .flatMap { index -> [Arrival] in
        let reader = world.apps[index]
        guard let decision = reader.keychain?.decide(group: group, operation: .keychainQuery),
          decision.verdict.outcome == .allowed
        else { return [] }
        return reader.personas.indices.map { number in
          Arrival(
            app: index, persona: number,
            hop: LeakHop(
              app: sender.app.name, persona: sender.persona.name,
              action: .keep(group: group, to: reader.name, as: reader.personas[number].name),
              ruling: decision.verdict))
        }
      }
  }
}
