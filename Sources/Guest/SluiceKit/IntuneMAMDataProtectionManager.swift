internal import Encodings
internal import FileProtection
internal import Model
package import Wire

/// Protects data outside files (`IntuneMAMDataProtectionManager` of the Intune App SDK).
///
/// Data of a managed account is encrypted. Data of an unmanaged account stays readable
/// and is tagged with its owner.
public final class IntuneMAMDataProtectionManager {
  private let host: any HostPort

  init(_ host: any HostPort) { self.host = host }

  /// Protects data for an account.
  ///
  /// - Parameters:
  ///   - data: The data, not empty.
  ///   - accountId: A UPN or an object id. It must not be `""`, because data without an owner needs
  ///     no protection.
  public func protect(
    _ data: [UInt8], accountId: String,
    completion: @escaping (Result<[UInt8], ProtectedFileError>) -> Void
  ) {
    guard !data.isEmpty else { return completion(.failure(.noData)) }
    guard !accountId.isEmpty else {
      return completion(
        .failure(ProtectedFileError(.invalidArguments, "the account's name is empty")))
    }
    host.request(.protectData(account: accountId)) { outcome in
      completion(Self.protected(data, outcome))
    }
  }

  private static func protected(
    _ data: [UInt8], _ outcome: RequestOutcome
  ) -> Result<[UInt8], ProtectedFileError> {
    if let error = ProtectedFileError(outcome, "the data") { return .failure(error) }
    guard let grant = outcome.file, let owner = grant.account else {
      return .failure(ProtectedFileError(.internal, "the host's answer has no owner"))
    }
    guard !grant.key.isEmpty else { return .success(ProtectedData.mark(data, owner: owner)) }
    do throws(FileProtectionError) {
      let header = try ProtectionHeader(grant.header)
      return .success(ProtectedData.protect(data, header: header, key: FileKey(grant.key)))
    } catch {
      return .failure(ProtectedFileError(error))
    }
  }

  /// Restores protected data. Unprotected data is returned unchanged.
  public func unprotect(
    _ data: [UInt8], completion: @escaping (Result<[UInt8], ProtectedFileError>) -> Void
  ) {
    unprotect(data, as: TaskContext.present, completion: completion)
  }

  package func unprotect(
    _ data: [UInt8], as task: TaskContext?,
    completion: @escaping (Result<[UInt8], ProtectedFileError>) -> Void
  ) {
    do throws(FileProtectionError) {
      guard case .encrypted(let header, _) = try ProtectedData.kind(of: data) else {
        return completion(.success(try ProtectedData.unprotect(data, key: .random())))
      }
      host.request(.unprotectData(header: header.bytes), as: task) { outcome in
        completion(Self.unprotected(data, outcome))
      }
    } catch {
      completion(.failure(ProtectedFileError(error)))
    }
  }

  private static func unprotected(
    _ data: [UInt8], _ outcome: RequestOutcome
  ) -> Result<[UInt8], ProtectedFileError> {
    if let error = ProtectedFileError(outcome, "the data") { return .failure(error) }
    guard let grant = outcome.file, !grant.key.isEmpty else {
      return .failure(ProtectedFileError(.decryptFailed, "the host provides no key"))
    }
    do throws(FileProtectionError) {
      return .success(try ProtectedData.unprotect(data, key: FileKey(grant.key)))
    } catch {
      return .failure(ProtectedFileError(error))
    }
  }

  /// Protects text like ``protect(_:accountId:completion:)``. The result is Base64.
  public func protectString(
    _ text: String, accountId: String,
    completion: @escaping (Result<String, ProtectedFileError>) -> Void
  ) {
    protect(Array(text.utf8), accountId: accountId) { completion($0.map { Base64.text($0) }) }
  }

  /// Restores protected text. Unprotected text is returned unchanged.
  public func unprotectString(
    _ text: String, completion: @escaping (Result<String, ProtectedFileError>) -> Void
  ) {
    guard let data = Base64.bytes(text), !Self.isPlain(data) else {
      return completion(.success(text))
    }
    unprotect(data) { completion($0.map { String(decoding: $0, as: UTF8.self) }) }
  }

  /// Returns the owner's UPN from the protected data, without verifying it; nil if the data is unprotected or
  /// malformed.
  public func protectionInfo(_ data: [UInt8]) -> String? {
    switch try? ProtectedData.kind(of: data) {
    case .marked(let owner, _): owner.upn
    case .encrypted(let header, _): header.owner.upn
    case .plain, nil: nil
    }
  }

  /// Returns the owner of an incoming item; nil if unknown.
  public func protectionInfo(forItemProvider item: ReceivedItem) -> FileOwner? {
    guard let tag = item.item.tag, !tag.ownerUPN.isEmpty else { return nil }
    return FileOwner(accountId: tag.ownerUPN, isManaged: tag.isManaged)
  }

  private static func isPlain(_ data: [UInt8]) -> Bool {
    if case .plain? = try? ProtectedData.kind(of: data) { true } else { false }
  }
}

extension ProtectedFileError {
  fileprivate static let noData = ProtectedFileError(.emptyData, "there is no data to protect")
}

extension FileGrant {
  /// The owner's account; nil if there is no owner.
  fileprivate var account: Account? {
    Account(ownerUPN: ownerUPN, ownerObjectID: ownerObjectID, ownerTenantID: ownerTenantID)
  }
}
