internal import Diagnostics
internal import JSON

/// The specification that an app publishes for administrators: the form of its configuration, the errors that its
/// decoder reports, and the secrets that it looks up.
package struct AppSpecification: Sendable {
  /// An error code of the app's decoder, and its meaning.
  package struct ErrorCode: Sendable {
    package var code: Int
    package var description: String
  }

  /// A password, certificate or identity that the app looks up.
  package struct Secret: Sendable {
    package var identifier: String
    /// The purpose for which the app needs the secret.
    package var description: String
    /// Whether the app cannot do without the secret.
    package var isRequired: Bool
  }

  /// The file as the user named it.
  package var file: String
  /// The name of the app; nil where it is not stated.
  package var title: String?
  /// The bundle identifier of the app or extension that the configuration is for; nil where it is not stated.
  package var bundle: String?
  /// The identifier of the team that signs the app; nil where it is not stated.
  package var team: String?
  package var errorCodes: [ErrorCode] = []
  package var passwords: [Secret] = []
  package var certificates: [Secret] = []
  package var identities: [Secret] = []
  /// The way to show the managed features without a management service; nil where it is not stated.
  package var demoMode: String?
  /// The schema of the dictionary at the top.
  package var schema: Schema
  /// A configuration that fits the schema; nil where none could be made.
  package var example: ConfigurationValue?
  /// The findings about the specification itself, none of which is an error.
  package var findings: [SpecificationFinding] = []

  /// Reads a specification.
  ///
  /// - Throws: ``SpecificationError`` with all findings where the file is no specification.
  package init(_ bytes: [UInt8], file: String) throws(SpecificationError) {
    let root: JSONValue
    do throws(JSONSyntaxError) {
      root = try JSONReader.read(bytes)
    } catch {
      throw SpecificationError([
        SpecificationFinding(.specification, file: file, at: error.position, error.message)
      ])
    }
    try self.init(root, file: file)
  }

  private init(_ root: JSONValue, file: String) throws(SpecificationError) {
    var reader = SchemaReader(root, file: file)
    let schema = reader.schema(root)
    self.init(file: file, schema: schema)
    title = schema.title
    if let stated = root[SchemaReader.ownName] { reader.readOwn(stated, into: &self) }
    let types = schema.typesOfAll
    if !types.isEmpty, !types.contains(.object) {
      reader.fail(at: root.position, "a configuration is a dictionary: its type must be `object`")
    }
    guard !reader.findings.contains(where: { $0.severity == .error }) else {
      throw SpecificationError(reader.findings)
    }
    example = ExampleBuilder.example(of: schema)
    findings = SpecificationLinter.lint(self, position: root.position, after: reader.findings)
  }

  private init(file: String, schema: Schema) {
    self.file = file
    self.schema = schema
  }

  /// The identifier that a management service delivers by: `org.example.app (TEAM)`, without the team where it is not
  /// stated; nil without a bundle.
  package var composedIdentifier: String? {
    bundle.map { bundle in team.map { "\(bundle) (\($0))" } ?? bundle }
  }
}
