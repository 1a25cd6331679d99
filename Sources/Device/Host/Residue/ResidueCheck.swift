package import EventLoop
internal import Glibc
package import Model

/// A search of everything that a device keeps for what is left of one account.
///
/// The device may be running; nothing of it is changed, except that SQLite may leave an empty write-ahead log and its
/// index beside the database.
package struct ResidueCheck: Sendable {
  private let folder: String
  private let account: Account
  private let scope: ResidueScope
  private let canaries: [String]
  private let cancellation: Cancellation

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - folder: the device's folder, as `--keep` leaves it.
  ///   - account: the account; ids that it does not state are looked up in the device's database.
  ///   - canaries: texts that only the account's data holds, of at least ``shortestCanary`` bytes.
  ///   - cancellation: ends the search where it is; findings until then are reported.
  package init(
    folder: String, account: Account, scope: ResidueScope = .device, canaries: [String] = [],
    cancellation: Cancellation = Cancellation()
  ) {
    self.folder = Folders.absolute(folder)
    self.account = account
    self.scope = scope
    self.canaries = canaries
    self.cancellation = cancellation
  }

  /// Minimum length of a canary in bytes: shorter texts are found by chance.
  package static let shortestCanary = Needle.shortest

  /// Searches the device.
  ///
  /// - Throws: ``HostError`` with the code `folder` where the folder is not a device's, or the device has no such app.
  package func run() throws(HostError) -> ResidueReport {
    let device = try open()
    var database: ResidueRows?
    var findings: [ResidueFinding] = []
    let path = Folders(root: folder).database
    do {
      database = try ResidueRows(path: path)
    } catch {
      findings.append(
        ResidueFinding(
          store: .database, place: "device.sqlite",
          matter: .unreadable("the database cannot be read: \(error)")))
    }
    let accounts = [account] + (database?.accounts ?? []).filter { $0.isSame(as: account) }
    let texts = Self.names(of: accounts) + canaries.map { Canary(kind: .content, text: $0) }
    var search = ResidueSearch(
      texts: texts, accounts: accounts, scope: scope, key: key(of: accounts, in: database),
      cancellation)
    search.look(into: database?.rows ?? [])
    search.look(into: device)
    return ResidueReport(
      findings: (findings + search.findings).sorted(),
      notes: notes(accounts, database), account: account.upn, extent: search.extent)
  }

  private func open() throws(HostError) -> ContainerFolder {
    let device: ContainerFolder
    do {
      device = try ContainerFolder(path: folder)
      let kind = try device.kind(of: Array("device.sqlite".utf8))
      guard kind == .file else {
        throw HostError(.folder, "`\(folder)` is no device's folder: it has no `device.sqlite`")
      }
      if case .apps(let apps) = scope {
        let containers = try device.names(of: Array("Containers".utf8))
        for app in apps where !containers.contains(app.name) {
          throw HostError(.folder, "the device in `\(folder)` has no app `\(app.name)`")
        }
      }
    } catch let error as HostError {
      throw error
    } catch {
      throw HostError(.folder, "\(error)")
    }
    return device
  }

  /// The UPNs and object ids of the accounts, each once.
  private static func names(of accounts: [Account]) -> [Canary] {
    let all = accounts.flatMap { account in
      [Canary(kind: .upn, text: account.upn)]
        + (account.objectID.map { [Canary(kind: .objectID, text: $0)] } ?? [])
    }
    var seen: Set<String> = []
    return all.filter { !$0.text.isEmpty && seen.insert($0.text.lowercased()).inserted }
  }

  private func key(of accounts: [Account], in database: ResidueRows?) -> ResidueFinding.Key {
    guard let holders = database?.keyHolders else { return .unknown }
    return holders.contains { holder in accounts.contains { $0.isSame(as: holder) } }
      ? .exists : .gone
  }

  private func notes(_ accounts: [Account], _ database: ResidueRows?) -> [String] {
    var notes = [
      "what is encrypted, compressed or split into lines inside a file is not seen through"
    ]
    switch scope {
    case .device:
      notes.append(
        "the journal is the device's audit and names accounts rightly: it was searched for canaries only"
      )
    case .apps:
      notes.append(
        "only the apps' containers, groups and rows were searched, and of the database's file nothing else"
      )
    }
    if !accounts.contains(where: { $0.objectID != nil }) {
      notes.append("the account's object id is not known and was not searched for")
    }
    let names = accounts.map { $0.upn.lowercased() }
    let longer = Set((database?.accounts ?? []).map { $0.upn.lowercased() }).filter { other in
      names.contains { other.count > $0.count && other.contains($0) }
    }
    for other in longer.sorted() {
      notes.append(
        "the name of `\(other)` contains that of the account: a name found may be theirs")
    }
    return notes
  }
}
