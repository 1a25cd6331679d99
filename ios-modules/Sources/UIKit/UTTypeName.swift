internal import Foundation
internal import UniformTypeIdentifiers

enum UTTypeName {
  /// Returns the type of a file, derived from its extension.
  static func ofFile(_ url: URL) -> String {
    UTType(filenameExtension: url.pathExtension)?.identifier ?? UTType.data.identifier
  }
}
