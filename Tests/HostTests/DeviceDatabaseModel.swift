import Cryptography
import Model
import Policy
import TestSupport
import Wire

@testable import Host

/// What a device's database should remember, in the plainest way: lists that are searched from end to end.
struct DeviceDatabaseModel {
  struct SignIn {
    var app: String
    var account: Account
    var policies: [String]?
  }

  var signIns: [SignIn] = []
  var keys: [(account: Account, key: [UInt8])] = []
  var owners: [(place: FilePlace, account: Account)] = []
  var moves: [FileMove] = []
  var items: [KeychainItem] = []
  var access: [String: AccessState] = [:]
  var checkIns: [CheckIn] = []
  var configurations: [String: [String: String]] = [:]
  var clock: Int?

  var accounts: [Account] {
    signIns.map(\.account) + keys.map(\.account) + owners.map(\.account)
      + items.compactMap(\.owner) + checkIns.map(\.account)
  }

  /// The account in the spelling in which the device knows it already.
  func spelled(_ account: Account) -> Account {
    let isSpelling = { (other: Account) in
      other.upn.lowercased() == account.upn.lowercased()
        && other.objectID?.lowercased() == account.objectID?.lowercased()
        && other.tenantID?.lowercased() == account.tenantID?.lowercased()
    }
    return accounts.first(where: isSpelling) ?? account
  }

  func hasOneKeyAtMost(_ account: Account) -> Bool {
    keys.count { $0.account.isSame(as: account) } < 2
  }

  /// - Returns: whether it happened.
  mutating func rename(_ old: Account, to new: Account) -> Bool {
    let renamed = { (former: Account) in
      Account(
        upn: new.upn, objectID: new.objectID ?? old.objectID ?? former.objectID,
        tenantID: new.tenantID ?? old.tenantID ?? former.tenantID)
    }
    let named = accounts.filter { $0.isSame(as: old) }
    let others = accounts.filter { !$0.isSame(as: old) }
    for one in named {
      if !named.allSatisfy({ $0.isSame(as: one) }) { return false }
      if others.contains(where: { $0.isSame(as: renamed(one)) }) { return false }
    }
    let after = { (account: Account) in account.isSame(as: old) ? renamed(account) : account }
    for index in signIns.indices { signIns[index].account = after(signIns[index].account) }
    for index in keys.indices { keys[index].account = after(keys[index].account) }
    for index in owners.indices { owners[index].account = after(owners[index].account) }
    for index in items.indices { items[index].owner = items[index].owner.map(after) }
    for index in checkIns.indices { checkIns[index].account = after(checkIns[index].account) }
    return true
  }

  mutating func setOwner(_ owner: Account?, of place: FilePlace) {
    let owner = owner.map(spelled)
    owners.removeAll { $0.place == place }
    if let owner { owners.append((place, owner)) }
  }

  mutating func finishMove(_ move: FileMove) {
    moves.removeAll { $0 == move }
    guard move.from != move.to else { return }
    let owner = owners.first { $0.place == move.from }?.account
    setOwner(nil, of: move.from)
    setOwner(owner, of: move.to)
  }

  mutating func key(of account: Account, make: [UInt8]) -> [UInt8] {
    guard let index = keys.firstIndex(where: { $0.account.isSame(as: account) }) else {
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
}

// MARK: what can be seen from outside

extension DeviceDatabaseModel {
  /// Everything, a line each.
  func lines(_ domain: DeviceDatabaseDomain) -> [String] {
    var lines: [String] = []
    for app in domain.apps {
      for signIn in signIns where signIn.app == app {
        lines.append("\(app): \(text(signIn.account)) \(text(signIn.policies))")
      }
      lines.append("\(app) configuration: \(text(configurations[app]))")
    }
    for account in domain.accounts {
      let isThis = { (other: Account) in other.isSame(as: account) }
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
    lines += moves.map { "\($0.from) goes to \($0.to)" }.sorted()
    for item in items {
      lines.append("\(text(item.key)) = \(item.value), \(text(item.owner)), \(item.value.count)")
    }
    lines += checkIns.map { "\($0.app) \(text($0.account)) \($0.time)" }.sorted()
    lines += access.map { "\($0.key): \(text($0.value))" }.sorted()
    lines.append("clock \(clock ?? -1)")
    return lines
  }
}

extension DeviceDatabase {
  /// Everything that the model knows too, in the same words.
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
    lines += try pendingMoves().map { "\($0.from) goes to \($0.to)" }.sorted()
    for item in try items() {
      let value = try value(for: item.key, in: [item.key.group]) ?? []
      lines.append("\(text(item.key)) = \(value), \(text(item.owner)), \(item.byteCount)")
    }
    lines += try checkIns().map { "\($0.app) \(text($0.account)) \($0.time)" }.sorted()
    lines += try accessStates().map { "\($0.key): \(text($0.value))" }.sorted()
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

private func text(_ state: AccessState) -> String {
  let current = state.current.map { "\($0.pin.text) \($0.setAt)" } ?? "-"
  return "\(current) \(state.earlierPINs.map(\.text)) \(state.failedAttempts) "
    + "\(state.isResetRequired) \(state.lastUnlock ?? -1) \(state.lastSignIn ?? -1)"
}
