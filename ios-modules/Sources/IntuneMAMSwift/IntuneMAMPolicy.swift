public import Foundation
public import UIKit

/// The policy of an account. Most properties and methods send a synchronous request to the device.
public protocol IntuneMAMPolicy: NSObjectProtocol {
  var isPINRequired: Bool { get }
  func isSaveToAllowed(
    for location: IntuneMAMSaveLocation, withAccountId accountId: String?
  ) -> Bool
  func isOpenFromAllowed(
    for location: IntuneMAMOpenLocation, withAccountId accountId: String?
  ) -> Bool
  /// Returns whether the app may save data to each location. The keys are the raw values of ``IntuneMAMSaveLocation``.
  func getSaveToLocations(forAccountId toAccountId: String?) -> [NSNumber: NSNumber]
  /// Returns whether the app may open data from each location. The keys are the raw values of
  /// ``IntuneMAMOpenLocation``.
  func getOpenFromLocations(forAccountId fromAccountId: String?) -> [NSNumber: NSNumber]
  func isURLAllowed(_ url: URL) -> Bool
  func isURLAllowed(_ url: URL, isKnownManagedAppScheme: Bool) -> Bool
  func isUniversalLinkAllowed(_ url: URL) -> Bool
  /// Returns whether the account's policy allows the app to receive the item.
  ///
  /// - Parameter itemProvider: An item provider from which the app has loaded the item. If the app has not loaded it,
  ///   the result is false.
  func canReceiveSharedItemProvider(_ itemProvider: NSItemProvider) -> Bool
  func canReceiveSharedFile(_ path: String) -> Bool
  func isDocumentPickerAllowed(_ mode: UIDocumentPickerMode) -> Bool
  var isManagedBrowserRequired: Bool { get }
  var isContactSyncAllowed: Bool { get }
  var isWidgetContentSyncAllowed: Bool { get }
  var isSpotlightIndexingAllowed: Bool { get }
  var areSiriIntentsAllowed: Bool { get }
  var areAppIntentsAllowed: Bool { get }
  var isAppSharingAllowed: Bool { get }
  var shouldFileProviderEncryptFiles: Bool { get }
  var notificationPolicy: IntuneMAMNotificationPolicy { get }
  var isFileEncryptionRequired: Bool { get }
  var isScreenCaptureAllowed: Bool { get }
}

/// A location in which the app saves data.
public enum IntuneMAMSaveLocation: Int, Sendable, CaseIterable {
  case other = 0
  case oneDriveForBusiness = 1
  case sharePoint = 2
  case box = 4
  case dropbox = 8
  case googleDrive = 16
  case localDrive = 32
  case cameraRoll = 64
  case accountDocument = 128
  case iManage = 256
  case egnyte = 512
}

/// A location from which the app opens data.
public enum IntuneMAMOpenLocation: Int, Sendable, CaseIterable {
  case other = 0
  case oneDriveForBusiness = 1
  case sharePoint = 2
  case camera = 4
  case localStorage = 8
  case photos = 16
  case accountDocument = 32
  case box = 64
  case iManage = 128
  case egnyte = 256
}

/// The content that notifications may show.
public enum IntuneMAMNotificationPolicy: Int, Sendable, CaseIterable {
  case allow = 0
  case blockOrgData = 1
  case block = 2
}
