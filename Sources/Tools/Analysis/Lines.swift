extension [String] {
  /// The lines as text that ends with a line break. Control characters, with which a policy's names could affect a
  /// terminal, become U+FFFD.
  package var joinedLines: String {
    map(\.withoutControls).joined(separator: "\n") + "\n"
  }
}

extension String {
  fileprivate var withoutControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar.isControl ? "\u{FFFD}" : scalar) }
    return String(scalars)
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
