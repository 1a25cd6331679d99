internal import AppProcess
public import Foundation
internal import SluiceKit

extension NSItemProvider {
  /// Loads a representation.
  ///
  /// The form of content from another app depends on its type and name: text, URL, property list, file or data
  /// (``ItemForm``).
  ///
  /// - Parameter options: Ignored.
  public func loadItem(
    forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil,
    completionHandler: CompletionHandler? = nil
  ) {
    _ = fetch(typeIdentifier) { result, type in
      switch result {
      case .failure(let error): completionHandler?(nil, error)
      case .success(.object(let object)): completionHandler?(object, nil)
      case .success(.file(let url)): completionHandler?(NSURL(fileURLWithPath: url.path), nil)
      case .success(.item(let item)): Self.hand(item, type, completionHandler)
      }
    }
  }

  /// Loads a representation, like the method with a completion handler.
  ///
  /// - Throws: An error if the representation cannot be loaded.
  public func loadItem(
    forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil
  ) async throws -> any NSSecureCoding {
    let box: UncheckedBox<any NSSecureCoding> = try await withCheckedThrowingContinuation { done in
      loadItem(forTypeIdentifier: typeIdentifier, options: options) { object, error in
        if let object { return done.resume(returning: UncheckedBox(object)) }
        done.resume(throwing: error ?? Self.error(.unknownError, "nothing was loaded"))
      }
    }
    return box.value
  }

  private static func hand(_ item: Item, _ type: String, _ handler: CompletionHandler?) {
    let form = ItemForm(type: type, name: item.name)
    if let object = ItemCoercion.object(item.data, as: form) { return object.hand(to: handler) }
    guard form == .file else {
      return handler?(nil, error(.unavailableCoercionError, "the item is not of type `\(type)`"))
        ?? ()
    }
    writeFile(item, type) { path in
      guard let path else {
        return handler?(nil, error(.itemUnavailableError, "the file cannot be written")) ?? ()
      }
      handler?(NSURL(fileURLWithPath: ContainerFile.url(path).path), nil)
    }
  }

  /// Loads the bytes of a representation.
  @discardableResult
  public func loadDataRepresentation(
    forTypeIdentifier typeIdentifier: String,
    completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) -> Progress {
    fetch(typeIdentifier) { result, type in
      switch result {
      case .failure(let error): completionHandler(nil, error)
      case .success(let content):
        let data = content.data(type)
        completionHandler(
          data, data == nil ? Self.error(.unavailableCoercionError, "there are no bytes") : nil)
      }
    }
  }

  /// Loads a representation into a temporary file in the container. The file is deleted when the
  /// handler returns. If the representation is already a file of this app, the handler receives that file.
  @discardableResult
  public func loadFileRepresentation(
    forTypeIdentifier typeIdentifier: String,
    completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
  ) -> Progress {
    fetch(typeIdentifier) { [self] result, type in
      switch result {
      case .failure(let error): completionHandler(nil, error)
      case .success(.file(let url)): completionHandler(url, nil)
      case .success(let content):
        guard let item = content.item(type, name: suggestedName) else {
          return completionHandler(nil, Self.error(.unavailableCoercionError, "there are no bytes"))
        }
        Self.lend(item, type, completionHandler)
      }
    }
  }

  private static func lend(
    _ item: Item, _ type: String, _ handler: @escaping @Sendable (URL?, (any Error)?) -> Void
  ) {
    writeFile(item, type) { path in
      guard let path else {
        return handler(nil, error(.itemUnavailableError, "the file cannot be written"))
      }
      handler(ContainerFile.url(path), nil)
      AppProcess.current.tell { $0.removeFile(atPath: path) { _ in } }
    }
  }

  /// Writes an item to a temporary file.
  ///
  /// - Parameter done: Called on a background thread with the path; nil if the file cannot be
  ///   created.
  private static func writeFile(
    _ item: Item, _ type: String, _ done: @escaping @Sendable (String?) -> Void
  ) {
    AppProcess.current.tell { app in
      let name = TypeMatching.fileName(item.name, type: type)
      ContainerFile.write(item, named: name, in: "tmp", of: item.tag?.ownerUPN, app) { path in
        Callback.inBackground("NSItemProvider's completion handler") { done(path) }
      }
    }
  }
}

extension NSSecureCoding {
  fileprivate func hand(to handler: NSItemProvider.CompletionHandler?) { handler?(self, nil) }
}
