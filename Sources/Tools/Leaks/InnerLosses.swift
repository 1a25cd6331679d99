internal import Model
internal import Output
internal import Policy

/// The flows that setting changes close, between managed accounts and from managed accounts to their storage.
///
/// Apps that no rule distinguishes before or after the changes form a group, and one verdict holds for the whole group.
/// Rules read fewer properties of receivers than of senders, so there are few groups of receivers. The cost depends on
/// the number of groups, not on the number of pairs of apps.
struct InnerLosses {
  /// The groups of senders, which are apps with managed accounts, in the order of their first apps.
  private var groups: [Group] = []
  /// The groups of receivers, which are also apps with managed accounts. Each consists of whole groups of senders.
  private var targets: [Group] = []
  /// For each group of senders, the index of the group of receivers that contains its apps.
  private var target: [Int] = []
  /// The closed flows by channel: for each group of senders, the indices of the groups of receivers.
  private var lost: [Channel: [[Int]]] = [:]
  /// For each group of senders, the storage locations that its apps can no longer save to.
  private var locations: [[String]] = []
  /// The number of evaluated requests.
  private(set) var evaluations = 0

  private struct Group {
    let key: Key
    /// The apps' indices in the compared worlds.
    var members: [Int] = []
  }

  private struct Key: Hashable {
    var isApp: Bool
    /// For each managed account of an app, the numbers of its classes before and after the changes. Rules do not
    /// distinguish accounts of the same class.
    var classes: [[Int]]
  }

  private static let transfers = [Channel.share, .clipboard]

  private var names: [String] = []

  init() {}

  /// Compares two worlds (a device's apps with their identities) that differ only in their policies. Considers each app
  /// only with its initial sign-ins.
  init(from before: LeakWorld, to after: LeakWorld) {
    let apps = before.stated.apps
    names = apps.map(\.name)
    let classes = (VerdictClasses(before), VerdictClasses(after))
    groups = Self.groups(apps) {
      [classes.0.number(ofPersona: $1, in: $0), classes.1.number(ofPersona: $1, in: $0)]
    }
    targets = Self.groups(apps) {
      [classes.0.number(ofReceiver: $1, in: $0), classes.1.number(ofReceiver: $1, in: $0)]
    }
    let own = Dictionary(
      uniqueKeysWithValues: targets.enumerated().flatMap { index, group in
        group.members.map { ($0, index) }
      })
    target = groups.map { own[$0.members[0], default: 0] }
    for channel in Self.transfers {
      lost[channel] = groups.indices.map { sender in
        guard groups[sender].key.isApp else { return [] }
        return targets.indices.filter { receiver in
          isOpen(channel, from: sender, to: receiver, in: before)
            && !isOpen(channel, from: sender, to: receiver, in: after)
        }
      }
    }
    locations = groups.map { group in
      guard group.key.isApp, let app = group.members.first else { return [] }
      let closed = Set(saving(from: after.apps[app], in: after))
      return saving(from: before.apps[app], in: before).filter { !closed.contains($0) }
    }
  }

  /// Groups the apps that have managed accounts by the classes of these accounts.
  ///
  /// - Parameter classes: Returns the classes of an app acting for one of its identities (a persona), given the indices
  ///   of the app and the persona.
  private static func groups(
    _ apps: [LeakWorld.App], _ classes: (_ app: Int, _ persona: Int) -> [Int]
  ) -> [Group] {
    var groups: [Group] = []
    var known: [Key: Int] = [:]
    for (index, app) in apps.enumerated() {
      let managed = app.personas.indices.filter { app.personas[$0].party.isManaged }
      guard !managed.isEmpty else { continue }
      let key = Key(isApp: app.kind == .app, classes: managed.map { classes(index, $0) })
      let group = known[key] ?? groups.count
      if group == groups.count { groups.append(Group(key: key)) }
      known[key] = group
      groups[group].members.append(index)
    }
    return groups
  }

  // MARK: Verdicts

  /// Returns whether data can be sent from managed accounts in one group to managed accounts of another app in the
  /// other group. Evaluates one app of each group, because the verdicts are the same for all.
  private mutating func isOpen(
    _ channel: Channel, from sender: Int, to receiver: Int, in world: LeakWorld
  ) -> Bool {
    guard let from = groups[sender].members.first,
      let to = targets[receiver].members.first(where: { $0 != from })
    else { return false }
    let content = Content(characters: channel == .clipboard ? LeakSearch.characters : nil)
    let receivers = world.apps[to].personas.filter(\.party.isManaged)
    for sender in world.apps[from].personas where sender.party.isManaged {
      for receiver in receivers {
        evaluations += 1
        let request = TransferRequest(
          channel: channel, sender: sender.party, owner: sender.owner, receiver: receiver.party,
          content: content, device: world.device)
        if evaluate(request).outcome == .allowed { return true }
      }
    }
    return false
  }

