import Cryptography
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

/// After any operations, the database has the same contents as a model. The model consists of lists
/// that are searched linearly.
@Suite struct DeviceDatabaseLawTests {
  @Test(arguments: [UInt64](1...6))
  func `the database agrees with a model under random operations and failures`(_ seed: UInt64)
    throws
  {
    let folder = try Workspace()
    let domain = seed % 3 == 0 ? DeviceDatabaseDomain.plain : .ambiguous
    var generator = SeededGenerator(seed: seed)
    var model = DeviceDatabaseModel()
    var database = try DeviceDatabase(path: folder.path("device.sqlite"), isSynchronized: false)
    for step in 1...300 {
      let operation = DeviceDatabaseOperation.random(domain, using: &generator)
      // An account without an object id may match two people. It is unspecified whose key it gets.
      if case .key(let account, _) = operation, !model.hasOneKeyAtMost(account) { continue }
      let expected = operation.apply(to: &model)
      let found = try operation.apply(to: database, domain)
      try #require(found == expected, "seed \(seed), step \(step), \(operation)")
      guard step % 10 == 0 else { continue }
      if step % 100 == 0 {
        try database.close()
        database = try DeviceDatabase(path: folder.path("device.sqlite"), isSynchronized: false)
      }
      let lines = try database.lines(domain, model)
      try #require(lines == model.lines(domain), "seed \(seed), step \(step), \(operation)")
      try expectAccounts(of: database, model, "seed \(seed), step \(step)")
    }
    try database.close()
  }

  /// Expects that the database names every account exactly once, and no other accounts.
  private func expectAccounts(
    of database: DeviceDatabase, _ model: DeviceDatabaseModel, _ comment: Comment
  ) throws {
    let found = try database.accounts()
    for account in model.accounts {
      try #require(found.contains { $0.isSameUser(as: account) }, comment)
    }
    for account in found {
      try #require(found.count { $0.isSameUser(as: account) } == 1, comment)
      try #require(model.accounts.contains { $0.isSameUser(as: account) }, comment)
    }
  }
}

/// A small set of names for random operations. Operations therefore often use the same name.
struct DeviceDatabaseDomain: Sendable {
  var accounts: [Account]
  var apps = ["mail", "notes"]
  var scopes = ["Containers/mail", "Groups/group.example"]
  var groups = ["T.mail", "group.example"]
  /// The key is equal in every process.
  let wrap = AES256GCM(key: [UInt8](repeating: 7, count: AES256GCM.keyByteCount))

  /// The locations include paths that are not UTF-8, and one path that is a prefix of another.
  var places: [FileLocation] {
    scopes.flatMap { scope in
      [Array("a".utf8), Array("a/b".utf8), [0xFF, 0x2F, 0xC3], Array("a.txt".utf8)]
        .compactMap { FileLocation(scope: scope, path: $0) }
    }
  }

  /// Names that differ after a NUL are different names.
  var keys: [KeychainKey] {
    ["login", "login\0", "\0", ""].flatMap { service in
      ["anna", "\u{1}"].map { KeychainKey(service: service, account: $0) }
    }
  }

  /// Accounts that are equal or nearly equal. Some are both equal to a third account without being
  /// equal to each other.
  static let ambiguous = DeviceDatabaseDomain(
    accounts: [
      "anna@contoso.com", "ANNA@Contoso.com", "jürgen@contoso.com", "JÜRGEN@contoso.com",
      "anna@contoso.com\0", "bert@contoso.com",
    ].flatMap { upn in
      [nil, "0a", "0A", "0b"].map {
        Account(upn: upn, objectID: $0, tenantID: upn == "bert@contoso.com" ? "contoso" : nil)
      }
    })

  /// Accounts that stay unambiguous under all renames, because each has an object id.
  static let plain = DeviceDatabaseDomain(accounts: [
    Account(upn: "anna@contoso.com", objectID: "0a", tenantID: "contoso"),
    Account(upn: "bert@contoso.com", objectID: "0b"),
    Account(upn: "carla@contoso.com", objectID: "0c"),
  ])
}

