internal import SignedMessages

/// What the signature around a profile says, held against the certificate that came with it.
///
/// Whether that certificate is to be trusted is not looked at: anybody can make one.
public struct ProfileSignature: Sendable, Equatable {
  public enum State: Sendable, Equatable {
    /// The profile is as it was signed.
    case intact
    /// The profile or the signature was changed.
    case broken
    /// It cannot be told, and why: lower case, no full stop.
    case unknown(String)
  }

  public var state: State
  /// The signers' names, as their certificates state them: `CN=Contoso,O=Contoso Ltd`.
  public var signers: [String]

  /// - Parameter message: nil where libcrypto does not read it.
  init(_ message: SignedMessage?) {
    signers = message?.signers ?? []
    state =
      switch message?.verdict {
      case .intact: .intact
      case .broken: .broken
      case .unknown(let reason): .unknown(reason)
      case nil: .unknown("its form is not supported")
      }
  }

  /// What a user is to know of it.
  var warning: String {
    let names = signers.isEmpty ? "" : " by \(signers.map { "`\($0)`" }.joined(separator: ", "))"
    return switch state {
    case .intact:
      "the profile is signed\(names); it is as it was signed, but whether to trust its signer is "
        + "not checked"
    case .broken: "the profile was changed after it was signed\(names)"
    case .unknown(let reason): "the profile's signature is not verified: \(reason)"
    }
  }
}
