import Model
import Policy

/// Classes of personas (apps that act for one of their identities). No rule distinguishes the personas of a class, so a
/// verdict for one of them holds for the whole class.
///
/// Rules use an app's bundle id only to test whether sender and receiver are the same app. They compare policies by
/// their settings or by identity.
struct VerdictClasses {
  /// The classes of all personas as senders, by the indices of app and persona.
  private var personas: [[Int]] = []
  /// The classes of all personas as receivers. Each is a union of classes of senders.
  private var receivers: [[Int]] = []
  private var known: [Class: Int] = [:]
  private var knownReceivers: [Class: Int] = [:]
  private var receiving: [ReceivingSettings: Int] = [:]
  /// The number of each class of apps. The key is the list of the classes of an app's personas, so apps with equal
  /// lists are in one class.
  private var apps: [[Int]: Int] = [:]
  private var policies: [EffectivePolicy] = []
  /// The indices of policies in ``policies``, keyed by the locations of the policies' settings.
  private var stating: [[Setting: EffectivePolicy.Origin]: [Int]] = [:]
  private var policyClasses: [ObjectIdentifier: Int] = [:]
  private var answers: [Question: Answer] = [:]
  /// The personas of each class of receivers, with separate groups for apps and extensions.
  private(set) var groups: [Group] = []

  private struct Class: Hashable {
    var app: AppState
    /// The account's UPN, object id and tenant id; nil if there is no account.
    var account: [String?]?
    var isUnknown: Bool
    /// The number of the policy's class; nil if there is no policy. Policies of senders are compared by their settings
    /// and origins, policies of receivers by ``ReceivingSettings``.
    var policy: Int?
    var offered: LeakWorld.App.OfferedTypes
    /// Whether data without an owner goes to another persona of the app instead of this one.
    var isPassedOver = false
  }

  /// Everything that the verdict on a transfer depends on.
  private struct Question: Hashable {
    var transfer: LeakHop.Transfer
    var sender: Int
    var receiver: Int
    var owner: String?
    var ownerPolicy: Int?
    /// Whether the owner and the sender have the same policy, which is then evaluated only once.
    var isSendersPolicy: Bool
    var isSameApp: Bool
  }

  struct Answer {
    var isAllowed: Bool
    /// Whether the receiver becomes the owner of the data.
    var becomesReceivers: Bool

    init(_ verdict: Verdict) {
      isAllowed = verdict.outcome == .allowed
      becomesReceivers = verdict.reasons.contains { $0.rule == .incomingOrgData }
    }
  }

  /// Personas that are equal as receivers: for any given sender, the verdict is the same for all of them.
  struct Group {
    var kind: LeakWorld.App.Kind
    var members: [Member] = []

    /// A persona, given by the index of its app and the persona's index in the app.
    struct Member {
      var app: Int
      var persona: Int
    }
  }

  init(_ world: LeakWorld) {
    var bundles: [String: Set<String>] = [:]
    for app in world.apps { bundles[app.bundleID, default: []].insert(app.name) }
    for app in world.apps {
      let isAlone = bundles[app.bundleID]?.count == 1
      let takesUnownedData = app.takesUnownedData(on: world.device)
      personas.append([])
      receivers.append([])
      for persona in app.personas {
        var key = Self.key(persona.party, isAlone, app.offered)
        key.isPassedOver = takesUnownedData && !persona.party.isManaged
        key.policy = number(of: persona.party.policy)
        personas[personas.count - 1].append(known.number(of: key))
        key.policy = persona.party.policy.map { receiving.number(of: $0.receiving) }
        receivers[receivers.count - 1].append(knownReceivers.number(of: key))
      }
    }
    addGroups(world)
  }

