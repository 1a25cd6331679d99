public import Model

/// The way from one device to the others of its organisation.
public protocol DeviceLink: AnyObject {
  /// Whether there is another device of that name.
  func reaches(_ device: String) -> Bool

  /// Whether another device is signed in to the Apple Account.
  func reaches(appleAccount: String) -> Bool

  /// Takes a parcel along. The device has journalled what led to it.
  func send(_ parcel: Parcel, to destination: Parcel.Destination)

  /// What was saved last at a storage location under an account, on whatever device; nil: nothing.
  func document(at location: StorageLocation, of owner: Account) -> Parcel?
}