/// The expected contents of a device's database, as lists that are searched linearly.
struct DeviceDatabaseModel {
  struct SignIn {
    var app: String
    var account: Account
    var policies: [String]?
  }

  /// A keychain item; its key contains the group.
  struct Item {
    var key: KeychainKey
    var owner: Account?
    var value: [UInt8]
  }

  var signIns: [SignIn] = []
  var keys: [(account: Account, key: [UInt8])] = []
  var owners: [(place: FileLocation, account: Account)] = []
  var moves: [FileMove] = []
  var items: [Item] = []
  /// Access states by team and number.
  var access: [String: [Int: PublisherAccess.Entry]] = [:]
  var checkIns: [CheckIn] = []
  var configurations: [String: [String: String]] = [:]
  var clock: Int?

  var accounts: [Account] {
    signIns.map(\.account) + keys.map(\.account) + owners.map(\.account)
      + items.compactMap(\.owner) + checkIns.map(\.account)
  }

  /// Returns the account in the spelling that the device already knows.
  func spelled(_ account: Account) -> Account {
    let isSpelling = { (other: Account) in
      other.upn.lowercased() == account.upn.lowercased()
        && other.objectID?.lowercased() == account.objectID?.lowercased()
        && other.tenantID?.lowercased() == account.tenantID?.lowercased()
    }
    return accounts.first(where: isSpelling) ?? account
  }

  func hasOneKeyAtMost(_ account: Account) -> Bool {
    keys.count { $0.account.isSameUser(as: account) } < 2
  }

  /// Replaces the old name in sign-ins, files, items, check-ins and the key.
  ///
  /// - Returns: Whether the account was renamed.
  mutating func rename(_ old: Account, to new: Account) -> Bool {
    let renamed = { (former: Account) in
      Account(
        upn: new.upn, objectID: new.objectID ?? old.objectID ?? former.objectID,
        tenantID: new.tenantID ?? old.tenantID ?? former.tenantID)
    }
    let named = accounts.filter { $0.isSameUser(as: old) }
    let others = accounts.filter { !$0.isSameUser(as: old) }
    for one in named {
      if !named.allSatisfy({ $0.isSameUser(as: one) }) { return false }
      if others.contains(where: { $0.isSameUser(as: renamed(one)) }) { return false }
    }
    let after = { (account: Account) in account.isSameUser(as: old) ? renamed(account) : account }
    for index in signIns.indices { signIns[index].account = after(signIns[index].account) }
    for index in keys.indices { keys[index].account = after(keys[index].account) }
    for index in owners.indices { owners[index].account = after(owners[index].account) }
    for index in items.indices { items[index].owner = items[index].owner.map(after) }
    for index in checkIns.indices { checkIns[index].account = after(checkIns[index].account) }
    return true
  }

  mutating func setOwner(_ owner: Account?, of place: FileLocation) {
    let owner = owner.map(spelled)
    owners.removeAll { $0.place == place }
    if let owner { owners.append((place, owner)) }
  }

  /// Finishes a move. The owner moves with the file, and replaces the owner of the destination,
  /// even if there is no owner.
  mutating func finishMove(_ move: FileMove) {
    moves.removeAll { $0 == move }
    guard move.from != move.to else { return }
    let owner = owners.first { $0.place == move.from }?.account
    setOwner(nil, of: move.from)
    setOwner(owner, of: move.to)
  }

  /// Returns the key of an account. A key is created once for all spellings. It belongs to the
  /// first object id that requests it, not to the next owner of the UPN.
  mutating func key(of account: Account, make: [UInt8]) -> [UInt8] {
    guard let index = keys.firstIndex(where: { $0.account.isSameUser(as: account) }) else {
      keys.append((spelled(account), make))
      return make
    }
    if keys[index].account.objectID == nil, account.objectID != nil {
      keys[index].account = spelled(account)
    }
    return keys[index].key
  }

