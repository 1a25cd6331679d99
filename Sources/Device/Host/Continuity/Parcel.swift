public import Model

/// An item on its way from one device to others.
public struct Parcel: Sendable, Equatable {
  public var carrier: Carrier
  /// The name of the device that it comes from.
  public var device: String
  /// The number of the request that sent it, on that device.
  public var request: Int
  public var type: String
  /// The suggested file name; nil where the item is no file.
  public var name: String?
  public var payload: [UInt8]
  /// Whether the payload is ciphertext, which only that device could read.
  public var isEncrypted: Bool

  /// Creates a parcel.
  public init(
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
  public enum Destination: Sendable {
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
  func isStorage(_ location: StorageLocation, of owner: Account) -> Bool {
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
  var needsNetwork: Bool {
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
