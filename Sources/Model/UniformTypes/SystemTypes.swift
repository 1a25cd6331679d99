/// The types that iOS and macOS declare, as facts: identifiers, the types they conform to, tags.
///
/// The tables have a line `identifier < supertype …` for each type; indented lines below it hold its
/// tags, file name extensions with a dot before them and MIME types, preferred ones first. Of two types
/// with one tag the first is meant unless a supertype is asked for.
///
/// Source: Apple's System-Declared Uniform Type Identifiers, the headers `UTCoreTypes.h` and
/// `UniformTypeIdentifiers`, and the declarations of the systems themselves. Left out are types that
/// no item has: devices, icons, categories of apps.
enum SystemTypes {
  static let declarations: [TypeDeclaration] = [
    abstract, text, sourceCode, images, audiovisual, documents, system, office, archives, places,
    bundles,
  ].flatMap(declarations(in:))

  private static func declarations(in table: String) -> [TypeDeclaration] {
    var declarations: [TypeDeclaration] = []
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ")
      if line.hasPrefix(" "), !declarations.isEmpty {
        add(words, to: &declarations[declarations.count - 1])
      } else if let identifier = words.first {
        declarations.append(
          TypeDeclaration(
            identifier: String(identifier), conformsTo: words.dropFirst(2).map(String.init),
            origin: .system))
      }
    }
    return declarations
  }

  private static func add(_ tags: [Substring], to declaration: inout TypeDeclaration) {
    for tag in tags {
      if tag.hasPrefix(".") {
        declaration.filenameExtensions.append(String(tag.dropFirst()))
      } else {
        declaration.mimeTypes.append(String(tag))
      }
    }
  }
}