  func items(_ key: KeychainKey, in groups: [String]) -> [Int] {
    items.indices.filter {
      groups.contains(items[$0].key.group) && items[$0].key.service == key.service
        && items[$0].key.account == key.account
    }
  }

  /// Returns the number of items in the groups, and the bytes of their stored keys and values.
  func usage(of groups: [String]) -> (items: Int, bytes: Int) {
    let found = groups.flatMap { group in items.filter { $0.key.group == group } }
    let bytes = found.map {
      $0.value.count + $0.key.service.stored.utf8.count + $0.key.account.stored.utf8.count
    }
    return (found.count, bytes.reduce(0, +))
  }
}

// MARK: Observable contents

extension DeviceDatabaseModel {
  /// Returns the complete contents, one line for each entry.
  func lines(_ domain: DeviceDatabaseDomain) -> [String] {
    var lines: [String] = []
    for app in domain.apps {
      for signIn in signIns where signIn.app == app {
        lines.append("\(app): \(text(signIn.account)) \(text(signIn.policies))")
      }
      lines.append("\(app) configuration: \(text(configurations[app]))")
    }
    for account in domain.accounts {
      let isThis = { (other: Account) in other.isSameUser(as: account) }
      let apps = Set(signIns.filter { isThis($0.account) }.map(\.app)).sorted()
      lines.append("\(text(account)) is signed in to \(apps)")
      let files = domain.scopes.reversed().flatMap { scope in
        owners.filter { $0.place.scope == scope && isThis($0.account) }.map(\.place)
          .sorted { $0.path.lexicographicallyPrecedes($1.path) }
      }
      lines.append("\(text(account)) owns \(files)")
      if hasOneKeyAtMost(account) {
        lines.append("\(text(account)) has the key \(keys.first { isThis($0.account) }?.key ?? [])")
      }
    }
    for place in domain.places {
      let owner = owners.first { $0.place == place }?.account
      lines.append("\(place): \(text(owner))")
    }
    lines += domain.scopes.map { scope in
      "\(scope): \(owners.count { $0.place.scope == scope }) owned files"
    }
    lines += moves.map { "\($0.from) goes to \($0.to)" }.sorted()
    for item in items {
      lines.append("\(text(item.key)) = \(item.value), \(text(item.owner)), \(item.value.count)")
    }
    lines += checkIns.map { "\($0.app) \(text($0.account)) \($0.time)" }.sorted()
    lines += access.sorted { $0.key < $1.key }.flatMap { team, entries in
      entries.sorted { $0.key < $1.key }.map { "\(team): \(text($0.value))" }
    }
    lines.append("clock \(clock ?? -1)")
    return lines
  }
}

extension DeviceDatabase {
  /// Returns the contents that the model also has, in the same form.
  func lines(_ domain: DeviceDatabaseDomain, _ model: DeviceDatabaseModel) throws -> [String] {
    var lines: [String] = []
    for app in domain.apps {
      for one in try enrollment(of: app) {
        lines.append("\(app): \(text(one.account)) \(text(one.isEnrolled ? one.policies : nil))")
      }
      lines.append("\(app) configuration: \(text(try configuration(of: app)))")
    }
    for account in domain.accounts {
      lines.append("\(text(account)) is signed in to \(try apps(signedInTo: account))")
      let files = try files(ownedBy: account, scopes: domain.scopes.reversed())
      lines.append("\(text(account)) owns \(files)")
      if model.hasOneKeyAtMost(account) {
        let key = try existingAccountKey(of: account, wrap: domain.wrap) ?? []
        lines.append("\(text(account)) has the key \(key)")
      }
    }
    for place in domain.places { lines.append("\(place): \(text(try owner(of: place)))") }
    lines += try domain.scopes.map { "\($0): \(try ownerCount(in: $0)) owned files" }
    lines += try pendingMoves().map { "\($0.from) goes to \($0.to)" }.sorted()
    for item in try items() {
      let value = try value(for: item.key, in: [item.key.group]) ?? []
      lines.append("\(text(item.key)) = \(value), \(text(item.owner)), \(item.byteCount)")
    }
    lines += try checkIns().map { "\($0.app) \(text($0.account)) \($0.time)" }.sorted()
    lines += try accessStates().sorted { $0.key < $1.key }.flatMap { team, entries in
      entries.map { "\(team): \(text($0))" }
    }
    lines.append("clock \(try clock ?? -1)")
    return lines
  }
}

