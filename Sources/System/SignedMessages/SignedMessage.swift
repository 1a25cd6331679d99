internal import CCrypto

/// The signatures of a CMS message that carries its content, as far as the message alone tells.
///
/// A signature is held against the certificate that came with it. Nobody says that this
/// certificate is to be trusted: no chain is followed, no root asked, no date looked at.
///
/// Source: RFC 5652, section 5.
package struct SignedMessage: Sendable, Equatable {
  /// What the signatures say of the content.
  package enum Verdict: Sendable, Equatable {
    /// Every signature fits the content.
    case intact
    /// One does not: the content or the signature was changed.
    case broken
    /// One cannot be told, and why: lower case, no full stop.
    case unknown(String)
  }

  package var verdict: Verdict
  /// The subjects of the signers' certificates as RFC 2253 writes them, in the message's order;
  /// those whose certificate is not in the message are left out.
  package var signers: [String]

  /// - Parameter bytes: DER or BER.
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
