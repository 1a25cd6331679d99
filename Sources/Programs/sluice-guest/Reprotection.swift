internal import Glibc
internal import Model
internal import SluiceKit
internal import Wire

/// Protects the files of an account again, as an app has to when the account's policy asks for another storage.
struct Reprotection {
  private let accountId: String
  private let application: Application

  init(of accountId: String, in application: Application) {
    self.accountId = accountId
    self.application = application
  }

  /// Protects all files.
  ///
  /// - Parameter done: called when every file has been looked at.
  func run(_ done: @escaping () -> Void) { protect(Self.files(in: ".")[...], done) }

  /// Protects one file after the other: each takes a question and a copy.
  private func protect(_ paths: ArraySlice<String>, _ done: @escaping () -> Void) {
    guard let path = paths.first else { return done() }
    let rest = paths.dropFirst()
    application.fileProtectionManager.protectionInfo(path) { owner in
      guard case .success(let owner?) = owner, Account(upn: owner.accountId).isNamed(accountId)
      else {
        return protect(rest, done)
      }
      let task = TaskContext(thread: accountId)
      application.fileProtectionManager.protect(FileReference(path), for: accountId, as: task) {
        _ in protect(rest, done)
      }
    }
  }

  private static func files(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var files: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      let path = folder == "." ? name : "\(folder)/\(name)"
      files += entry.pointee.d_type == DT_DIR ? Self.files(in: path) : [path]
    }
    return files.sorted()
  }
}
