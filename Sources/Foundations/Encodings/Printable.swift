extension Unicode.Scalar {
  /// Whether a terminal shows the character and does nothing else: it is no control, ends no line or paragraph, and
  /// does not turn the direction of the text around it.
  ///
  /// Joiners, with which emoji and Persian words are composed, are printable; tags, with which the flags of a few
  /// regions are composed, are not.
  public var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    case .format: properties.isJoinControl
    default:  // open: any other category
      true
    }
  }
}

extension StringProtocol {
  /// The text with `replacement` in the place of each character that is not printable.
  public func printable(replacing replacement: Unicode.Scalar) -> String {
    guard !unicodeScalars.allSatisfy(\.isPrintable) else { return String(self) }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars { text.append(scalar.isPrintable ? scalar : replacement) }
    return String(text)
  }

  /// The text with each character that is not printable written `\u{1b}`.
  ///
  /// - Parameter kept: characters that stay as they are.
  public func escapingUnprintable(except kept: Set<Unicode.Scalar> = []) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isPrintable || kept.contains(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
  }
}
