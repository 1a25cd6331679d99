package import JSON

extension AppSpecification {
  /// Writes the content of the documentation as one JSON object.
  package func writeJSON(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("description", schema.description)
      writer.member("bundle", bundle)
      writer.member("team", team)
      writer.array("keys") { writer in write(schema, at: [], to: &writer) }
      writer.member("example", exampleList)
      writer.array("errorCodes") { writer in
        for error in errorCodes {
          writer.object {
            $0.member("code", error.code)
            $0.member("description", error.description)
          }
        }
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

  /// Writes the keys of a dictionary, each followed by the keys in its value.
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
      writer.array("path") { writer in for step in path { writer.string(step) } }
      writer.member("type", schema.typeWords)
      writer.member("required", isRequired)
      writer.array("validValues") { writer in
        for words in schema.constraintWords { writer.string(words) }
      }
      if let value = schema.defaultValue?.value {
        writer.member(named: "default") { value.writeJSON(to: &$0) }
      }
      writer.array("examples") { writer in
        for example in schema.examples { example.value.writeJSON(to: &writer) }
      }
      writer.member("title", schema.title)
      writer.member("description", schema.description)
      writer.member("deprecated", schema.isDeprecated)
    }
  }
}

extension ConfigurationValue {
  /// Writes the value; dates as text, bytes as null: values that were read from JSON have neither.
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
