/// A URL scheme in one of the list's arrays.
struct StatedScheme {
  /// The path of the scheme in the list.
  var path: ListPath
  /// The scheme as written.
  var text: String
  /// The scheme with variables replaced.
  var expanded: String

  static let twinSuffix = "-intunemam"

  /// The scheme in the form in which schemes are compared.
  var name: String { expanded.lowercased() }

  var twin: String { name + Self.twinSuffix }

  /// The scheme of which this one is the twin; nil where it is no twin.
  var original: String? {
    name.hasSuffix(Self.twinSuffix) ? String(name.dropLast(Self.twinSuffix.count)) : nil
  }

  /// The fault that keeps URLs from having the scheme; nil where there is none, and where a variable has no value.
  ///
  /// Source: RFC 3986, section 3.1.
  var fault: String? {
    guard BundleLinter.isResolved(expanded) else { return nil }
    guard let first = expanded.unicodeScalars.first else { return "is empty" }
    if !Self.isLetter(first) { return "does not begin with a letter" }
    let odd = expanded.unicodeScalars.first { scalar in
      !Self.isLetter(scalar) && !("0"..."9").contains(scalar)
        && !"+-.".unicodeScalars.contains(scalar)
    }
    return odd.map { "has `\($0)` in it" }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && scalar.properties.isAlphabetic
  }
}
