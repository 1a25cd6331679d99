internal import Diagnostics
internal import JSON

/// What an app publishes for administrators: how its configuration looks, which errors its decoder
/// reports, and which secrets it looks up.
package struct AppSpecification: Sendable {
  /// What an error code of the app's decoder means.
  package struct ErrorCode: Sendable {
    package var code: Int
    package var description: String
  }

  /// A password, certificate or identity that the app looks up.
  package struct Secret: Sendable {
    package var identifier: String
    /// What the app needs it for.
    package var description: String
    /// Whether the app does without.
    package var isRequired: Bool
  }

  /// As the user named it.
  package var file: String
  /// The name of the app; nil where nothing says it.
  package var title: String?
  /// The bundle identifier of the app or extension that the configuration is for; nil where it is not
  /// said.
  package var bundle: String?
  /// The identifier of the team that signs it; nil where it is not said.
  package var team: String?
  package var errorCodes: [ErrorCode] = []
  package var passwords: [Secret] = []
  package var certificates: [Secret] = []
  package var identities: [Secret] = []
  /// How the managed features are shown without a management service; nil where it is not said.
  package var demoMode: String?
  /// What the dictionary at the top must be.
  package var schema: Schema
  /// A configuration that fits; nil where none could be made.
  package var example: ConfigurationValue?
  /// What there is to say about the specification itself; no error.
  package var findings: [SpecificationFinding] = []

  /// - Throws: ``SpecificationError`` for what is no specification; all that is wrong is in it.
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

  /// The identifier that a management service delivers by: `org.example.app (TEAM)`, without the team
  /// where that is not said; nil without a bundle.
  package var composedIdentifier: String? {
    bundle.map { bundle in team.map { "\(bundle) (\($0))" } ?? bundle }
  }
}