  private mutating func addGroups(_ world: LeakWorld) {
    var numbers: [LeakWorld.App.Kind: [Int: Int]] = [:]
    for (index, app) in world.apps.enumerated() {
      for (persona, number) in receivers[index].enumerated() {
        let group = numbers[app.kind]?[number] ?? groups.count
        if group == groups.count { groups.append(Group(kind: app.kind)) }
        numbers[app.kind, default: [:]][number] = group
        groups[group].members.append(Group.Member(app: index, persona: persona))
      }
    }
  }

  /// Returns the class that a persona has as a sender. The persona is given by the index of its app and the persona's
  /// index in the app.
  func number(ofPersona persona: Int, in app: Int) -> Int { personas[app][persona] }

  func number(ofReceiver persona: Int, in app: Int) -> Int { receivers[app][persona] }

  /// Returns the class of an app as a sender. Apps with equal classes of personas share a class.
  mutating func number(ofApp app: Int) -> Int { apps.number(of: personas[app]) }

  /// A class of senders: everything about a sender and its data that a verdict can depend on.
  struct Sender: Hashable {
    fileprivate var persona: Int
    /// The classes of all personas of the app, because storage locations may belong to their accounts.
    fileprivate var app: [Int]
    fileprivate var owner: String?
    fileprivate var policy: Int?
    fileprivate var isSendersPolicy: Bool
    fileprivate var types: [String]
  }

  /// Returns the class of a sender: a persona that sends data of `owner`. `app` and `persona` are indices.
  mutating func sender(
    _ app: Int, _ persona: Int, _ party: Party, _ owner: Owner, _ types: [String]
  ) -> Sender {
    Sender(
      persona: personas[app][persona], app: personas[app], owner: owner.account?.upn,
      policy: number(of: owner.policy), isSendersPolicy: owner.policy === party.policy,
      types: types)
  }

  /// Returns the key of a persona's class, without the class of its policy.
  ///
  /// - Parameter isAlone: Whether the app's bundle id is unique. A unique bundle id is irrelevant to rules.
  private static func key(
    _ party: Party, _ isAlone: Bool, _ offered: LeakWorld.App.OfferedTypes
  ) -> Class {
    var app = party.app
    app.containingApp = nil
    // Rules read only the URL receiver's schemes, and those are evaluated for each app.
    app.schemes = []
    if isAlone { app.bundleID = "" }
    let account = party.identity.account
    let isUnknown = if case .unknown = party.identity { true } else { false }
    return Class(
      app: app, account: account.map { [$0.upn, $0.objectID, $0.tenantID] }, isUnknown: isUnknown,
      offered: offered)
  }

  private mutating func number(of policy: EffectivePolicy?) -> Int? {
    guard let policy else { return nil }
    if let number = policyClasses[ObjectIdentifier(policy)] { return number }
    let number =
      stating[policy.origins]?.first { policies[$0].settings == policy.settings }
      ?? policies.count
    if number == policies.count {
      policies.append(policy)
      stating[policy.origins, default: []].append(number)
    }
    policyClasses[ObjectIdentifier(policy)] = number
    return number
  }

  /// Returns the cached verdict on a transfer between two personas, each given by the index of its app and the
  /// persona's index in the app.
  mutating func answer(
    _ transfer: LeakHop.Transfer, from sender: (app: Int, persona: Int),
    to receiver: (app: Int, persona: Int), _ request: TransferRequest
  ) -> Answer {
    let owner = request.owner
    let question = Question(
      // No rule distinguishes types.
      transfer: transfer.moving(Item.plainText), sender: personas[sender.app][sender.persona],
      receiver: receivers[receiver.app][receiver.persona], owner: owner.account?.upn,
      ownerPolicy: number(of: owner.policy),
      isSendersPolicy: owner.policy === request.sender.policy,
      isSameApp: request.sender.app.bundleID == request.receiver.app.bundleID)
    if let answer = answers[question] { return answer }
    let answer = Answer(evaluate(request))
    answers[question] = answer
    return answer
  }
}

// MARK: - Similar accounts

