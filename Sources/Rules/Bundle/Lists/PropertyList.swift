internal import Diagnostics
package import JSON

/// A property list with a dictionary at its top, XML or binary, and where each value stands.
package struct PropertyList: Sendable {
  /// As the user named it.
  package let file: String
  /// The dictionary at the top.
  package let top: PropertyListValue
  /// nil for a binary list.
  let text: ListText?
  /// What is defined for the preprocessor; nil where the list was not preprocessed.
  let macros: [String: String]?
  /// What Apple's reader takes, and nobody means.
  package let findings: [BundleFinding]

  /// How deep dictionaries and arrays may nest.
  static let maximumDepth = 64

  /// - Parameter macros: what is defined for Xcode's preprocessor; nil: it is not asked.
  /// - Throws: ``BundleError`` where `bytes` are no property list, or not a dictionary.
  package init(
    _ bytes: [UInt8], file: String, macros: [String: String]? = nil
  ) throws(BundleError) {
    self.file = file
    self.macros = macros
    if bytes.starts(with: BinaryListReader.signature) {
      text = nil
      (top, findings) = try BinaryListReader.read(bytes, file: file)
    } else {
      let text = try ListText(bytes, file: file)
      let (source, remarks) = try ListPreprocessor.source(of: text, macros: macros, file: file)
      try text.checkForm(of: source, file: file)
      let (value, oddities) = try XMLListReader.read(text, source: source, file: file)
      self.text = text
      top = value
      findings = remarks + oddities
    }
    guard top.dictionary != nil else {
      throw BundleError(file: file, message: "expected a dictionary at the top")
    }
  }

  /// A list that somebody else is given as it is, so that each is to read the same in it.
  ///
  /// - Throws: ``BundleError`` for what is odd in it as well.
  package init(strictly bytes: [UInt8], file: String) throws(BundleError) {
    try self.init(bytes, file: file)
    guard let finding = findings.first else { return }
    throw BundleError(
      file: file, line: finding.position?.line, column: finding.position?.column,
      message: finding.message)
  }

  package var isBinary: Bool { text == nil }

  package var dictionary: PropertyListDictionary { top.dictionary ?? PropertyListDictionary() }

  /// nil where the list lacks `key`.
  package subscript(key: String) -> PropertyListValue? { dictionary[key] }

  /// nil where `path` leads nowhere.
  package func value(at path: ListPath) -> PropertyListValue? {
    var value = top
    for step in path {
      switch step {
      case .key(let key):
        guard let next = value.dictionary?[key] else { return nil }
        value = next
      case .index(let index):
        guard let elements = value.array, elements.indices.contains(index) else { return nil }
        value = elements[index]
      }
    }
    return value
  }

  /// Where the `<key>` of `path` stands, or the array's element; of a path that leads nowhere, the
  /// nearest that there is around it.
  ///
  /// - Returns: nil in a binary list, which has no lines.
  package func position(of path: ListPath) -> Position? {
    guard let text else { return nil }
    var path = path[...]
    while let step = path.popLast() {
      guard let parent = value(at: Array(path)) else { continue }
      switch step {
      case .key(let key):
        if let entry = parent.dictionary?.entry(key) {
          return text.position(of: entry.keyRange.lowerBound)
        }
      case .index(let index):
        if let elements = parent.array, elements.indices.contains(index) {
          return text.position(of: elements[index].range.lowerBound)
        }
      }
    }
    return text.position(of: top.range.lowerBound)
  }

  /// Where the value of `path` stands: its tag, or a place in a string's text.
  ///
  /// - Parameter offset: of a byte in the string's UTF-8; nil for the value itself.
  /// - Returns: nil in a binary list, and where `path` leads nowhere.
  package func position(ofValueAt path: ListPath, offset: Int? = nil) -> Position? {
    guard let text, let value = value(at: path) else { return nil }
    let place = offset.flatMap { value.source(of: $0) }
    return text.position(of: place ?? value.range.lowerBound)
  }
}
