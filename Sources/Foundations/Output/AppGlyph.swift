/// The initial and the colour of an app's icon in pictures. Equal names have equal glyphs on all pages; the flow map
/// computes the same in `map.js`.
package struct AppGlyph: Sendable, Equatable {
  /// A letter or digit in upper case; `?` if the name has none.
  package let initial: String
  /// The hue in degrees.
  package let hue: Int

  /// - Parameter name: The name of an app, or its bundle id. The last part of a bundle id counts. Guests
  ///   such as `mail-1` and `mail-2` have the glyph of their app.
  package init(of name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isBundleID =
      parts.count > 1
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.unicodeScalars.allSatisfy {
            ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
              || $0 == "-" || $0 == "_"
          }
      }
    let last = isBundleID ? parts.last.map(String.init) ?? name : name
    initial = last.first { $0.isLetter || $0.isNumber }.map { $0.uppercased() } ?? "?"
    var base = Substring(last)
    let digits = base.reversed().prefix { ("0"..."9").contains($0) }.count
    if digits > 0 {
      base = base.dropLast(digits)
      if base.hasSuffix("-") { base = base.dropLast() }
    }
    hue = base.lowercased().unicodeScalars.reduce(0) { ($0 * 31 + Int($1.value)) % 360 }
  }
}