private func text(_ account: Account?) -> String {
  guard let account else { return "nobody" }
  return "\(account.upn)|\(account.objectID ?? "")|\(account.tenantID ?? "")".debugDescription
}

private func text(_ policies: [String]?) -> String { policies.map { "\($0)" } ?? "-" }

private func text(_ configuration: [String: String]?) -> String {
  configuration.map { "\($0.sorted { $0.key < $1.key })" } ?? "-"
}

private func text(_ key: KeychainKey) -> String {
  "\(key.group)/\(key.service)/\(key.account)".debugDescription
}

private func text(_ entry: PublisherAccess.Entry) -> String {
  let state = entry.state
  let current = state.current.map { "\($0.pin.text) \($0.setAt)" } ?? "-"
  return "\(text(entry.account)) \(entry.generation) \(current) "
    + "\(state.earlierPINs.map(\.text)) \(state.failedAttempts) "
    + "\(state.isResetRequired) \(state.lastUnlock ?? -1) \(state.lastSignIn ?? -1)"
}

/// An operation on a device's database and on its model.
enum DeviceDatabaseOperation: Sendable {
  case add(Account, app: String)
  case remove(Account, app: String)
  case enroll(Account, app: String, policies: [String]?)
  case rename(Account, to: Account)
  case key(Account, make: [UInt8])
  case destroyKey(Account)
  case setOwner(Account?, FileLocation)
  case forgetFiles([FileLocation])
  case beginMove(FileMove)
  case finishMove(FileMove)
  case cancelMove(FileMove)
  case addItem(KeychainKey, group: String, value: [UInt8], owner: Account?)
  case deleteItem(KeychainKey, groups: [String])
  case deleteItems(Account, groups: [String]?)
  case findItem(KeychainKey, groups: [String])
  case saveAccess(PublisherAccess.Entry, number: Int, team: String)
  case checkIn(CheckIn)
  case configure([String: String], app: String)
  case setClock(Int)
  case vacuum

  static func random(
    _ domain: DeviceDatabaseDomain, using generator: inout some RandomNumberGenerator
  ) -> Self {
    var draw = Draw(domain: domain, generator: generator)
    defer { generator = draw.generator }
    let account = draw.account
    let (app, place, key) = (draw.app, draw.place, draw.key)
    let move = FileMove(from: place, to: draw.place)
    switch draw.number(24) {
    case 0, 1: return .add(account, app: app)
    case 2: return .remove(account, app: app)
    case 3:
      return .enroll(account, app: app, policies: draw.isLikely ? ["Standard, \"a\""] : nil)
    case 4: return .rename(account, to: draw.newName(for: account))
    case 5, 6: return .key(account, make: draw.bytes(32))
    case 7: return .destroyKey(account)
    case 8, 9, 10: return .setOwner(draw.isLikely ? account : nil, place)
    case 11: return .forgetFiles([place, draw.place])
    case 12, 13: return .beginMove(move)
    case 14: return .finishMove(move)
    case 15: return .cancelMove(move)
    case 16, 17:
      return .addItem(
        key, group: draw.groups[0], value: draw.value, owner: draw.isLikely ? account : nil)
    case 18, 21: return .findItem(key, groups: draw.groups)
    case 19: return .deleteItem(key, groups: draw.groups)
    case 20: return .deleteItems(account, groups: draw.isLikely ? draw.groups : nil)
    case 22: return draw.state(of: account, app)
    default:  // open: the last of the numbers
      return draw.isLikely ? .setClock(draw.number(1_000_000)) : .vacuum
    }
  }

