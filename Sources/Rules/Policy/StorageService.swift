import Model

extension StorageLocation {
  /// The choice of "Allow user to save copies to selected services" that covers the location; nil: none covers it.
  var storageService: Settings.StorageService? {
    switch self {
    case .oneDriveForBusiness: .oneDriveForBusiness
    case .sharePoint: .sharePoint
    case .box: .box
    case .iManage: .iManage
    case .egnyte: .egnyte
    case .localDrive: .localStorage
    case .cameraRoll: .photoLibrary
    case .other, .dropbox, .googleDrive, .accountDocument, .camera, .localStorage, .photos: nil
    }
  }

  /// The choice of "Allow users to open data from selected services" that covers the location; nil: none covers it.
  var ingestionService: Settings.IngestionService? {
    switch self {
    case .oneDriveForBusiness: .oneDriveForBusiness
    case .sharePoint: .sharePoint
    case .box: .box
    case .iManage: .iManage
    case .egnyte: .egnyte
    case .camera: .camera
    case .photos: .photoLibrary
    case .other, .dropbox, .googleDrive, .accountDocument, .localDrive, .localStorage, .cameraRoll:
      nil
    }
  }
}
