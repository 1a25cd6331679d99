internal import ArgumentParser
internal import Diagnostics
internal import UniformTypes

/// Uniform types on a command line.
enum UniformTypeArgument {
  /// The types of each attachment in the value of `--item`: `,` stands between the types of an attachment, and `+`
  /// between attachments. A repeated `--item` is a further attachment of the same item.
  static func attachments(_ text: String) -> [[String]] {
    text.split(separator: "+", omittingEmptySubsequences: false).map { attachment in
      attachment.split(separator: ",").map { type in
        String(type.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      }
    }
  }

  /// Checks the types that `text` names.
  ///
  /// - Throws: `ValidationError` where `text` names none, or something that cannot be one.
  static func check(_ types: [String], of text: String) throws {
    if types.isEmpty {
      throw ValidationError("`\(text)` names no uniform type, such as `public.jpeg`")
    }
    for type in types where !TypeLibrary.isIdentifier(type) {
      throw ValidationError("`\(type)` is no uniform type, such as `public.jpeg`")
    }
  }

  /// The warnings about types that `library` does not declare: such an item conforms to nothing but its own type.
  static func warnings(about types: [String], in library: TypeLibrary) -> [String] {
    types.compactMap { type -> String? in
      let plain = IntuneTypeAlias.original(of: type) ?? type
      guard library.declaration(of: plain) == nil else { return nil }
      let ending = plain.split(separator: ".").last.map(String.init) ?? ""
      let meant =
        library.type(forFilenameExtension: ending)
        ?? NearestWord.to(plain, among: library.declarations.map(\.identifier))
      return Diagnostic(
        .command,
        "neither the system nor the app declares the type `\(plain)`" + Suggestion.text(meant),
        rule: "undeclaredType", severity: .warning
      ).description
    }
  }
}
