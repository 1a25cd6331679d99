internal import SignedMessages

/// The signature around a profile, checked against the certificate that came with it.
///
/// Whether that certificate can be trusted is not checked: anybody can make one.
public struct ProfileSignature: Sendable, Equatable {
  /// The result of the check.
  public enum State: Sendable, Equatable {
    /// The profile is unchanged since it was signed.
    case intact
    /// The profile or the signature was changed.
    case broken
    /// The check could not be made; the reason, in lower case, without full stop.
    case unknown(String)
  }

  public var state: State
  /// The signers' names, as their certificates state them: `CN=Contoso,O=Contoso Ltd`.
  public var signers: [String]

  /// - Parameter message: The signed message; nil where libcrypto cannot read it.
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

  /// The warning about the signature, for the user.
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