/// Groups of managed accounts that no rule distinguishes in any app. A world with sign-ins has no groups.
///
/// Such accounts are interchangeable, and a move concerns at most four accounts: the data's owner and the accounts of
/// the sender, the receiver, and a storage location. A shortest path therefore needs only a few accounts of each group.
/// The cost of following one account's data does not depend on the number of accounts.
struct SimilarAccounts {
  /// For each persona of each app, the number of its account in ``omitted``; 0 if no search omits the account.
  private var numbers: [[Int]] = []
  /// The accounts that are omitted from searches for other accounts' data. The values are numbers from 1, keyed by UPN.
  private var omitted: [String: Int] = [:]

  /// The maximum number of a group's accounts that a search includes, in addition to the data's owner.
  private static let most = 5

  /// The properties of an account that rules read.
  private struct Traits: Hashable {
    /// The account's personas, each as the index of an app and the persona's class.
    var personas: [[Int]] = []
    /// The indices of the apps that must not send the account's data.
    var missing: [Int] = []
  }

  init(_ world: LeakWorld) {
    guard world.apps.allSatisfy(\.isStated),
      world.apps.contains(where: { $0.personas.count > Self.most })
    else { return }
    let roles = VerdictClasses.roles(in: world)
    var traits: [String: Traits] = [:]
    var order: [String] = []
    var unmanaged: Set<String> = []
    var ids: [String: String] = [:]
    for (index, app) in world.apps.enumerated() {
      for (number, persona) in app.personas.enumerated() {
        guard let account = persona.account else { continue }
        let upn = account.upn.lowercased()
        if traits[upn] == nil { order.append(upn) }
        traits[upn, default: Traits()].personas.append([index, roles[index][number]])
        if !persona.party.isManaged { unmanaged.insert(upn) }
        // One user may have several UPNs.
        guard let id = account.objectID?.lowercased() else { continue }
        guard ids[id, default: upn] == upn else { return }
        ids[id] = upn
      }
    }
    for (index, app) in world.apps.enumerated() {
      for upn in app.missing { traits[upn]?.missing.append(index) }
    }
    var groups: [Traits: Int] = [:]
    for upn in order where !unmanaged.contains(upn) {
      groups[traits[upn, default: Traits()], default: 0] += 1
      guard groups[traits[upn, default: Traits()], default: 0] > Self.most else { continue }
      omitted[upn] = omitted.count + 1
    }
    guard !omitted.isEmpty else { return }
    numbers = world.apps.map { app in
      app.personas.map { $0.account.flatMap { omitted[$0.upn.lowercased()] } ?? 0 }
    }
  }

  /// Returns the part of the world that a search for the account's data needs.
  func part(of world: LeakWorld, for account: Account) -> LeakWorld {
    guard !omitted.isEmpty else { return world }
    let own = omitted[account.upn.lowercased()]
    var part = world
    for (index, app) in numbers.enumerated() where app.contains(where: { $0 > 0 }) {
      part.apps[index].personas = zip(world.apps[index].personas, app)
        .filter { $1 == 0 || $1 == own }.map(\.0)
    }
    return part
  }
}

extension VerdictClasses {
  private init() {}

  /// Returns the classes of all personas as senders. Personas of different users in a tenant can have the same class.
  fileprivate static func roles(in world: LeakWorld) -> [[Int]] {
    var classes = VerdictClasses()
    return world.apps.map { app in
      app.personas.map { persona in
        var key = key(persona.party, false, app.offered)
        key.account = persona.account.map { ["", $0.objectID.map { _ in "" }, $0.tenantID] }
        key.policy = classes.number(of: persona.party.policy)
        return classes.known.number(of: key)
      }
    }
  }
}

extension Dictionary where Value == Int {
  /// Returns the number of a key. A new key gets the next number.
  fileprivate mutating func number(of key: Key) -> Int {
    if let number = self[key] { return number }
    self[key] = count
    return count - 1
  }
}

extension LeakWorld.App {
  fileprivate var bundleID: String { personas.first?.party.app.bundleID ?? "" }
}
