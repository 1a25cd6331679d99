internal import AppProcess
public import Foundation
internal import SluiceKit
public import UIKit

/// Protects data and records its owner in it. Data of a managed account is encrypted. Data of an
/// unmanaged account is only marked with the owner.
open class IntuneMAMDataProtectionManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMDataProtectionManager()
  private let sdk = SDK.shared

  private override init() { super.init() }

  open class func instance() -> IntuneMAMDataProtectionManager { shared }

  // MARK: Protecting

  /// Protects data for an account. Returns nil on failure.
  open func protect(_ data: Data, accountId: String) -> Data? {
    try? protect(data, accountId: accountId, withError: ())
  }

  /// Protects data for an account.
  ///
  /// - Throws: An error in the domain ``IntuneMAMDataProtectionErrorDomain``.
  open func protect(_ data: Data, accountId: String, withError: ()) throws -> Data {
    let bytes = Array(data)
    let result: Result<[UInt8], ProtectedFileError> = sdk.process.ask { app, answer in
      app.dataProtectionManager.protect(bytes, accountId: accountId, completion: answer)
    }
    return Data(try result.mapError(\.dataError).get())
  }

  /// Protects a text for an account. Returns Base64, or nil on failure.
  open func protect(_ string: String, accountId: String) -> String? {
    try? protect(string, accountId: accountId, withError: ())
  }

  /// Protects a text for an account. Returns Base64.
  ///
  /// - Throws: An error in the domain ``IntuneMAMDataProtectionErrorDomain``.
  open func protect(_ string: String, accountId: String, withError: ()) throws -> String {
    let result: Result<String, ProtectedFileError> = sdk.process.ask { app, answer in
      app.dataProtectionManager.protectString(string, accountId: accountId, completion: answer)
    }
    return try result.mapError(\.dataError).get()
  }

  // MARK: Restoring

  /// Restores protected data, and returns other data unchanged. Returns nil on failure.
  open func unprotect(_ data: Data) -> Data? { try? unprotect(data, withError: ()) }

  /// Restores protected data, and returns other data unchanged.
  ///
  /// - Throws: An error in the domain ``IntuneMAMDataProtectionErrorDomain``.
  open func unprotect(_ data: Data, withError: ()) throws -> Data {
    let bytes = Array(data)
    let result: Result<[UInt8], ProtectedFileError> = sdk.process.ask { app, answer in
      app.dataProtectionManager.unprotect(bytes, completion: answer)
    }
    return Data(try result.mapError(\.dataError).get())
  }

  /// Restores a protected text, and returns other text unchanged. Returns nil on failure.
  open func unprotectString(_ string: String) -> String? {
    try? unprotectString(string, withError: ())
  }

  /// Restores a protected text, and returns other text unchanged.
  ///
  /// - Throws: An error in the domain ``IntuneMAMDataProtectionErrorDomain``.
  open func unprotectString(_ string: String, withError: ()) throws -> String {
    let result: Result<String, ProtectedFileError> = sdk.process.ask { app, answer in
      app.dataProtectionManager.unprotectString(string, completion: answer)
    }
    return try result.mapError(\.dataError).get()
  }

  // MARK: Owners

  /// Returns the owner of protected data; nil if the data is unprotected or malformed.
  open func protectionInfo(_ data: Data) -> (any IntuneMAMDataProtectionInfo)? {
    let bytes = Array(data)
    return ProtectionInfo(sdk.process.read { $0.dataProtectionManager.protectionInfo(bytes) })
  }

  /// Returns the owner of a protected text; nil if the text is unprotected or malformed.
  open func protectionInfo(for string: String) -> (any IntuneMAMDataProtectionInfo)? {
    Data(base64Encoded: string).flatMap { protectionInfo($0) }
  }

  /// Returns the owner of the item that was last loaded from an item provider; nil if unknown.
  open func protectionInfo(
    for itemProvider: NSItemProvider
  ) -> (any IntuneMAMDataProtectionInfo)? {
    ProtectionInfo(itemProvider.receivedItem?.item.tag.map(\.ownerUPN).flatMap(nonempty))
  }
}

/// The owner of data.
public protocol IntuneMAMDataProtectionInfo: NSObjectProtocol {
  /// The account's object id, or its UPN if it has none.
  var accountId: String? { get }
}

/// The owner of a file.
public protocol IntuneMAMFileProtectionInfo: NSObjectProtocol {
  /// The account's object id, or its UPN if it has none.
  var accountId: String? { get }
}

/// The owner of data or a file.
final class ProtectionInfo: NSObject, IntuneMAMDataProtectionInfo, IntuneMAMFileProtectionInfo {
  let accountId: String?

  init?(_ accountId: String?) {
    guard let accountId else { return nil }
    self.accountId = SDK.shared.objectID(of: accountId)
  }
}

private func nonempty(_ text: String) -> String? { text.isEmpty ? nil : text }
