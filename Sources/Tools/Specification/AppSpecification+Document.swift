/// The documentation for administrators.
extension AppSpecification {
  package var markdown: String { document.markdown }

  /// The documentation as one HTML page without script or other files.
  package var html: String { document.html }

  /// The name of the app; that of the bundle or the file where nothing states it.
  package var name: String {
    title ?? schema.title ?? bundle ?? String(file.split(separator: "/").last ?? "the app")
  }

  private var document: Document {
    var document = Document(title: "Configuring \(name)")
    if let description = schema.description { document.add(paragraphsOf: description) }
    addOverview(to: &document)
    addKeys(of: schema, named: nil, to: &document)
    addExample(to: &document)
    addErrorCodes(to: &document)
    addSecrets(to: &document)
    addDemoMode(to: &document)
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
        `com.apple.configuration.app.managed`, as a property list of at most 1 MB, better of a few \
        kilobytes. The keys below stand at the top of the list, not inside of a key `configuration`. \
        Keys are case sensitive, white space in them counts, and the app passes over keys that are not \
        listed here. A value that the app cannot decode makes it ignore the whole configuration.
        """))
    if !(passwords + certificates + identities).isEmpty {
      document.add(
        .paragraph(
          """
          Passwords, certificates and identities do not belong into the configuration. They are \
          provisioned beside it, under the identifiers below.
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
      document.add(.paragraph(name == nil ? "The app names no keys." : "Any keys may stand in it."))
      return
    }
    let rows = properties.map { row(for: $0, in: schema, named: name) }
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
    for property: Schema.Property, in schema: Schema, named name: String?
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
      schema.requiredKeys.contains(property.name) ? "yes" : "no",
      Document.Line(quoting: words.joined(separator: "; ")),
      stated.defaultText.map { $0.isEmpty ? "empty" : .code($0) } ?? "",
      Document.Line(quoting: stated.explanation),
    ]
  }

  // MARK: The rest

  private func addExample(to document: inout Document) {
    guard let exampleList else { return }
    document.add(.heading(level: 2, "Example"))
    document.add(.listing(exampleList, language: "xml"))
  }

  /// An XML property list that fits the schema; nil where none could be made.
  package var exampleList: String? {
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
        Where the app cannot use a configuration, it reports one of these to the management service. \
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

  private func addDemoMode(to document: inout Document) {
    guard let demoMode else { return }
    document.add(.heading(level: 2, "Without management"))
    document.add(paragraphsOf: demoMode)
  }
}

extension Schema {
  /// The dictionaries that a value or the elements of an array can be, each with its name.
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

  /// The title, the description and a note where the key is deprecated.
  fileprivate var explanation: String {
    let sentences = [isDeprecated ? "Deprecated." : nil, title.map(Self.sentence), description]
    return sentences.compactMap(\.self).joined(separator: " ").replacing("\n", with: " ")
  }

  private static func sentence(_ title: String) -> String {
    title.last.map { ".!?".contains($0) } ?? true ? title : title + "."
  }
}