  /// Returns the storage locations of managed accounts, as text, to which an app can save the accounts' data.
  private mutating func saving(from app: LeakWorld.App, in world: LeakWorld) -> [String] {
    var found: [String] = []
    for sender in app.personas where sender.party.isManaged {
      for location in StorageLocation.saveLocations {
        evaluations += 1
        let request = TransferRequest(
          channel: .saveTo, sender: sender.party, owner: sender.owner, receiver: sender.party,
          appPolicy: app.appPolicy, content: Content(location: location), device: world.device)
        guard evaluate(request).outcome == .allowed else { continue }
        found.append(StorageLocation.text(location.rawValue, of: sender.name))
      }
    }
    return found.unique
  }

  // MARK: Results

  /// The number of closed flows: one for each channel, app, and receiving app or location.
  var count: Int {
    let saved = zip(groups, locations).reduce(0) { $0 + $1.0.members.count * $1.1.count }
    return lost.values.reduce(saved) { sum, lost in
      lost.enumerated().reduce(sum) { sum, element in
        let size = groups[element.offset].members.count
        return element.element.reduce(sum) {
          $0 + size * (targets[$1].members.count - ($1 == target[element.offset] ? 1 : 0))
        }
      }
    }
  }

  /// The closed flows as sentences. Apps with equal targets share a sentence.
  var sentences: [String] {
    Self.transfers.flatMap { transferSentences(through: $0) } + storageSentences
  }

  /// The senders in a sentence, and the groups of receivers that they can no longer send to.
  private struct Row {
    var senders: [Int]
    /// Whether the closed flows include the flows between the senders.
    var isMutual: Bool
    var targets: Set<Int>
  }

  private func transferSentences(through channel: Channel) -> [String] {
    rows(lost[channel] ?? []).map { row in
      let senders = Set(row.senders.flatMap { groups[$0].members })
      let others = names(
        of: row.targets.flatMap { targets[$0].members }.filter {
          !senders.contains($0)
        })
      return Self.sentence(
        names(of: senders), row.isMutual ? ["each other"] + others : others, through: channel)
    }
  }

  private func rows(_ lost: [[Int]]) -> [Row] {
    // Groups that lose flows to the same groups, including their own, also lose flows to each other. A group of a
    // single app has no flows within itself.
    var mutual: [Set<Int>: [Int]] = [:]
    var rows: [Row] = []
    for (sender, others) in lost.enumerated() where !others.isEmpty {
      let own = target[sender]
      guard others.contains(own) || targets[own].members.count == 1 else {
        rows.append(Row(senders: [sender], isMutual: false, targets: Set(others)))
        continue
      }
      mutual[Set(others).union([own]), default: []].append(sender)
    }
    for (all, senders) in mutual {
      let isMutual = senders.reduce(0) { $0 + groups[$1].members.count } > 1
      let own = target[senders[0]]
      let isAlone = !isMutual && targets[own].members.count == 1
      rows.append(
        Row(
          senders: senders, isMutual: isMutual,
          targets: isAlone ? all.subtracting([own]) : all))
    }
    // A row that contains its own group does not contain its sender, so its targets differ from those of others.
    let separate = Dictionary(grouping: rows.filter { !$0.isMutual }) { row in
      [row.targets, row.targets.intersection(row.senders.map { target[$0] })]
    }.values.map {
      Row(senders: $0.flatMap(\.senders).sorted(), isMutual: false, targets: $0[0].targets)
    }
    return (rows.filter(\.isMutual) + separate).sorted { $0.senders[0] < $1.senders[0] }
  }

  private var storageSentences: [String] {
    var targets: [[String]] = []
    var senders: [[String]: [Int]] = [:]
    for (group, locations) in locations.enumerated() where !locations.isEmpty {
      if senders[locations] == nil { targets.append(locations) }
      senders[locations, default: []].append(group)
    }
    return targets.map {
      Self.sentence(
        names(of: (senders[$0] ?? []).flatMap { groups[$0].members }), $0, through: .saveTo)
    }
  }

  /// Returns the names of the chosen apps, in the order of the compared worlds.
  private func names(of chosen: some Sequence<Int>) -> [String] {
    chosen.sorted().map { names[$0] }
  }

  private static func sentence(
    _ apps: [String], _ targets: [String], through channel: Channel
  ) -> String {
    let verb =
      switch channel.counterpart {
      case .location: "save to"
      case .app where channel == .clipboard: "copy text to"
      case .app, .url, .system: "share with"
      }
    return "\(ListFormat.all(of: apps)) can no longer \(verb) \(ListFormat.all(of: targets))"
  }
}
