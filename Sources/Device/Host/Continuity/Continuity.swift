internal import Foundation
internal import GRDB
package import Model
internal import Policy

/// What passes between this device and others: by AirDrop, Universal Clipboard, mail, messages and cloud storage.
///
/// A parcel leaves once the journal has the decision on it. What arrives gets a request number of this device, and a line in
/// the journal.
package final class Continuity {
  /// The way to other devices; nil: the device is alone.
  package weak var link: (any DeviceLink)? {
    didSet {
      audit.didFlush = link == nil ? nil : { [unowned self] in sendAll() }
      turn.didEnd = link == nil ? nil : { [unowned self] in receiveAll() }
    }
  }
  private let device: String
  private let appleAccount: String?
  private let isHandoffOn: Bool
  private let policies: PolicyAssignments
  private let pasteboard: Pasteboard
  private let custody: ItemCustody
  private let access: AccessController
  private let clock: VirtualClock
  private let database: DeviceDatabase
  private let durability: Durability
  private let audit: AuditLog
  private let turn: Turn
  /// What has been sent and waits for the journal, or for the network.
  private var leaving: [(parcel: Parcel, destination: Parcel.Destination)] = []
  /// What has come and waits for the network.
  private var coming: [Parcel] = []

  /// The time for which what was copied can be pasted on other devices, in seconds.
  private static let clipboardTime = 120

  init(
    _ configuration: DeviceConfiguration, policies: PolicyAssignments, pasteboard: Pasteboard,
    custody: ItemCustody, access: AccessController, clock: VirtualClock,
    database: DeviceDatabase, durability: Durability, audit: AuditLog, turn: Turn
  ) {
    device = configuration.name
    appleAccount = configuration.appleAccount
    isHandoffOn = configuration.isHandoffOn
    self.policies = policies
    self.pasteboard = pasteboard
    self.custody = custody
    self.access = access
    self.clock = clock
    self.database = database
    self.durability = durability
    self.audit = audit
    self.turn = turn
  }

  // MARK: leaving

  func send(
    _ item: Item, _ payload: [UInt8], by carrier: Carrier, _ ruling: Ruling, _ request: Int,
    to destination: Parcel.Destination
  ) {
    guard link != nil else { return }
    if case .storage(let location, let owner) = destination {
      // What waits for the network is replaced by what is saved after it.
      leaving.removeAll { $0.destination.isStorage(location, of: owner) }
    }
    let parcel = Parcel(
      carrier: carrier, device: device, request: request, type: item.type, name: item.name,
      payload: payload, isEncrypted: ruling.verdict.outcome == .encrypted)
    leaving.append((parcel, destination))
  }

  /// Sends what can go now: the journal has it.
  private func sendAll() {
    guard !leaving.isEmpty else { return }
    let isOnline = access.conditions.isOnline
    let able = leaving.filter { isOnline || !$0.parcel.carrier.needsNetwork }
    leaving.removeAll { isOnline || !$0.parcel.carrier.needsNetwork }
    for (parcel, destination) in able { link?.send(parcel, to: destination) }
  }

  /// Takes what has waited for the network, after a turn.
  private func receiveAll() {
    guard !coming.isEmpty, durability.fault == nil, access.conditions.isOnline else { return }
    let parcels = coming
    coming.removeAll()
    for parcel in parcels { receive(parcel) }
  }

  // MARK: arriving

  /// Takes what has come from another device. Of documents each way has the last one that came by it.
  package func receive(_ parcel: Parcel) {
    guard access.conditions.isOnline || !parcel.carrier.needsNetwork else {
      return coming.append(parcel)
    }
    turn {
      switch parcel.carrier {
      case .universalClipboard: paste(parcel)
      case .airDrop, .mail, .message, .storage:
        let number = arrived(parcel)
        durability.persist { () throws(HostError) in try database.keep(parcel, as: number) }
      }
    }
  }

  /// The document that came last by a carrier, with its number on this device; nil: none.
  func document(by carrier: Carrier) throws(HostError) -> (number: Int, parcel: Parcel)? {
    try database.parcel(by: carrier)
  }

  /// What was saved last at a storage location under an account, on whatever device; nil: nothing, or the device is
  /// alone.
  func document(at location: StorageLocation?, of owner: Account?) -> Parcel? {
    guard let location, location.isCloud, let owner, access.conditions.isOnline else { return nil }
    return link?.document(at: location, of: owner)
  }

  private func arrived(_ parcel: Parcel) -> Int {
    let number = audit.nextRequest()
    arrived(parcel, as: number)
    return number
  }

  /// Journals a parcel under a number of this device's.
  func arrived(_ parcel: Parcel, as number: Int) {
    audit.record(
      .itemArrived(
        item: number, by: parcel.carrier, device: parcel.device, request: parcel.request,
        type: parcel.type, bytes: parcel.payload.count, isEncrypted: parcel.isEncrypted))
  }

  // MARK: Universal Clipboard

  /// The Apple Account whose other devices see what is copied here; nil: there is none.
  var clipboardAccount: String? {
    appleAccount.flatMap { link?.reaches(appleAccount: $0) == true ? $0 : nil }
  }

  /// Whether Handoff works, which Universal Clipboard is a part of.
  var allowsHandoff: Bool { isHandoffOn && policies.deviceState.allowActivityContinuation }

  private func paste(_ parcel: Parcel) {
    guard allowsHandoff else { return }
    let content = Pasteboard.Content(
      item: parcel.item, source: .system,
      ownership: custody.ownership(of: nil, policy: nil, from: ""), participant: nil,
      number: arrived(parcel))
    pasteboard.passing = (content, clock.now + Self.clipboardTime)
  }

  /// The device's virtual clock.
  var now: Int { clock.now }
}