  private struct Draw<Generator: RandomNumberGenerator> {
    var domain: DeviceDatabaseDomain
    var generator: Generator

    mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    mutating func one<Element>(of elements: [Element]) -> Element {
      elements[number(elements.count)]
    }
    var isLikely: Bool { mutating get { number(3) > 0 } }
    var account: Account { mutating get { one(of: domain.accounts) } }
    var app: String { mutating get { one(of: domain.apps) } }
    var place: FileLocation { mutating get { one(of: domain.places) } }
    var key: KeychainKey { mutating get { one(of: domain.keys) } }
    var groups: [String] { mutating get { domain.groups.shuffled(using: &generator) } }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(number(256)) } }
    /// A random value. Some values fill several pages.
    var value: [UInt8] { mutating get { bytes(one(of: [0, 12, 12, 12, 300, 9000])) } }

    /// Returns a new name: another casing or UPN, or an object id for an account without one.
    mutating func newName(for account: Account) -> Account {
      let other = self.account
      return Account(
        upn: number(2) == 0 ? account.upn.uppercased() : other.upn,
        objectID: isLikely ? account.objectID : other.objectID)
    }

    mutating func state(of account: Account, _ app: String) -> DeviceDatabaseOperation {
      switch number(3) {
      case 0: return .checkIn(CheckIn(app: app, account: account, time: number(1000)))
      case 1:
        return .configure(
          isLikely ? ["a\"\\\0": "\(number(9))", "": "\u{7}\nü"] : [:], app: app)
      default:  // open: the last of the numbers
        var state = AccessState(failedAttempts: number(4), isResetRequired: isLikely)
        for _ in 0..<number(3) { state.set(PIN("\(1000 + number(9000))"), at: number(99)) }
        if isLikely { state.lastSignIn = number(99) }
        let entry = PublisherAccess.Entry(
          account: account, generation: PINGeneration.allCases[number(3)], state: state)
        return .saveAccess(entry, number: number(3), team: app)
      }
    }
  }
}

// MARK: Performing operations

extension DeviceDatabaseOperation {
  /// Performs the operation on the database.
  ///
  /// - Returns: The database's answer.
  func apply(to database: DeviceDatabase, _ domain: DeviceDatabaseDomain) throws -> String {
    switch self {
    case .add(let account, let app): try database.add(account, to: app)
    case .remove(let account, let app): try database.remove(account, from: app)
    case .enroll(let account, let app, let policies):
      return "\(try database.setEnrollment(of: account, in: app, policies: policies))"
    case .rename(let old, let new):
      do throws(HostError) {
        try database.rename(old, to: new, wrap: domain.wrap)
      } catch {
        guard error.code == .duplicateName else { throw error }
        return "refused"
      }
    case .key(let account, let key):
      return "\(try database.accountKey(of: account, wrap: domain.wrap) { key })"
    case .destroyKey(let account): try database.destroyAccountKey(of: account)
    case .setOwner(let owner, let place): try database.setOwner(owner, of: place)
    case .forgetFiles(let places): try database.forgetFiles(places)
    case .beginMove(let move): try database.beginMove(from: move.from, to: move.to)
    case .finishMove(let move): try database.finishMove(from: move.from, to: move.to)
    case .cancelMove(let move): try database.cancelMove(from: move.from, to: move.to)
    case .addItem(let key, let group, let value, let owner):
      let isNew = try database.add(value, for: key, in: group, owner: owner)
      return "\(isNew) \(try database.usage(of: [group]))"
    case .deleteItem(let key, let groups):
      let count = try database.delete(key, in: groups)
      return "\(count) \(try database.usage(of: groups))"
    case .deleteItems(let owner, let groups):
      return "\(try database.deleteItems(ownedBy: owner, in: groups))"
    case .findItem(let key, let groups):
      let value = try database.value(for: key, in: groups)
      return "\(value ?? [])"
    case .saveAccess(let entry, let number, let team):
      try database.saveAccess(entry, number: number, team: team)
    case .checkIn(let checkIn): try database.saveCheckIn(checkIn)
    case .configure(let configuration, let app):
      try database.setConfiguration(configuration, of: app)
    case .setClock(let now): try database.setClock(now)
    case .vacuum: _ = try database.vacuum()
    }
    return "done"
  }

