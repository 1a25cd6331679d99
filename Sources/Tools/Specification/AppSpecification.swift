package import Encodings
internal import Output

/// A specification that an app publishes for administrators. It contains the schema of the app's
/// configuration, the errors of the app's decoder, and the secrets that the app uses.
package struct AppSpecification: Sendable {
  /// An error code from the app's decoder, with its meaning.
  struct ErrorCode: Sendable {
    var code: Int
    var description: String
  }

  /// A password, certificate or identity that the app uses.
  struct Secret: Sendable {
    var identifier: String
    var description: String
    /// Whether the app cannot work without the secret.
    var isRequired: Bool
  }

  /// The file name as the user entered it.
  var file: String
  /// The app's name; nil if it is not stated.
  var title: String?
  /// The bundle id of the app or extension to which the configuration applies; nil if it is not
  /// stated.
  var bundle: String?
  /// The team identifier of the app's signer; nil if it is not stated.
  var team: String?
  var errorCodes: [ErrorCode] = []
  var passwords: [Secret] = []
  var certificates: [Secret] = []
  var identities: [Secret] = []
  /// Instructions for viewing the managed features without a management service; nil if not stated.
  var demoMode: String?
  /// The schema of the top-level dictionary.
  var schema: Schema
  /// A configuration that is valid under the schema; nil if none could be generated.
  var example: ConfigurationValue?
  /// Findings about the specification itself. None of them is an error.
  package private(set) var findings: [SpecificationFinding] = []

  /// Reads a specification.
  ///
  /// - Throws: ``SpecificationError`` with all findings if the file is not a valid specification.
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

  /// The identifier under which a management service delivers the configuration, such as `org.example.app (TEAM)`. The
  /// team is omitted if it is not stated. Nil if there is no bundle id.
  private var composedIdentifier: String? {
    bundle.map { bundle in team.map { "\(bundle) (\($0))" } ?? bundle }
  }
}

/// Generates documentation for administrators.
extension AppSpecification {
  package var markdown: String { document.markdown }

  /// The documentation as one self-contained HTML page without scripts.
  package var html: String { document.html }

  /// The app's name; the bundle id or file name if no name is stated.
  private var name: String {
    title ?? schema.title ?? bundle ?? String(file.split(separator: "/").last ?? "the app")
  }

  private var document: Document {
    var document = Document(title: "Configuring \(name)")
    if let description = schema.description { document.add(paragraphsOf: description) }
    addOverview(to: &document)
    addKeys(of: schema, named: nil, to: &document)
    if let exampleList {
      document.add(.heading(level: 2, "Example"))
      document.add(.listing(exampleList, language: "xml"))
    }
    addErrorCodes(to: &document)
    addSecrets(to: &document)
    if let demoMode {
      document.add(.heading(level: 2, "Without management"))
      document.add(paragraphsOf: demoMode)
    }
    return document
  }

  private func addOverview(to document: inout Document) {
    document.add(.heading(level: 2, "Overview"))
    if let composedIdentifier {
      document.add(.paragraph("The configuration is for `\(composedIdentifier)`."))
    }
    document.add(
      .paragraph(
        """
        A management service delivers the configuration with the declaration \
        `com.apple.configuration.app.managed`, as a property list of at most 1 MB, preferably a few \
        kilobytes. The keys below must be at the top level of the list, not inside a key `configuration`. \
        The app compares keys exactly, including case and white space, and ignores keys that are not \
        listed here. If it cannot decode a value, it ignores the whole configuration.
        """))
    if !(passwords + certificates + identities).isEmpty {
      document.add(
        .paragraph(
          """
          Do not put passwords, certificates and identities into the configuration. Provision \
          them separately, under the identifiers below.
          """))
    }
  }

  // MARK: Keys

  private func addKeys(of schema: Schema, named name: String?, to document: inout Document) {
    let properties = schema.knownProperties
    if let name {
      document.add(.heading(level: 3, Document.Line.code(name)))
    } else {
      document.add(.heading(level: 2, "Keys"))
    }
    if properties.isEmpty {
      document.add(
        .paragraph(name == nil ? "The app specifies no keys." : "It may contain any keys."))
      return
    }
    let required = schema.requiredKeys
    let rows = properties.map { row(for: $0, isRequired: required.contains($0.name), named: name) }
    document.add(
      .table(
        head: ["Key", "Type", "Required", "Valid values", "Default", "Description"], rows: rows))
    for property in properties {
      for (nested, name) in property.schema.nested(named: Self.name(property.name, in: name)) {
        addKeys(of: nested, named: name, to: &document)
      }
    }
  }

  private static func name(_ key: String, in parent: String?) -> String {
    parent.map { "\($0) > \(key)" } ?? key
  }

  private func row(
    for property: Schema.Property, isRequired: Bool, named name: String?
  ) -> [Document.Line] {
    let stated = property.schema
    let nested = stated.nested(named: Self.name(property.name, in: name))
    let type = stated.typeWords + (nested.first.map { ", see `\($0.name)`" } ?? "")
    var words = stated.constraintWords
    if words.isEmpty, let example = stated.examples.first?.value.text {
      words = ["for example `\(example)`"]
    }
    return [
      .code(property.name), Document.Line(quoting: type),
      isRequired ? "yes" : "no",
      Document.Line(quoting: words.joined(separator: "; ")),
      stated.defaultText.map { $0.isEmpty ? "empty" : .code($0) } ?? "",
      Document.Line(quoting: stated.explanation),
    ]
  }

  // MARK: Other sections

  /// An XML property list that is valid under the schema; nil if none could be generated.
  var exampleList: String? {
    example.map { PropertyListText.text(of: $0, by: schema) }
  }

