internal import Foundation
internal import GRDB
package import Model
internal import Policy

/// Exchanges items with other devices: by AirDrop, Universal Clipboard, mail, messages and cloud storage.
///
/// The device sends a message only after the journal contains the decision on it. For a received message, the device
/// assigns a new request number and writes a line to the journal.
package final class Continuity: HostService {
  /// The transport to other devices; nil if there are none.
  package weak var link: (any DeviceLink)? {
    didSet {
      audit.didFlush = link == nil ? nil : { [unowned self] in sendAll() }
      transaction.didEnd = link == nil ? nil : { [unowned self] in receiveAll() }
    }
  }
  private let device: String
  private let appleAccount: String?
  private let isHandoffOn: Bool
  private let pasteboard: Pasteboard
  private let tags: TagAuthority
  private let access: AccessController
  /// Messages that are sent once the journal has been written and the device has the network that they need.
  private var leaving: [(message: DeviceMessage, destination: DeviceMessage.Destination)] = []
  /// Messages that need the network and arrived while the device was offline. They are processed once the device is
  /// online.
  private var coming: [DeviceMessage] = []

  /// The time for which copied content can be pasted on other devices, in seconds.
  private static let clipboardTime = 120

  init(
    _ core: ServiceCore, _ configuration: DeviceConfiguration, pasteboard: Pasteboard,
    tags: TagAuthority, access: AccessController
  ) {
    device = configuration.name
    appleAccount = configuration.appleAccount
    isHandoffOn = configuration.isHandoffOn
    self.pasteboard = pasteboard
    self.tags = tags
    self.access = access
    super.init(core)
  }

  // MARK: Sending

  func send(
    _ item: Item, _ payload: [UInt8], by transport: Transport, _ decision: TransferDecision,
    _ request: Int,
    to destination: DeviceMessage.Destination
  ) {
    guard link != nil else { return }
    if case .storage(let location, let owner) = destination {
      // A later save to the same location replaces a message that still waits for the network.
      leaving.removeAll { $0.destination.isStorage(location, of: owner) }
    }
    let message = DeviceMessage(
      transport: transport, device: device, request: request, type: item.type, name: item.name,
      payload: payload, isEncrypted: decision.verdict.outcome == .encrypted)
    leaving.append((message, destination))
  }

  /// Sends the queued messages, except messages that need the network while the device is offline. Call it only after
  /// the journal has been written.
  private func sendAll() {
    guard !leaving.isEmpty else { return }
    let isOnline = access.conditions.isOnline
    let able = leaving.filter { isOnline || !$0.message.transport.needsNetwork }
    leaving.removeAll { isOnline || !$0.message.transport.needsNetwork }
    for (message, destination) in able { link?.send(message, to: destination) }
  }

  /// Processes received messages that waited for the network. Runs after a transaction.
  private func receiveAll() {
    guard !coming.isEmpty, durability.error == nil, access.conditions.isOnline else { return }
    let messages = coming
    coming.removeAll()
    for message in messages { receive(message) }
  }

  // MARK: Receiving

  /// Receives a message from another device. If the message needs the network and the device is offline, it is
  /// processed once the device is online. The database stores the latest message of each transport except Universal
  /// Clipboard.
  package func receive(_ message: DeviceMessage) {
    guard access.conditions.isOnline || !message.transport.needsNetwork else {
      return coming.append(message)
    }
    transaction {
      switch message.transport {
      case .universalClipboard: paste(message)
      case .airDrop, .mail, .message, .storage:
        let number = arrived(message)
        durability.persist { () throws(HostError) in try database.store(message, as: number) }
      }
    }
  }

  /// Returns the latest message that arrived by a transport, with its request number on this device; nil if there is
  /// none.
  func document(by transport: Transport) throws(HostError) -> (number: Int, message: DeviceMessage)?
  {
    try database.message(by: transport)
  }

  /// Returns the latest document saved at a cloud storage location under an account, on any device. Returns nil
  /// without a cloud location, an account, a link or a network connection, or if there is no document.
  func document(at location: StorageLocation?, of owner: Account?) -> DeviceMessage? {
    guard let location, location.isCloud, let owner, access.conditions.isOnline else { return nil }
    return link?.document(at: location, of: owner)
  }

  private func arrived(_ message: DeviceMessage) -> Int {
    let number = audit.nextRequest()
    arrived(message, as: number)
    return number
  }

  /// Records a received message in the journal.
  ///
  /// - Parameter number: The request number that this device assigned.
  func arrived(_ message: DeviceMessage, as number: Int) {
    audit.record(
      .itemArrived(
        item: number, by: message.transport, device: message.device, request: message.request,
        type: message.type, bytes: message.payload.count, isEncrypted: message.isEncrypted))
  }

  // MARK: Universal Clipboard

  /// The device's Apple Account; nil if it has none, or if no other device is signed in to the account.
  var clipboardAccount: String? {
    appleAccount.flatMap { link?.reaches(appleAccount: $0) == true ? $0 : nil }
  }

  /// Whether Handoff, which Universal Clipboard requires, is enabled and not restricted by MDM.
  var allowsHandoff: Bool { isHandoffOn && policies.deviceState.allowActivityContinuation }

  private func paste(_ message: DeviceMessage) {
    guard allowsHandoff else { return }
    let content = Pasteboard.Content(
      item: message.item, source: .system,
      ownership: tags.ownership(of: nil, policy: nil, from: ""), participant: nil,
      number: arrived(message))
    pasteboard.passing = (content, clock.now + Self.clipboardTime)
  }

  var now: Int { clock.now }
}

