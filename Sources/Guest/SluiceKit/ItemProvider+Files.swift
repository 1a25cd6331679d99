internal import Model

extension ItemProvider {
  /// Loads a representation into a file of the app's own container, which is there until `completion` returns; the
  /// account that owns the item owns the file.
  ///
  /// - Parameter completion: gets the file, open for reading; requests in it to move the file are served before the
  ///   file is removed.
  @discardableResult
  public func loadFileRepresentation(
    forTypeIdentifier type: String, in application: Application,
    completion: @escaping (Result<LoadedFile, ItemProviderError>) -> Void
  ) -> LoadProgress {
    loadItem(forTypeIdentifier: type) { result in
      switch result {
      case .failure(let error): completion(.failure(error))
      case .success(let item):
        switch item.readableBytes(type) {
        case .failure(let error): completion(.failure(error))
        case .success(let bytes):
          application.files.withTemporaryFile(
            bytes, named: item.fileName, owner: item.item.tag?.ownerUPN ?? ""
          ) { file in
            completion(file.map { .success($0) } ?? .failure(.unavailable(type)))
          }
        }
      }
    }
  }
}

/// A representation in a file.
public struct LoadedFile {
  /// The path relative to the container.
  public let path: String
  /// The file, open for reading.
  public let file: ProtectedFile
}

extension ReceivedItem {
  /// The bytes in the representation `type`, where this app may read them.
  func readableBytes(_ type: String) -> Result<[UInt8], ItemProviderError> {
    isEncrypted ? .failure(.unavailable(type)) : .success(item.bytes)
  }

  /// The file's name: the item's name without any folder.
  fileprivate var fileName: String {
    let name = (item.name ?? "item").split(separator: "/").last.map(String.init) ?? "item"
    return name == "." || name == ".." ? "item" : name
  }
}