// MARK: - Other devices

/// The way from one device to the others of its organisation.
package protocol DeviceLink: AnyObject {
  /// Whether there is another device of that name.
  func reaches(_ device: String) -> Bool

  /// Whether another device is signed in to the Apple Account.
  func reaches(appleAccount: String) -> Bool

  /// Takes a parcel along. The device has journalled what led to it.
  func send(_ parcel: Parcel, to destination: Parcel.Destination)

  /// What was saved last at a storage location under an account, on whatever device; nil: nothing.
  func document(at location: StorageLocation, of owner: Account) -> Parcel?
}

/// An item on its way from one device to others.
package struct Parcel: Sendable, Equatable {
  package var carrier: Carrier
  /// The name of the device that it comes from.
  package var device: String
  /// The number of the request that sent it, on that device.
  package var request: Int
  package var type: String
  /// The suggested file name; nil where the item is no file.
  package var name: String?
  package var payload: [UInt8]
  /// Whether the payload is ciphertext, which only that device could read.
  package var isEncrypted: Bool

  /// Creates a parcel.
  package init(
    carrier: Carrier, device: String, request: Int, type: String, name: String?, payload: [UInt8],
    isEncrypted: Bool
  ) {
    self.carrier = carrier
    self.device = device
    self.request = request
    self.type = type
    self.name = name
    self.payload = payload
    self.isEncrypted = isEncrypted
  }

  /// Where a parcel is to go.
  package enum Destination: Sendable {
    /// The device of that name.
    case device(String)
    /// The other devices that are signed in to the Apple Account.
    case appleAccount(String)
    /// A storage location, under the account that owns what is there.
    case storage(StorageLocation, owner: Account)
  }
}

extension Parcel.Destination {
  /// Whether it is the storage location under that account.
  fileprivate func isStorage(_ location: StorageLocation, of owner: Account) -> Bool {
    guard case .storage(let ownLocation, let ownOwner) = self else { return false }
    return ownLocation == location && ownOwner.isSame(as: owner)
  }
}

extension Parcel {
  /// The item as the device that got it has it: no tag goes from device to device.
  var item: Item { Item(type: type, name: name, payload: .inline(payload)) }
  var form: ItemForm { isEncrypted ? .ciphertext : .plain }
}

extension Carrier {
  /// Whether it goes over the network, rather than from device to device.
  fileprivate var needsNetwork: Bool {
    switch self {
    case .mail, .message, .storage: true
    case .airDrop, .universalClipboard: false
    }
  }
}

extension StorageLocation {
  /// Whether the location is a service that every device sees, rather than a part of one device.
  var isCloud: Bool {
    switch self {
    case .oneDriveForBusiness, .sharePoint, .box, .dropbox, .googleDrive, .iManage, .egnyte: true
    case .other, .localDrive, .cameraRoll, .accountDocument, .camera, .localStorage, .photos: false
    }
  }
}

// MARK: - The database

/// The documents that came from other devices.
extension DeviceDatabase {
  static let parcelTable = """
    CREATE TABLE parcel (
      carrier TEXT PRIMARY KEY, number INTEGER NOT NULL, device TEXT NOT NULL,
      request INTEGER NOT NULL, type TEXT NOT NULL, name TEXT, payload BLOB NOT NULL,
      encrypted INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    """

  /// Keeps a parcel in place of the one that came before it by the same carrier.
  func keep(_ parcel: Parcel, as number: Int) throws(HostError) {
    try access { database in
      try database.run(
        "INSERT OR REPLACE INTO parcel VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
          parcel.carrier.rawValue, number, parcel.device, parcel.request, parcel.type,
          parcel.name, Data(parcel.payload), parcel.isEncrypted,
        ])
    }
  }

  /// The parcel that came last by a carrier; nil: none.
  func parcel(by carrier: Carrier) throws(HostError) -> (number: Int, parcel: Parcel)? {
    try access { database in
      let row = try database.row(
        "SELECT * FROM parcel WHERE carrier = ?", [carrier.rawValue])
      return row.map { row in
        (
          row["number"],
          Parcel(
            carrier: carrier, device: row["device"], request: row["request"], type: row["type"],
            name: row["name"], payload: row.bytes("payload"), isEncrypted: row["encrypted"])
        )
      }
    }
  }
}
