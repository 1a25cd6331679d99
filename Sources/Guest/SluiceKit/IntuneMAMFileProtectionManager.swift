internal import FileProtection
package import Wire

/// Gets and sets the owners of the app's files (`IntuneMAMFileProtectionManager` of the Intune App
/// SDK).
public final class IntuneMAMFileProtectionManager {
  private let host: any HostPort
  private let files: AppFiles
  private var copies = 0

  init(_ host: any HostPort, _ files: AppFiles) {
    self.host = host
    self.files = files
  }

  /// Makes an account the owner of a file.
  ///
  /// The file is then encrypted if the account's policy requires it, and plaintext otherwise. The task must be allowed
  /// to read the file. A failure leaves the file unchanged.
  ///
  /// - Parameter accountId: A UPN or an object id; `""` for no owner.
  public func protect(
    _ path: String, accountId: String, inGroup group: String? = nil,
    completion: @escaping (ProtectedFileError?) -> Void
  ) {
    protect(
      FileReference(path, group: group ?? ""), for: accountId, as: TaskContext.present,
      completion)
  }

  /// Makes an account the owner of a file. Does nothing if the account already owns the file, and the file already has
  /// the encryption state that the account's policy requires.
  public func verifyAndProtect(
    _ path: String, accountId: String, inGroup group: String? = nil,
    completion: @escaping (ProtectedFileError?) -> Void
  ) {
    let file = FileReference(path, group: group ?? "")
    let task = TaskContext.present
    host.request(.openFile(.question(about: file, ownedBy: accountId)), as: task) {
      [self] outcome in
      if let error = ProtectedFileError(outcome, path) { return completion(error) }
      if outcome.file?.isAsAsked == true { return completion(nil) }
      protect(file, for: accountId, as: task, completion)
    }
  }

  /// Requests the owner of a file. The result is nil if the file has no owner.
  public func protectionInfo(
    _ path: String, inGroup group: String? = nil,
    completion: @escaping (Result<FileOwner?, ProtectedFileError>) -> Void
  ) {
    host.request(.openFile(.question(about: FileReference(path, group: group ?? "")))) { outcome in
      completion(
        Result { () throws(ProtectedFileError) in FileOwner(try outcome.grant(for: path)) })
    }
  }

  /// Returns the owner of an item that was shared with an extension; nil if the item has no owner.
  ///
  /// - Throws: ``ItemProviderError/notLoaded`` if no representation of the item has been loaded.
  public func protectionInfo(
    forItemProvider provider: ItemProvider
  ) throws(ItemProviderError) -> FileOwner? {
    guard let item = provider.loaded else { throw .notLoaded }
    guard let tag = item.item.tag, !tag.ownerUPN.isEmpty else { return nil }
    return FileOwner(accountId: tag.ownerUPN, isManaged: tag.isManaged)
  }

  /// Copies the content to a new file that the account owns. The new file then replaces the old file.
  package func protect(
    _ file: FileReference, for accountId: String, as task: TaskContext?,
    _ completion: @escaping (ProtectedFileError?) -> Void
  ) {
    copies += 1
    let copy = FileReference(file.path + Array(".protecting-\(copies)".utf8), group: file.group)
    let (host, files) = (host, files)
    let discard: (ProtectedFileError) -> Void = { error in
      host.request(.removeFile(copy), as: task) { _ in completion(error) }
    }
    files.open(OpenFile(file, mode: .reading), as: task) { source in
      guard case .success(let source) = source else { return completion(source.failure) }
      let new = OpenFile(copy, mode: .truncating, owner: accountId)
      files.open(new, as: task, madeOf: [source.item]) { target in
        guard case .success(let target) = target else { return completion(target.failure) }
        if let error = Self.copy(source, to: target) { return discard(error) }
        host.request(.moveFile(copy, to: file), as: task) { outcome in
          if let error = ProtectedFileError(outcome, source.path) { return discard(error) }
          completion(nil)
        }
      }
    }
  }

  private static func copy(
    _ source: ProtectedFile, to target: ProtectedFile
  ) -> ProtectedFileError? {
    defer {
      source.close()
      target.close()
    }
    do throws(ProtectedFileError) {
      while case let bytes = try source.read(256 * 1024), !bytes.isEmpty { try target.write(bytes) }
      try target.sync()
      return nil
    } catch {
      return error
    }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

extension IntuneMAMFileProtectionManager {
  /// Returns whether a file is encrypted on disk, according to its header; false if it cannot be read.
  ///
  /// The host is not queried.
  public func isFileEncrypted(_ path: String, inGroup group: String? = nil) -> Bool {
    ProtectionHeader(ofFile: FileReference(path, group: group ?? "").place) != nil
  }
}
