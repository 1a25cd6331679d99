public import GraphDocuments

/// The error of a file of app configurations that cannot be used, with its place. Messages never contain a value.
public typealias AppConfigurationError = DocumentError<AppConfigurationErrorCode>

/// The rules that a file can break.
public enum AppConfigurationErrorCode: String, DocumentErrorCode, CaseIterable {
  /// The text is no JSON.
  case jsonSyntax
  /// The file holds no app configuration.
  case noConfiguration
  /// An object states one name twice.
  case duplicateProperty
  /// A configuration states one key twice.
  case duplicateKey
  /// The object is something else than an app configuration for iOS.
  case otherType
  /// A property has another JSON type than Graph gives it.
  case wrongType
  /// A word is none of those that Graph lists.
  case unknownValue
  /// A value is not of the type that is stated for its key.
  case invalidValue
  /// `encodedSettingXml` is no base64 of a property list with a dictionary.
  case invalidXML
  /// A configuration is larger than a device takes.
  case tooLarge
}

extension AppConfigurationErrorCode: AppDocumentErrorCode {
  package static var noDocument: AppConfigurationErrorCode { .noConfiguration }
}
