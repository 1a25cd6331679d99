internal import AppProcess
internal import Foundation
internal import SluiceKit
internal import UIKit

/// The policy of an account. Most properties and methods send a request to the device.
final class AccountPolicy: NSObject, IntuneMAMPolicy, Sendable {
  /// The account to which the policy belongs.
  enum Subject: Sendable {
    /// The account for which the calling thread currently acts.
    case present
    case account(String)
  }

  private let subject: Subject

  init(_ subject: Subject) { self.subject = subject }

  private func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (SluiceKit.IntuneMAMPolicy, @escaping (Answer) -> Void) -> Void
  ) -> Answer {
    SDK.shared.process.ask { [subject] app, answer in
      switch subject {
      case .present: question(app.policy, answer)
      case .account(let account):
        SluiceKit.IntuneMAMSwiftContextManager.setAccountId(account) {
          question(app.policy, answer)
        }
      }
    }
  }

  // MARK: Storage locations

  func isSaveToAllowed(
    for location: IntuneMAMSaveLocation, withAccountId accountId: String?
  ) -> Bool {
    ask { $0.isSaveToAllowed(for: location.location, accountId: accountId, completion: $1) }
  }

  func isOpenFromAllowed(
    for location: IntuneMAMOpenLocation, withAccountId accountId: String?
  ) -> Bool {
    ask { $0.isOpenFromAllowed(for: location.location, accountId: accountId, completion: $1) }
  }

  func getSaveToLocations(forAccountId toAccountId: String?) -> [NSNumber: NSNumber] {
    let locations = IntuneMAMSaveLocation.allCases.map { location in
      (location.rawValue, isSaveToAllowed(for: location, withAccountId: toAccountId))
    }
    return Self.numbers(locations)
  }

  func getOpenFromLocations(forAccountId fromAccountId: String?) -> [NSNumber: NSNumber] {
    let locations = IntuneMAMOpenLocation.allCases.map { location in
      (location.rawValue, isOpenFromAllowed(for: location, withAccountId: fromAccountId))
    }
    return Self.numbers(locations)
  }

  private static func numbers(_ values: [(Int, Bool)]) -> [NSNumber: NSNumber] {
    Dictionary(uniqueKeysWithValues: values.map { (NSNumber(value: $0), NSNumber(value: $1)) })
  }

  // MARK: URLs and received items

  func isURLAllowed(_ url: URL) -> Bool { isURLAllowed(url, isKnownManagedAppScheme: false) }

  func isURLAllowed(_ url: URL, isKnownManagedAppScheme: Bool) -> Bool {
    let url = url.absoluteString
    return ask {
      $0.isURLAllowed(url, isKnownManagedAppScheme: isKnownManagedAppScheme, completion: $1)
    }
  }

  func isUniversalLinkAllowed(_ url: URL) -> Bool {
    let url = url.absoluteString
    return ask { $0.isUniversalLinkAllowed(url, completion: $1) }
  }

  func canReceiveSharedItemProvider(_ itemProvider: NSItemProvider) -> Bool {
    guard let item = itemProvider.receivedItem else {
      SDK.shared.process.log(
        "`canReceiveSharedItemProvider(_:)` was called before an item was loaded")
      return false
    }
    return ask { $0.canReceiveSharedFile(item, completion: $1) }
  }

  func canReceiveSharedFile(_ path: String) -> Bool {
    guard let item = SDK.shared.process.receivedFiles.item(at: path) else { return true }
    return ask { $0.canReceiveSharedFile(item, completion: $1) }
  }

  func isDocumentPickerAllowed(_ mode: UIDocumentPickerMode) -> Bool {
    let mode = mode.mode
    return ask { $0.isDocumentPickerAllowed(mode, completion: $1) }
  }

  // MARK: Settings

  var isPINRequired: Bool {
    let account =
      switch subject {
      case .account(let account): account
      case .present:
        IntuneMAMPolicyManager.instance().getCurrentThreadAccountId()
          ?? IntuneMAMPolicyManager.instance().getUIPolicyAccountId() ?? ""
      }
    return SDK.shared.process.read { $0.enrollmentManager.accountIdsWithPIN() }
      .contains { $0.lowercased() == account.lowercased() }
  }
  var isManagedBrowserRequired: Bool { ask { $0.isManagedBrowserRequired(completion: $1) } }
  var isContactSyncAllowed: Bool { ask { $0.isContactSyncAllowed(completion: $1) } }
  var isWidgetContentSyncAllowed: Bool { ask { $0.isWidgetContentSyncAllowed(completion: $1) } }
  var isSpotlightIndexingAllowed: Bool { ask { $0.isSpotlightIndexingAllowed(completion: $1) } }
  var areSiriIntentsAllowed: Bool { ask { $0.areSiriIntentsAllowed(completion: $1) } }
  var areAppIntentsAllowed: Bool { ask { $0.areAppIntentsAllowed(completion: $1) } }
  var isAppSharingAllowed: Bool { ask { $0.isAppSharingAllowed(completion: $1) } }
  var shouldFileProviderEncryptFiles: Bool { isFileEncryptionRequired }
  var isFileEncryptionRequired: Bool { ask { $0.isFileEncryptionRequired(completion: $1) } }
  var isScreenCaptureAllowed: Bool { ask { $0.isScreenCaptureAllowed(completion: $1) } }

  var notificationPolicy: IntuneMAMNotificationPolicy {
    let value: Int = ask { policy, answer in policy.notificationPolicy { answer($0.rawValue) } }
    return IntuneMAMNotificationPolicy(rawValue: value) ?? .block
  }
}

extension IntuneMAMSaveLocation {
  fileprivate var location: StorageLocation {
    switch self {
    case .other: .other
    case .oneDriveForBusiness: .oneDriveForBusiness
    case .sharePoint: .sharePoint
    case .box: .box
    case .dropbox: .dropbox
    case .googleDrive: .googleDrive
    case .localDrive: .localDrive
    case .cameraRoll: .cameraRoll
    case .accountDocument: .accountDocument
    case .iManage: .iManage
    case .egnyte: .egnyte
    }
  }
}

extension IntuneMAMOpenLocation {
  fileprivate var location: StorageLocation {
    switch self {
    case .other: .other
    case .oneDriveForBusiness: .oneDriveForBusiness
    case .sharePoint: .sharePoint
    case .camera: .camera
    case .localStorage: .localStorage
    case .photos: .photos
    case .accountDocument: .accountDocument
    case .box: .box
    case .iManage: .iManage
    case .egnyte: .egnyte
    }
  }
}

extension UIDocumentPickerMode {
  fileprivate var mode: DocumentPickerMode {
    switch self {
    case .import: .import
    case .open: .open
    case .exportToService: .exportToService
    case .moveToService: .moveToService
    }
  }
}
