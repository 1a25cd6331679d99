internal import CCrypto

/// The signatures of a CMS message that carries its content, as far as the message alone shows.
///
/// A signature is verified with the certificate that came with it. Nothing shows that this
/// certificate is to be trusted: no chain is followed, no root asked, no date looked at.
///
/// Source: RFC 5652, section 5.
package struct SignedMessage: Sendable, Equatable {
  /// The result of verifying the signatures over the content.
  package enum Verdict: Sendable, Equatable {
    /// Every signature fits the content.
    case intact
    /// One signature does not fit: the content or the signature was changed.
    case broken
    /// One signature cannot be verified, with the reason: lower case, no full stop.
    case unknown(String)
  }

  package var verdict: Verdict
  /// The subjects of the signers' certificates in the form of RFC 2253, in the message's order;
  /// signers whose certificate is not in the message are left out.
  package var signers: [String]

  /// Reads a message.
  ///
  /// - Parameter bytes: the message in DER or BER.
  /// - Returns: nil where `bytes` are no signed message, or damaged.
  package init?(_ bytes: [UInt8]) {
    guard let message = MessageHandle(bytes), message.isSigned else { return nil }
    let count = message.signerCount
    let subjects = message.findSigners()
    signers = subjects
    if count == 0 {
      verdict = .unknown("nobody has signed the message")
    } else if subjects.count < count {
      verdict = .unknown("the certificate of its signer is not in it")
    } else {
      verdict = message.verdict()
    }
  }
}
