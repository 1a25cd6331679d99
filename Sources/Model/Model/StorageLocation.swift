/// A location that an app saves to or opens documents from. Raw values are the SDK's names, in lower camel case.
///
/// Source: Intune App SDK for iOS, `IntuneMAMSaveLocation` and `IntuneMAMOpenLocation`.
public enum StorageLocation: String, Sendable, CaseIterable {
  /// Every location without a name of its own; also the Files app and document pickers.
  case other
  case oneDriveForBusiness
  case sharePoint
  case box
  case dropbox
  case googleDrive
  /// The app's own container, to save to.
  case localDrive
  case cameraRoll
  /// Storage that belongs to an account of the app.
  case accountDocument
  case iManage
  case egnyte
  case camera
  /// The app's own container, to open from.
  case localStorage
  case photos

  /// The locations that `isSaveToAllowed(for:accountId:)` takes.
  public static let saveLocations: [StorageLocation] = [
    .other, .oneDriveForBusiness, .sharePoint, .box, .dropbox, .googleDrive, .localDrive,
    .cameraRoll, .accountDocument, .iManage, .egnyte,
  ]

  /// The locations that `isOpenFromAllowed(for:accountId:)` takes.
  public static let openLocations: [StorageLocation] = [
    .other, .oneDriveForBusiness, .sharePoint, .camera, .localStorage, .photos, .accountDocument,
    .box, .iManage, .egnyte,
  ]

  /// Whether the location can belong to an account. Where it cannot, nil is its only valid account.
  public var hasAccount: Bool {
    switch self {
    case .cameraRoll, .camera, .photos: false
    case .other, .oneDriveForBusiness, .sharePoint, .box, .dropbox, .googleDrive, .localDrive,
      .accountDocument, .iManage, .egnyte, .localStorage:
      true
    }
  }
}
