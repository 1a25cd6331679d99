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
  func run(_ done: @escaping () -> Void) { protect(OwnFiles.paths()[...], done) }

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
}
