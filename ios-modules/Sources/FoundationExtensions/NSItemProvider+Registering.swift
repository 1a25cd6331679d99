public import Foundation
internal import UniformTypeIdentifiers

extension NSItemProvider {
  /// Registers a representation. The handler creates it each time it is loaded.
  public func registerItem(
    forTypeIdentifier typeIdentifier: String, loadHandler: @escaping LoadHandler
  ) {
    add(.item(loadHandler), for: typeIdentifier)
  }

  /// Registers a representation as data. The handler creates the data each time it is loaded.
  public func registerDataRepresentation(
    forTypeIdentifier typeIdentifier: String, visibility: NSItemProviderRepresentationVisibility,
    loadHandler:
      @escaping @Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) ->
      Progress?
  ) {
    add(.data(loadHandler), for: typeIdentifier)
  }

  /// Registers a representation as a file. The handler creates the file each time it is loaded.
  public func registerFileRepresentation(
    forTypeIdentifier typeIdentifier: String, fileOptions: NSItemProviderFileOptions = [],
    visibility: NSItemProviderRepresentationVisibility,
    loadHandler:
      @escaping @Sendable (@escaping @Sendable (URL?, Bool, (any Error)?) -> Void) ->
      Progress?
  ) {
    add(.fileHandler(loadHandler), for: typeIdentifier)
  }

  /// Registers an object's representations.
  public func registerObject(
    _ object: any NSItemProviderWriting, visibility: NSItemProviderRepresentationVisibility
  ) {
    let box = UncheckedBox(object)
    for type in object.writableTypeIdentifiersForItemProvider {
      add(
        .data {
          box.value.loadData(withTypeIdentifier: type, forItemProviderCompletionHandler: $0)
        },
        for: type)
    }
  }

  static func type(ofFile url: URL) -> String {
    UTType(filenameExtension: url.pathExtension)?.identifier ?? UTType.data.identifier
  }
}
