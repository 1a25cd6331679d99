internal import Model
internal import SluiceKit

/// Files of the containers, and data that carries its owner. For a file that is not available the answer is nil and an
/// error as a value.
extension ScriptWork {
  func useFiles() throws(ScriptMisuse) {
    switch call {
    case .list: return try list()
    case .read:
      return try open(.reading) { file throws(ProtectedFileError) in .bytes(try file.contents()) }
    case .write, .append: return try write()
    case .info:
      let path = try arguments.text(0)
      let group = try group(1)
      return scoped {
        application.fileProtectionManager.protectionInfo(path, inGroup: group) { result in
          switch result {
          case .success(let owner): answer([.owner(owner)])
          case .failure(let error): answer([.nothing, .error(error)])
          }
        }
      }
    default: break
    }
    let path = try arguments.text(0)
    if call == .remove {
      let group = try group(1)
      return scoped { application.removeFile(atPath: path, inGroup: group, completion: finish) }
    }
    let second = try arguments.text(1)
    let group = try group(2)
    scoped {
      switch call {
      case .move:
        application.moveFile(atPath: path, toPath: second, inGroup: group, completion: finish)
      case .protect:
        application.fileProtectionManager.protect(
          path, accountId: second, inGroup: group, completion: finish)
      default:
        application.fileProtectionManager.verifyAndProtect(
          path, accountId: second, inGroup: group, completion: finish)
      }
    }
  }

  private func finish(_ error: ProtectedFileError?) {
    answer(error.map { [.nothing, .error($0)] } ?? [.boolean(true)])
  }

  /// Reads `{ group = … }`, the app group whose container is meant; nil for the own container.
  private func group(_ index: Int) throws(ScriptMisuse) -> String? {
    let options = try arguments.options(index)
    try options.only("group")
    return try options.text(orNothing: "group")
  }

  private func write() throws(ScriptMisuse) {
    let bytes = try arguments.bytes(1)
    let isAppending = call == .append
    try open(isAppending ? .creating : .truncating, options: 2) {
      file throws(ProtectedFileError) in
      try file.pwrite(bytes, at: isAppending ? file.size() : 0)
      return .boolean(true)
    }
  }

  private func open(
    _ access: Application.FileAccess, options: Int = 1,
    _ body: @escaping (ProtectedFile) throws(ProtectedFileError) -> ScriptValue
  ) throws(ScriptMisuse) {
    let path = try arguments.text(0)
    let group = try group(options)
    scoped {
      application.openFile(atPath: path, for: access, inGroup: group) { result in
        do throws(ProtectedFileError) {
          let file = try result.get()
          defer { file.close() }
          answer([try body(file)])
        } catch {
          answer([.nothing, .error(error)])
        }
      }
    }
  }

  private func list() throws(ScriptMisuse) {
    let folder = try arguments.text(orNothing: 0) ?? "."
    let group = try group(1)
    scoped {
      application.listFolder(atPath: folder, inGroup: group) { result in
        switch result {
        case .success(let names): answer([.list(names.map { .text($0) })])
        case .failure(let error): answer([.nothing, .error(error)])
        }
      }
    }
  }

  // MARK: data

  func useData() throws(ScriptMisuse) {
    let bytes = try arguments.bytes(0)
    let data = application.dataProtectionManager
    switch call {
    case .protectData:
      let account = try arguments.text(1)
      scoped { data.protect(bytes, accountId: account, completion: finish) }
    case .unprotectData: scoped { data.unprotect(bytes, completion: finish) }
    default: answer([.text(orNothing: data.protectionInfo(bytes))])
    }
  }

  private func finish(_ result: Result<[UInt8], ProtectedFileError>) {
    switch result {
    case .success(let bytes): answer([.bytes(bytes)])
    case .failure(let error): answer([.nothing, .error(error)])
    }
  }
}
