internal import AppProcess
public import Foundation
public import FoundationNetworking

/// Validates certificate pinning. Simulated policies have no pins, so every chain passes.
open class IntuneMAMCertificatePinningManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMCertificatePinningManager()

  private override init() { super.init() }

  open class func instance() -> IntuneMAMCertificatePinningManager { shared }

  /// Passes every chain, because there are no pins.
  open func validateChain(
    with challenge: URLAuthenticationChallenge, andAccountId accountId: String?
  ) throws {}

  /// Passes every chain, because there are no pins.
  ///
  /// - Throws: An error if the certificate or the host is missing.
  open func validateChain(
    withCertificates certificates: [Data], andHostname hostname: String,
    andAccountId accountId: String?
  ) throws {
    guard !hostname.isEmpty else { throw Self.error(.nilHost) }
    guard !certificates.isEmpty else { throw Self.error(.invalidCertificateChain) }
  }

  /// Returns whether the account has pins, which is always false.
  open func isPinningEnabled(forAccountId accountId: String?) -> Bool { false }

  /// Shows no message. Calls the handler on the main thread.
  open func showErrorMessage(
    forAccountId accountId: String?, withDismissHandler dismissHandler: (@Sendable () -> Void)?
  ) {
    SDK.shared.withoutEffect(
      "showErrorMessage(forAccountId:withDismissHandler:)", "nothing is drawn")
    guard let dismissHandler else { return }
    Callback.onMain("the handler of showErrorMessage(forAccountId:)") { dismissHandler() }
  }

  private static func error(_ code: IntuneMAMCertificatePinningStatusCode) -> NSError {
    NSError(domain: "IntuneMAMCertificatePinningErrorDomain", code: Int(code.rawValue))
  }
}

/// The reason why a certificate chain is rejected.
public enum IntuneMAMCertificatePinningStatusCode: UInt, Sendable {
  case invalidChallenge = 100
  case invalidCertificateChain = 101
  case nilHost = 102
  case failedTrustEvaluation = 103
  case failedFormationEvaluation = 104
  case errorAccessingCert = 105
  case algNotSupported = 106
  case matchNotFound = 107
}
