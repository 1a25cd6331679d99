import Model
import Policy
import Wire

@testable import Host

/// Something that a device has its database remember, for the database and for its model.
enum DeviceDatabaseOperation: Sendable {
  case add(Account, app: String)
  case remove(Account, app: String)
  case enroll(Account, app: String, policies: [String]?)
  case rename(Account, to: Account)
  case key(Account, make: [UInt8])
  case destroyKey(Account)
  case setOwner(Account?, FilePlace)
  case forgetFiles([FilePlace])
  case beginMove(FileMove)
  case finishMove(FileMove)
  case cancelMove(FileMove)
  case addItem(KeychainKey, group: String, value: [UInt8], owner: Account?)
  case updateItem(KeychainKey, groups: [String], value: [UInt8])
  case deleteItem(KeychainKey, groups: [String])
  case deleteItems(Account, groups: [String]?)
  case search(KeychainQuery, groups: [String])
  case saveAccess(AccessState, team: String)
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
    case 18: return .updateItem(key, groups: draw.groups, value: draw.value)
    case 19: return .deleteItem(key, groups: draw.groups)
    case 20: return .deleteItems(account, groups: draw.isLikely ? draw.groups : nil)
    case 21: return .search(draw.query, groups: draw.groups)
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
    var place: FilePlace { mutating get { one(of: domain.places) } }
    var key: KeychainKey { mutating get { one(of: domain.keys) } }
    var groups: [String] { mutating get { domain.groups.shuffled(using: &generator) } }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(number(256)) } }
    /// Some that fill pages.
    var value: [UInt8] { mutating get { bytes(one(of: [0, 12, 12, 12, 300, 9000])) } }

    var query: KeychainQuery {
      mutating get {
        KeychainQuery(
          service: isLikely ? key.service : nil, account: isLikely ? nil : key.account,
          limit: isLikely ? nil : 1 + number(3))
      }
    }

    /// Another casing or UPN, or an object id where there was none.
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
        return .configure(isLikely ? ["key\0": "\(number(9))", "": "\u{7}"] : [:], app: app)
      default:  // open: the last of the numbers
        var state = AccessState(failedAttempts: number(4), isResetRequired: isLikely)
        for _ in 0..<number(3) { state.set(PIN("\(1000 + number(9000))"), at: number(99)) }
        if isLikely { state.lastSignIn = number(99) }
        return .saveAccess(state, team: app)
      }
    }
  }
}

// MARK: doing it

extension DeviceDatabaseOperation {
  /// - Returns: what the database answers.
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
      return "\(try database.add(value, for: key, in: group, owner: owner))"
    case .updateItem(let key, let groups, let value):
      return "\(try database.update(value, for: key, in: groups))"
    case .deleteItem(let key, let groups): return "\(try database.delete(key, in: groups))"
    case .deleteItems(let owner, let groups):
      return "\(try database.deleteItems(ownedBy: owner, in: groups))"
    case .search(let query, let groups):
      return "\(try database.values(matching: query, in: groups).map { "\($0.key) \($0.value)" })"
    case .saveAccess(let state, let team): try database.saveAccess(state, team: team)
    case .checkIn(let checkIn): try database.saveCheckIn(checkIn)
    case .configure(let configuration, let app):
      try database.setConfiguration(configuration, of: app)
    case .setClock(let now): try database.setClock(now)
    case .vacuum: _ = try database.vacuum()
    }
    return "done"
  }

  /// - Returns: what the database should answer.
  func apply(to model: inout DeviceDatabaseModel) -> String {
    switch self {
    case .add(let account, let app):
      model.signIns.removeAll { $0.app == app && $0.account.isSame(as: account) }
      model.signIns.append(.init(app: app, account: model.spelled(account)))
    case .remove(let account, let app):
      model.signIns.removeAll { $0.app == app && $0.account.isSame(as: account) }
    case .enroll(let account, let app, let policies):
      let found = model.signIns.indices.filter {
        model.signIns[$0].app == app && model.signIns[$0].account.isSame(as: account)
      }
      for index in found { model.signIns[index].policies = policies }
      return "\(!found.isEmpty)"
    case .rename(let old, let new):
      if !model.rename(old, to: new) { return "refused" }
    case .key(let account, let key): return "\(model.key(of: account, make: key))"
    case .destroyKey(let account): model.keys.removeAll { $0.account.isSame(as: account) }
    case .setOwner(let owner, let place): model.setOwner(owner, of: place)
    case .forgetFiles(let places): for place in places { model.setOwner(nil, of: place) }
    case .beginMove(let move): if !model.moves.contains(move) { model.moves.append(move) }
    case .finishMove(let move): model.finishMove(move)
    case .cancelMove(let move): model.moves.removeAll { $0 == move }
    case .saveAccess(let state, let team): model.access[team] = state
    case .checkIn(let checkIn):
      model.checkIns.removeAll {
        $0.app == checkIn.app && $0.account.isSame(as: checkIn.account)
      }
      var checkIn = checkIn
      checkIn.account = model.spelled(checkIn.account)
      model.checkIns.append(checkIn)
    case .configure(let configuration, let app): model.configurations[app] = configuration
    case .setClock(let now): model.clock = now
    case .vacuum: break
    case .addItem(let key, let group, let value, let owner):
      guard model.items(key, in: [group]).isEmpty else { return "false" }
      let key = KeychainKey(group: group, service: key.service, account: key.account)
      model.items.append(KeychainItem(key: key, owner: owner.map(model.spelled), value: value))
      return "true"
    case .updateItem(let key, let groups, let value):
      let found = model.items(key, in: groups)
      for index in found { model.items[index].value = value }
      return "\(found.count)"
    case .deleteItem(let key, let groups):
      let found = model.items(key, in: groups)
      for index in found.reversed() { model.items.remove(at: index) }
      return "\(found.count)"
    case .deleteItems(let owner, let groups):
      let before = model.items.count
      model.items.removeAll {
        ($0.owner?.isSame(as: owner) ?? false) && (groups?.contains($0.key.group) ?? true)
      }
      return "\(before - model.items.count)"
    case .search(let query, let groups):
      let found = groups.flatMap { group in
        model.items.filter {
          $0.key.group == group && query.service ?? $0.key.service == $0.key.service
            && query.account ?? $0.key.account == $0.key.account
        }
      }
      return "\(found.prefix(query.limit ?? .max).map { "\($0.key) \($0.value)" })"
    }
    return "done"
  }
}
