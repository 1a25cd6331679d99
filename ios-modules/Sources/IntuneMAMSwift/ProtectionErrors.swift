internal import AppProcess
internal import Foundation
internal import SluiceKit

/// The error domain of ``IntuneMAMDataProtectionManager``. Its codes are those of
/// ``IntuneMAMDataProtectionStatusCode``.
public let IntuneMAMDataProtectionErrorDomain = "IntuneMAMDataProtectionErrorDomain"
/// The error domain of file protection. Its codes are those of
/// ``IntuneMAMFileProtectionStatusCode``.
public let IntuneMAMFileProtectionErrorDomain = "IntuneMAMFileProtectionErrorDomain"

/// The reason why data could not be protected or restored.
public enum IntuneMAMDataProtectionStatusCode: UInt, Sendable {
  case applicationNotManaged = 100
  case invalidArguments = 101
  case failedToEncryptData = 102
  case failedToDecryptData = 103
  case dataNotProtected = 104
  case emptyData = 105
}

/// The reason why a file could not be protected, opened or restored.
public enum IntuneMAMFileProtectionStatusCode: UInt, Sendable {
  case applicationNotManaged = 100
  case invalidArguments = 101
  case failedToEncryptFile = 102
  case failedToDecryptFile = 103
  case fileNotFound = 104
  case operationOnDirectory = 105
  case unmanagedIdentity = 106
  case internalError = 107
}

extension ProtectedFileError {
  /// Returns the error as an `NSError`, which apps receive.
  func object(in domain: String) -> NSError {
    NSError(
      domain: domain, code: code.rawValue,
      userInfo: [NSLocalizedDescriptionKey: description])
  }

  var fileError: NSError { object(in: IntuneMAMFileProtectionErrorDomain) }
  var dataError: NSError { object(in: IntuneMAMDataProtectionErrorDomain) }
}
