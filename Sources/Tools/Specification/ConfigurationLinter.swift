internal import Bundle
internal import Encodings
internal import Output

package struct ConfigurationLinter {
  /// The maximum size that a device accepts, in bytes.
  ///
  /// Source: Apple, "Configuring managed apps and extensions".
  private static let maximumSize = 1_000_000
  /// The size in bytes above which a configuration is reported as large.
  private static let largeSize = 16_384

  private let file: ConfigurationFile
  private let specification: AppSpecification
  private var findings: [SpecificationFinding] = []

  /// Returns the findings about a file, in the order of its lines.
  ///
  /// If the file cannot be read, the findings state the reason. Otherwise, they are violations of the specification and
  /// of good practice for managed apps.
  package static func lint(
    _ bytes: [UInt8], file: String, against specification: AppSpecification
  ) -> [SpecificationFinding] {
    let configuration: ConfigurationFile
    do throws(SpecificationError) {
      configuration = try ConfigurationFile(bytes, file: file)
    } catch {
      return error.findings
    }
    var linter = ConfigurationLinter(file: configuration, specification: specification)
    linter.lint()
    return SpecificationFinding.inOrder(linter.findings)
  }

  private mutating func lint() {
    checkSize()
    for duplicate in file.duplicates {
      find(
        .duplicateKey, at: duplicate.position, "the key `\(duplicate.path.words)` appears twice")
    }
    checkNames(file.value, at: [])
    var checker = ConfigurationChecker(form: file.form)
    if let wrapper {
      find(.wrapper, at: file.position(of: [.key(wrapper.key)]), message(wrapper))
      // The intended configuration is the content of the wrapper.
      checker.check(wrapper.value, against: specification.schema, at: [.key(wrapper.key)])
    } else {
      checker.check(file.value, against: specification.schema, at: [])
    }
    if checker.isCut {
      find(
        .tooMany, at: nil,
        "there are too many findings; the rest was not checked")
    }
    for finding in checker.findings {
      let position =
        finding.isOfValue ? file.position(ofValueAt: finding.path) : file.position(of: finding.path)
      findings.append(
        SpecificationFinding(
          finding.rule, finding.severity, file: file.file, at: position, finding.message,
          suggestion: finding.suggestion))
    }
  }

  // MARK: Size

  private mutating func checkSize() {
    if file.size > Self.maximumSize {
      find(.tooLarge, at: nil, "the configuration has \(file.size) bytes; the maximum is 1 MB")
    } else if file.size > Self.largeSize {
      find(
        .large, at: nil,
        "the configuration has \(file.size) bytes; it should have only a few kilobytes")
    }
  }

  // MARK: Wrapper

  /// The key that wraps the whole configuration by mistake: the app expects the wrapped keys at the top level. Nil if
  /// there is no such key.
  ///
  /// A documented example had a key named `configuration` (Apple developer forums, thread 791126).
  private var wrapper: ConfigurationValue.Entry? {
    let entries = file.value.entries ?? []
    let known = Set(specification.schema.knownProperties.map(\.name))
    return entries.first { entry in
      guard !known.contains(entry.key), let inner = entry.value.entries else { return false }
      let isNamedSo = entry.key.trimmed.lowercased() == "configuration"
      let holdsKnown = inner.contains { known.contains($0.key) }
      return holdsKnown && (entries.count == 1 || isNamedSo) || isNamedSo && entries.count == 1
    }
  }

  private func message(_ wrapper: ConfigurationValue.Entry) -> String {
    let known = Set(specification.schema.knownProperties.map(\.name))
    var seen: Set<String> = []
    let keys = (wrapper.value.entries ?? []).map(\.key)
      .filter { known.contains($0) && seen.insert($0).inserted }
      .prefix(3).map { "`\($0)`" }
    let looksFor = keys.isEmpty ? "its keys" : keys.joined(separator: ", ")
    let isAlone = (file.value.entries ?? []).allSatisfy { $0.key == wrapper.key }
    let subject = isAlone ? "everything is" : "keys are"
    return "\(subject) inside `\(wrapper.key)`, but the app looks for \(looksFor) at the top"
  }

  // MARK: Names

  /// Checks the names of all keys in a value, including keys that the specification does not define. The values are not
  /// compared with the schema.
  private mutating func checkNames(_ value: ConfigurationValue, at path: ListPath) {
    for (index, element) in (value.elements ?? []).enumerated() {
      checkNames(element, at: path + [.index(index)])
    }
    for entry in value.entries ?? [] {
      let path = path + [.key(entry.key)]
      checkWhiteSpace(entry.key, at: path)
      checkSecret(entry, at: path)
      if case .boolean = entry.value.kind, KeyWords(entry.key).areOfManagedSwitch {
        find(
          .managedSwitch, at: file.position(of: path),
          "`\(path.words)` appears to be a single switch for all managed behaviour")
      }
      checkNames(entry.value, at: path)
    }
  }

  private mutating func checkWhiteSpace(_ key: String, at path: ListPath) {
    let trimmed = key.trimmed
    guard key != trimmed else { return }
    find(
      .keyWhiteSpace, at: file.position(of: path), "the key `\(key)` is surrounded by white space",
      suggestion: trimmed.isEmpty ? nil : trimmed)
  }

  private mutating func checkSecret(_ entry: ConfigurationValue.Entry, at path: ListPath) {
    switch entry.value.kind {
    case .string(let text): guard !text.isEmpty else { return }
    case .data(let bytes): guard !bytes.isEmpty else { return }
    case .null, .boolean, .integer, .real, .date, .array, .dictionary: return
    }
    guard KeyWords(entry.key).areOfSecret else { return }
    let known = specification.passwords.map(\.identifier)
    let hint =
      known.isEmpty
      ? "" : "; the app looks up the passwords \(ConfigurationChecker.list(known))"
    find(
      .secret, at: file.position(of: path),
      "`\(path.words)` appears to be a secret\(hint)")
  }

  private mutating func find(
    _ rule: SpecificationRule, at position: Position?, _ message: String, suggestion: String? = nil
  ) {
    findings.append(
      SpecificationFinding(
        rule, file: file.file, at: position, message, suggestion: suggestion))
  }
}
