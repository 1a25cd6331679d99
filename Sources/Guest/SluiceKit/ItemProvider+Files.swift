internal import Model

extension ItemProvider {
  /// Loads a representation into a file of the app's own container, which is there until `completion` returns; the
  /// account that owns the item owns the file.
  ///
  /// - Parameter completion: gets the file, open for reading; what it asks for to move it away is served before the
  ///   file goes.
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
  /// Relative to the container.
  public let path: String
  /// Open for reading.
  public let file: ProtectedFile
}

extension ReceivedItem {
  /// The bytes, where this app may read them.
  func readableBytes(_ type: String) -> Result<[UInt8], ItemProviderError> {
    guard !isEncrypted else { return .failure(.unavailable(type)) }
    switch item.payload {
    case .inline(let bytes): return .success(bytes)
    }
  }

  /// A name that leads nowhere else.
  fileprivate var fileName: String {
    let name = (item.name ?? "item").split(separator: "/").last.map(String.init) ?? "item"
    return name == "." || name == ".." ? "item" : name
  }
}
