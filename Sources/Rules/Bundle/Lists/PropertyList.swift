internal import Diagnostics
package import JSON

/// A property list with a dictionary at its top, XML or binary, and the place of each value.
package struct PropertyList: Sendable {
  /// The file as the user named it.
  package let file: String
  /// The dictionary at the top.
  package let top: PropertyListValue
  /// The list's text; nil for a binary list.
  let text: ListText?
  /// The macros defined for the preprocessor; nil where the list was not preprocessed.
  let macros: [String: String]?
  /// The findings about oddities that Apple's reader accepts, and nobody means.
  package let findings: [BundleFinding]

  /// The maximum depth of nested dictionaries and arrays.
  static let maximumDepth = 64

  /// Reads a property list.
  ///
  /// - Parameter macros: The macros defined for Xcode's preprocessor; nil: the list is not preprocessed.
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

  /// Reads a list that others are given as it is, so that every reader reads the same in it.
  ///
  /// - Throws: ``BundleError`` where `bytes` are no property list, and for every oddity in it.
  package init(strictly bytes: [UInt8], file: String) throws(BundleError) {
    try self.init(bytes, file: file)
    guard let finding = findings.first else { return }
    var error = BundleError(
      file: file, line: finding.position?.line, column: finding.position?.column,
      message: finding.message)
    error.rule = finding.rule
    throw error
  }

  package var isBinary: Bool { text == nil }

  package var dictionary: PropertyListDictionary { top.dictionary ?? PropertyListDictionary() }

  /// The value of `key`; nil where the list lacks it.
  package subscript(key: String) -> PropertyListValue? { dictionary[key] }

  /// The value at `path`; nil where `path` leads nowhere.
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

  /// The place of the `<key>` of `path`, or of the array's element; for a path that leads nowhere, the place of the
  /// nearest value around it.
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

  /// The place of the value at `path`: its tag, or a place in a string's text.
  ///
  /// - Parameter offset: The offset of a byte in the string's UTF-8; nil for the value itself.
  /// - Returns: nil in a binary list, and where `path` leads nowhere.
  package func position(ofValueAt path: ListPath, offset: Int? = nil) -> Position? {
    guard let text, let value = value(at: path) else { return nil }
    let place = offset.flatMap { value.source(of: $0) }
    return text.position(of: place ?? value.range.lowerBound)
  }
}