  private func addErrorCodes(to document: inout Document) {
    document.add(.heading(level: 2, "Error codes"))
    guard !errorCodes.isEmpty else {
      document.add(.paragraph("The app reports no errors of its own about its configuration."))
      return
    }
    document.add(
      .paragraph(
        """
        If the app cannot use a configuration, it reports one of these to the management service. \
        Codes that are not listed are the system's.
        """))
    let rows = errorCodes.map { error in
      [Document.Line.code("\(error.code)"), Document.Line(quoting: error.description)]
    }
    document.add(.table(head: ["Code", "Meaning"], rows: rows))
  }

  private func addSecrets(to document: inout Document) {
    for (heading, secrets) in [
      ("Passwords", passwords), ("Certificates", certificates), ("Identities", identities),
    ] where !secrets.isEmpty {
      document.add(.heading(level: 2, Document.Line([.text(heading)])))
      let rows = secrets.map { secret in
        [
          Document.Line.code(secret.identifier), secret.isRequired ? "yes" : "no",
          Document.Line(quoting: secret.description),
        ]
      }
      document.add(.table(head: ["Identifier", "Required", "Purpose"], rows: rows))
    }
  }
}

extension Schema {
  /// Returns the schemas of the dictionaries with known keys in a value of this schema, each with a name for the
  /// documentation. If this schema has known keys, returns only this schema. Otherwise, searches the schemas of the
  /// value's elements and of the values under unknown keys.
  fileprivate func nested(named name: String) -> [(schema: Schema, name: String)] {
    if !knownProperties.isEmpty { return [(self, name)] }
    return ([self] + parts).flatMap { part in
      var nested: [(schema: Schema, name: String)] = []
      if case .each(let items) = part.items {
        nested += items.nested(named: "\(name) > each element")
      }
      if case .each(let others) = part.others {
        nested += others.nested(named: "\(name) > each key")
      }
      return nested
    }
  }

  fileprivate var defaultText: String? {
    let value = ([self] + allOf).lazy.compactMap(\.defaultValue).first?.value
    return value.map { $0.text ?? $0.noun }
  }

  /// The title, the description and, for a deprecated key, a note.
  fileprivate var explanation: String {
    let sentences = [isDeprecated ? "Deprecated." : nil, title.map(Self.sentence), description]
    return sentences.compactMap(\.self).joined(separator: " ").replacing("\n", with: " ")
  }

  private static func sentence(_ title: String) -> String {
    title.last.map { ".!?".contains($0) } ?? true ? title : title + "."
  }
}

extension AppSpecification {
  /// Writes the contents of the documentation as one JSON object.
  package func writeJSON(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("description", schema.description)
      writer.member("bundle", bundle)
      writer.member("team", team)
      writer.array("keys") { writer in write(schema, at: [], to: &writer) }
      writer.member("example", exampleList)
      writer.objects("errorCodes", of: errorCodes) { writer, error in
        writer.member("code", error.code)
        writer.member("description", error.description)
      }
      writer.array("passwords") { write(passwords, to: &$0) }
      writer.array("certificates") { write(certificates, to: &$0) }
      writer.array("identities") { write(identities, to: &$0) }
      writer.member("demoMode", demoMode)
    }
  }

  private func write(_ secrets: [Secret], to writer: inout JSONWriter) {
    for secret in secrets {
      writer.object {
        $0.member("identifier", secret.identifier)
        $0.member("required", secret.isRequired)
        $0.member("description", secret.description)
      }
    }
  }

  /// Writes the keys of a dictionary. Each key is followed by the keys in its value.
  private func write(_ schema: Schema, at path: [String], to writer: inout JSONWriter) {
    let required = schema.requiredKeys
    for property in schema.knownProperties {
      let path = path + [property.name]
      write(property.schema, required.contains(property.name), at: path, to: &writer)
      write(property.schema, at: path, to: &writer)
    }
    for part in [schema] + schema.parts {
      if case .each(let items) = part.items { write(items, at: path + ["[]"], to: &writer) }
      if case .each(let others) = part.others { write(others, at: path + ["*"], to: &writer) }
    }
  }

  private func write(
    _ schema: Schema, _ isRequired: Bool, at path: [String], to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.strings("path", path)
      writer.member("type", schema.typeWords)
      writer.member("required", isRequired)
      writer.strings("validValues", schema.constraintWords)
      if let value = schema.defaultValue?.value {
        writer.member(named: "default") { value.writeJSON(to: &$0) }
      }
      writer.array("examples", of: schema.examples) { $1.value.writeJSON(to: &$0) }
      writer.member("title", schema.title)
      writer.member("description", schema.description)
      writer.member("deprecated", schema.isDeprecated)
    }
  }
}

extension ConfigurationValue {
  /// Writes the value. Dates become text and bytes become null; neither occurs in values from JSON.
  fileprivate func writeJSON(to writer: inout JSONWriter) {
    switch kind {
    case .null, .data: writer.null()
    case .boolean(let flag): writer.bool(flag)
    case .integer(let number): writer.number(number)
    case .real(let number) where !number.isFinite: writer.null()
    case .real(let number): writer.raw(Self.text(of: number).utf8)
    case .string(let text): writer.string(text)
    case .date(let seconds): writer.string(DateText.text(of: seconds))
    case .array(let elements):
      writer.array { writer in for element in elements { element.writeJSON(to: &writer) } }
    case .dictionary(let entries):
      writer.object { writer in
        for entry in entries {
          writer.member(named: entry.key) { entry.value.writeJSON(to: &$0) }
        }
      }
    }
  }
}
