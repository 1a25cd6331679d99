internal import Predicates

/// A reason for the state of a declaration, as a status report states it.
///
/// Source: github.com/apple/device-management, `declarative/declarations/declarationbase.yaml`.
package struct StatusReason: Sendable, Hashable {
  /// The code of a reason.
  package enum Code: String, Sendable, Hashable {
    case activationFailed = "Error.ActivationFailed"
    case assetCannotBeDownloaded = "Error.AssetCannotBeDownloaded"
    case assetCannotBeVerified = "Error.AssetCannotBeVerified"
    case assetCannotBeDeserialized = "Error.AssetCannotBeDeserialized"
    case configurationCannotBeApplied = "Error.ConfigurationCannotBeApplied"
    case configurationIsInvalid = "Error.ConfigurationIsInvalid"
    case duplicateConfiguredApp = "Error.DuplicateConfiguredApp"
    case invalidPayload = "Error.InvalidPayload"
    case missingAssets = "Error.MissingAssets"
    case missingConfigurations = "Error.MissingConfigurations"
    case unableToEvaluatePredicate = "Error.UnableToEvaluatePredicate"
    case unableToParsePredicate = "Error.UnableToParsePredicate"
    case unknownDeclarationType = "Error.UnknownDeclarationType"
    case unknownPayloadKeys = "Error.UnknownPayloadKeys"
    case unmanagedAppAlreadyInstalled = "Error.UnmanagedAppAlreadyInstalled"
    case notReferencedByActivation = "Info.NotReferencedByActivation"
    case notReferencedByConfiguration = "Info.NotReferencedByConfiguration"
    case predicate = "Info.Predicate"
    /// The result of `com.apple.configuration.management.test`; Apple documents no code of its own for it.
    case test = "Info.Test"
  }

  package var code: Code
  /// The description, a sentence; it quotes no value of a configuration or a secret.
  package var description: String
  package var details: [String: StatusValue]

  /// Creates a reason.
  package init(
    _ code: Code, _ description: String, _ details: [String: StatusValue] = [:]
  ) {
    self.code = code
    self.description = description
    self.details = details
  }

  /// Creates a reason with the identifier and the token of a declaration as details.
  init(
    _ code: Code, _ description: String, of declaration: Declaration,
    _ details: [String: StatusValue] = [:]
  ) {
    let own: [String: StatusValue] = [
      "Identifier": .string(declaration.identifier),
      "ServerToken": .string(declaration.serverToken),
    ]
    self.init(code, description, own.merging(details) { _, given in given })
  }
}
