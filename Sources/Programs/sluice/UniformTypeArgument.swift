internal import ArgumentParser
internal import UniformTypes

/// Uniform types on a command line.
enum UniformTypeArgument {
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
}