// MARK: - Other devices

/// The transport from one device to the other devices of its organisation.
package protocol DeviceLink: AnyObject {
  /// Returns whether another device has that name.
  func reaches(_ device: String) -> Bool

  /// Returns whether another device is signed in to the Apple Account.
  func reaches(appleAccount: String) -> Bool

  /// Sends a message. Call it only after the journal of the sending device contains the decision on the message.
  func send(_ message: DeviceMessage, to destination: DeviceMessage.Destination)

  /// Returns the latest document saved at a storage location under an account, on any device; nil if there is none.
  func document(at location: StorageLocation, of owner: Account) -> DeviceMessage?
}

/// An item in transit from one device to other devices.
package struct DeviceMessage: Sendable, Equatable {
  package var transport: Transport
  /// The name of the sending device.
  package var device: String
  /// The number of the sending request on that device.
  package var request: Int
  package var type: String
  /// The suggested file name; nil if the item is not a file.
  package var name: String?
  package var payload: [UInt8]
  /// Whether the payload is ciphertext that only the sending device can decrypt.
  package var isEncrypted: Bool

  package init(
    transport: Transport, device: String, request: Int, type: String, name: String?,
    payload: [UInt8],
    isEncrypted: Bool
  ) {
    self.transport = transport
    self.device = device
    self.request = request
    self.type = type
    self.name = name
    self.payload = payload
    self.isEncrypted = isEncrypted
  }

  package enum Destination: Sendable {
    case device(String)
    /// All other devices signed in to the Apple Account.
    case appleAccount(String)
    /// The owner's storage at a location, such as OneDrive for Business.
    case storage(StorageLocation, owner: Account)

    fileprivate func isStorage(_ location: StorageLocation, of owner: Account) -> Bool {
      guard case .storage(let ownLocation, let ownOwner) = self else { return false }
      return ownLocation == location && ownOwner.isSameUser(as: owner)
    }
  }

  /// The message's item. It has no tag, because tags are not transferred between devices.
  var item: Item { Item(type: type, name: name, payload: .inline(payload)) }
  var form: ItemForm { isEncrypted ? .ciphertext : .plain }
}

extension Transport {
  /// Whether the transport uses the network rather than a direct connection between devices.
  fileprivate var needsNetwork: Bool {
    switch self {
    case .mail, .message, .storage: true
    case .airDrop, .universalClipboard: false
    }
  }
}

extension StorageLocation {
  /// Whether the location is an online service, which every device can use, rather than a part of one device.
  var isCloud: Bool {
    switch self {
    case .oneDriveForBusiness, .sharePoint, .box, .dropbox, .googleDrive, .iManage, .egnyte: true
    case .other, .localDrive, .cameraRoll, .accountDocument, .camera, .localStorage, .photos: false
    }
  }
}

// MARK: - Database

/// Documents received from other devices.
extension DeviceDatabase {
  static let parcelTable = """
    CREATE TABLE parcel (
      carrier TEXT PRIMARY KEY, number INTEGER NOT NULL, device TEXT NOT NULL,
      request INTEGER NOT NULL, type TEXT NOT NULL, name TEXT, payload BLOB NOT NULL,
      encrypted INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    """

  /// Stores a message with its request number on this device. Replaces the previous message of the same transport.
  func store(_ message: DeviceMessage, as number: Int) throws(HostError) {
    try access { database in
      try database.run(
        "INSERT OR REPLACE INTO parcel VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
          message.transport.rawValue, number, message.device, message.request, message.type,
          message.name, Data(message.payload), message.isEncrypted,
        ])
    }
  }

  func message(by transport: Transport) throws(HostError) -> (number: Int, message: DeviceMessage)?
  {
    try access { database in
      let row = try database.row(
        "SELECT * FROM parcel WHERE carrier = ?", [transport.rawValue])
      return row.map { row in
        (
          row["number"],
          DeviceMessage(
            transport: transport, device: row["device"], request: row["request"], type: row["type"],
            name: row["name"], payload: row.bytes("payload"), isEncrypted: row["encrypted"])
        )
      }
    }
  }
}