  /// Performs the operation on the model.
  ///
  /// - Returns: The expected answer of the database.
  func apply(to model: inout DeviceDatabaseModel) -> String {
    switch self {
    // An account that signs in again is listed once. It is the last account, in the new spelling,
    // and not enrolled.
    case .add(let account, let app):
      model.signIns.removeAll { $0.app == app && $0.account.isSameUser(as: account) }
      model.signIns.append(.init(app: app, account: model.spelled(account)))
    case .remove(let account, let app):
      model.signIns.removeAll { $0.app == app && $0.account.isSameUser(as: account) }
    case .enroll(let account, let app, let policies):
      let found = model.signIns.indices.filter {
        model.signIns[$0].app == app && model.signIns[$0].account.isSameUser(as: account)
      }
      for index in found { model.signIns[index].policies = policies }
      return "\(!found.isEmpty)"
    case .rename(let old, let new):
      if !model.rename(old, to: new) { return "refused" }
    case .key(let account, let key): return "\(model.key(of: account, make: key))"
    // A destroyed key does not exist under any spelling.
    case .destroyKey(let account): model.keys.removeAll { $0.account.isSameUser(as: account) }
    case .setOwner(let owner, let place): model.setOwner(owner, of: place)
    case .forgetFiles(let places): for place in places { model.setOwner(nil, of: place) }
    case .beginMove(let move): if !model.moves.contains(move) { model.moves.append(move) }
    case .finishMove(let move): model.finishMove(move)
    // A cancelled move does not change owners.
    case .cancelMove(let move): model.moves.removeAll { $0 == move }
    case .saveAccess(let entry, let number, let team):
      model.access[team, default: [:]][number] = entry
    // Only the latest check-in of each app and account is kept.
    case .checkIn(let checkIn):
      model.checkIns.removeAll {
        $0.app == checkIn.app && $0.account.isSameUser(as: checkIn.account)
      }
      var checkIn = checkIn
      checkIn.account = model.spelled(checkIn.account)
      model.checkIns.append(checkIn)
    // An empty configuration differs from one that never changed.
    case .configure(let configuration, let app): model.configurations[app] = configuration
    case .setClock(let now): model.clock = now
    case .vacuum: break
    case .addItem(let key, let group, let value, let owner):
      guard model.items(key, in: [group]).isEmpty else {
        return "false \(model.usage(of: [group]))"
      }
      let key = KeychainKey(group: group, service: key.service, account: key.account)
      model.items.append(.init(key: key, owner: owner.map(model.spelled), value: value))
      return "true \(model.usage(of: [group]))"
    case .deleteItem(let key, let groups):
      let found = model.items(key, in: groups)
      for index in found.reversed() { model.items.remove(at: index) }
      return "\(found.count) \(model.usage(of: groups))"
    // The operation deletes only the account's items in the named groups.
    case .deleteItems(let owner, let groups):
      let before = model.items.count
      model.items.removeAll {
        ($0.owner?.isSameUser(as: owner) ?? false) && (groups?.contains($0.key.group) ?? true)
      }
      return "\(before - model.items.count)"
    // The first group that contains the item applies.
    case .findItem(let key, let groups):
      let found = groups.compactMap { model.items(key, in: [$0]).first }.first
      return "\(found.map { model.items[$0].value } ?? [])"
    }
    return "done"
  }
}
