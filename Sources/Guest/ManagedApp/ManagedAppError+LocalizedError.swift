public import FoundationEssentials
public import Model

extension ManagedAppError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .invalidIdentifier: "The administrator provides no secret with this identifier."
    case .internalError: "The device cannot use the secret."
    case .serverError: "The device cannot get the secret from its server."
    }
  }
}
