internal import AppProcess
public import Foundation
internal import SluiceKit
public import UIKit

/// Data that carries its owner: encrypted for a managed account, marked for an unmanaged one.
open class IntuneMAMDataProtectionManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMDataProtectionManager()
  private let sdk = SDK.shared

  private override init() { super.init() }

  open class func instance() -> IntuneMAMDataProtectionManager { shared }

  // MARK: protecting

  /// Protects data for an account; nil on failure.
  open func protect(_ data: Data, accountId: String) -> Data? {
    try? protect(data, accountId: accountId, withError: ())
  }

  /// Protects data for an account.
  ///
  /// - Throws: an error of ``IntuneMAMDataProtectionErrorDomain``.
  open func protect(_ data: Data, accountId: String, withError: ()) throws -> Data {
    let bytes = Array(data)
    let result: Result<[UInt8], ProtectedFileError> = sdk.process.ask { app, answer in
      app.dataProtectionManager.protect(bytes, accountId: accountId, completion: answer)
    }
    return Data(try result.mapError(\.dataError).get())
  }

  /// Protects a text for an account; the result is in base64; nil on failure.
  open func protect(_ string: String, accountId: String) -> String? {
    try? protect(string, accountId: accountId, withError: ())
  }

  /// Protects a text for an account; the result is in base64.
  ///
  /// - Throws: an error of ``IntuneMAMDataProtectionErrorDomain``.
  open func protect(_ string: String, accountId: String, withError: ()) throws -> String {
    let result: Result<String, ProtectedFileError> = sdk.process.ask { app, answer in
      app.dataProtectionManager.protectString(string, accountId: accountId, completion: answer)
    }
    return try result.mapError(\.dataError).get()
  }

  // MARK: restoring

  /// Restores data; what is not protected comes back unchanged; nil on failure.
  open func unprotect(_ data: Data) -> Data? { try? unprotect(data, withError: ()) }

  /// Restores data; what is not protected comes back unchanged.
  ///
  /// - Throws: an error of ``IntuneMAMDataProtectionErrorDomain``.
  open func unprotect(_ data: Data, withError: ()) throws -> Data {
    let bytes = Array(data)
    let result: Result<[UInt8], ProtectedFileError> = sdk.process.ask { app, answer in
      app.dataProtectionManager.unprotect(bytes, completion: answer)
    }
    return Data(try result.mapError(\.dataError).get())
  }

  /// Restores a text; what is not protected comes back unchanged; nil on failure.
  open func unprotectString(_ string: String) -> String? {
    try? unprotectString(string, withError: ())
  }

  /// Restores a text; what is not protected comes back unchanged.
  ///
  /// - Throws: an error of ``IntuneMAMDataProtectionErrorDomain``.
  open func unprotectString(_ string: String, withError: ()) throws -> String {
    let result: Result<String, ProtectedFileError> = sdk.process.ask { app, answer in
      app.dataProtectionManager.unprotectString(string, completion: answer)
    }
    return try result.mapError(\.dataError).get()
  }

  // MARK: owners

  /// The owner that data state; nil where they are not protected.
  open func protectionInfo(_ data: Data) -> (any IntuneMAMDataProtectionInfo)? {
    let bytes = Array(data)
    return ProtectionInfo(sdk.process.read { $0.dataProtectionManager.protectionInfo(bytes) })
  }

  /// The owner that a protected text states; nil where it is not protected.
  open func protectionInfo(for string: String) -> (any IntuneMAMDataProtectionInfo)? {
    Data(base64Encoded: string).flatMap { protectionInfo($0) }
  }

  /// The owner of what was loaded from an item provider; nil where none is known.
  open func protectionInfo(
    for itemProvider: NSItemProvider
  ) -> (any IntuneMAMDataProtectionInfo)? {
    ProtectionInfo(itemProvider.receivedItem?.item.tag.map(\.ownerUPN).flatMap(nonempty))
  }
}

/// The owner of data.
public protocol IntuneMAMDataProtectionInfo: NSObjectProtocol {
  /// nil where there is none.
  var accountId: String? { get }
}

/// The owner of a file.
public protocol IntuneMAMFileProtectionInfo: NSObjectProtocol {
  /// nil where there is none.
  var accountId: String? { get }
}

/// An owner.
final class ProtectionInfo: NSObject, IntuneMAMDataProtectionInfo, IntuneMAMFileProtectionInfo {
  let accountId: String?

  init?(_ accountId: String?) {
    guard let accountId else { return nil }
    self.accountId = SDK.shared.objectID(of: accountId)
  }
}

private func nonempty(_ text: String) -> String? { text.isEmpty ? nil : text }
