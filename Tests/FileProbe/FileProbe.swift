internal import Glibc
internal import SluiceKit

/// An app that makes every call about files, data and identities as an account when `probe:UPN` is
/// opened. It stores the deviations in the file `report` of its container, or `ok` if there are
/// none.
final class FileProbe: ApplicationDelegate {
  private var failures: [String] = []
  private var account = ""

  func application(_ application: Application, open url: String, from sender: String) {
    account = String(url.dropFirst("probe:".count))
    let steps: [(Application, @escaping () -> Void) -> Void] = [
      wholeFile, owners, movesAndRemoves, groups, data, strings, identities,
    ]
    run(steps[...], application)
  }

  private func run(
    _ steps: ArraySlice<(Application, @escaping () -> Void) -> Void>, _ application: Application
  ) {
    guard let step = steps.first else { return report() }
    step(application) { [self] in run(steps.dropFirst(), application) }
  }

  private func report() {
    guard let file = fopen("report.part", "w") else { return }
    fputs(failures.isEmpty ? "ok" : failures.joined(separator: "\n"), file)
    fclose(file)
    rename("report.part", "report")
  }

  private func expect(_ holds: Bool, _ what: String) {
    if !holds { failures.append(what) }
  }

  /// Calls `body` with the value. A failure is a deviation.
  private func take<Value>(
    _ result: Result<Value, ProtectedFileError>, _ what: String, _ body: (Value) -> Void
  ) {
    switch result {
    case .success(let value): body(value)
    case .failure(let error): failures.append("\(what): \(error)")
    }
  }

  private func asAccount(_ body: () -> Void) {
    IntuneMAMSwiftContextManager.setAccountId(account, forScope: body)
  }

  // MARK: Files

  private func wholeFile(_ application: Application, _ done: @escaping () -> Void) {
    asAccount {
      application.openFile(atPath: "Documents/whole", for: .truncating) { [self] file in
        take(file, "truncating") { file in work(on: file) }
        asAccount {
          application.openFile(atPath: "Documents/whole", for: .reading) { [self] file in
            take(file, "reading") { file in reread(file) }
            done()
          }
        }
      }
    }
  }

  /// Offsets refer to the plain text, across the stored chunks.
  private func work(on file: ProtectedFile) {
    do throws(ProtectedFileError) {
      let much = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
      try file.write(much)
      expect(file.offset == 10_000, "the offset after writing")
      expect(try file.size() == 10_000, "the size after writing")
      file.seek(to: 4_090)
      expect(try file.read(12) == Array(much[4_090..<4_102]), "reading across pieces")
      try file.pwrite([1, 2, 3], at: 4_095)
      expect(try file.pread(5, at: 4_094) == [much[4_094], 1, 2, 3, much[4_098]], "overwriting")
      try file.truncate(to: 5_000)
      expect(try file.size() == 5_000, "the size after truncating")
      expect(try file.pread(10, at: 4_995).count == 5, "reading up to the end")
      expect(try file.pread(10, at: 6_000).isEmpty, "reading behind the end")
      try file.pwrite([9], at: 9_000)
      expect(try file.pread(3, at: 8_998) == [0, 0, 9], "a gap of zeros")
      try file.sync()
      file.close()
    } catch {
      failures.append("\(error)")
    }
  }

  private func reread(_ file: ProtectedFile) {
    do throws(ProtectedFileError) {
      let bytes = try file.contents()
      expect(
        bytes.count == 9_001 && bytes[4_096] == 2 && bytes[9_000] == 9,
        "the content after it was written again")
    } catch {
      failures.append("\(error)")
    }
  }

  private func owners(_ application: Application, _ done: @escaping () -> Void) {
    let protection = application.fileProtectionManager
    let path = "Documents/whole"
    protection.protectionInfo(path) { [self] info in
      take(info, "protectionInfo") { expect($0?.accountId == account, "the owner") }
      asAccount {
        protection.verifyAndProtect(path, accountId: account) { [self] error in
          expect(error == nil, "verifyAndProtect")
          asAccount {
            protection.protect(path, accountId: "") { [self] error in
              expect(error == nil, "protect without an owner")
              protection.protectionInfo(path) { [self] info in
                take(info, "protectionInfo") {
                  expect($0 == nil, "an owner of an unprotected file")
                }
                protection.protectionInfo("missing") { [self] info in
                  if case .failure(let error) = info {
                    expect(error.code == .fileNotFound, "the code of a missing file")
                  } else {
                    failures.append("a missing file has an owner")
                  }
                  done()
                }
              }
            }
          }
        }
      }
    }
  }

  private func movesAndRemoves(_ application: Application, _ done: @escaping () -> Void) {
    application.moveFile(atPath: "Documents/whole", toPath: "moved") { [self] error in
      expect(error == nil, "moveFile")
      application.openFile(atPath: "moved", for: .updating) { [self] file in
        take(file, "updating") { expect(!$0.isEncrypted && $0.owner == nil, "a plain file") }
        application.removeFile(atPath: "moved") { [self] error in
          expect(error == nil, "removeFile")
          application.openFile(atPath: "moved", for: .updating) { [self] file in
            if case .success = file { failures.append("a removed file opens") }
            done()
          }
        }
      }
    }
  }

  private func groups(_ application: Application, _ done: @escaping () -> Void) {
    let group = "group.com.example.probe"
    asAccount {
      application.openFile(atPath: "shared", for: .creating, inGroup: group) { [self] file in
        take(file, "creating in a group") {
          try? $0.write([1])
          expect($0.owner?.accountId == account, "the owner in a group")
        }
        application.openFile(atPath: "shared", for: .reading, inGroup: "group.other") {
          [self] file in
          if case .success = file { failures.append("another publisher's group opens") }
          done()
        }
      }
    }
  }

  // MARK: Data

  private func data(_ application: Application, _ done: @escaping () -> Void) {
    let protection = application.dataProtectionManager
    let plain = Array("secret".utf8)
    protection.protect(plain, accountId: account) { [self] result in
      guard case .success(let protected) = result else {
        failures.append("protect: \(result)")
        return done()
      }
      expect(protected != plain, "protected data")
      expect(protection.protectionInfo(protected) == account, "the owner of data")
      expect(protection.protectionInfo(plain) == nil, "the owner of plain data")
      asAccount {
        protection.unprotect(protected) { [self] result in
          take(result, "unprotect") { expect($0 == plain, "unprotected data") }
          protection.unprotect(plain) { [self] result in
            take(result, "unprotect") { expect($0 == plain, "plain data unprotected") }
            protection.protect([], accountId: account) { [self] result in
              if case .success = result { failures.append("no data is protected") }
              done()
            }
          }
        }
      }
    }
  }

  private func strings(_ application: Application, _ done: @escaping () -> Void) {
    let protection = application.dataProtectionManager
    protection.protectString("geheim, é", accountId: account) { [self] result in
      guard case .success(let text) = result else {
        failures.append("protectString: \(result)")
        return done()
      }
      expect(text.utf8.count % 4 == 0 && !text.contains("geheim"), "protected text")
      asAccount {
        protection.unprotectString(text) { [self] result in
          take(result, "unprotectString") { expect($0 == "geheim, é", "unprotected text") }
          protection.unprotectString("plain") { [self] result in
            take(result, "unprotectString") { expect($0 == "plain", "plain text unprotected") }
            done()
          }
        }
      }
    }
  }

  // MARK: Identities

  private func identities(_ application: Application, _ done: @escaping () -> Void) {
    let manager = application.policyManager
    expect(manager.getUIPolicyAccountId() == nil, "an identity before any was set")
    manager.setUIPolicyAccountId(account.uppercased(), forWindow: "two") { [self] result in
      expect(result == .success, "setUIPolicyAccountId: \(result)")
      expect(manager.getUIPolicyAccountId(forWindow: "two") == account, "the window's identity")
      expect(manager.getUIPolicyAccountId() == nil, "another window's identity")
      manager.setProcessAccountId(account) { [self] result in
        expect(result == .success, "setProcessAccountId: \(result)")
        expect(manager.getProcessAccountId() == account, "the process's identity")
        manager.setUIPolicyAccountId("nobody@example.org") { [self] result in
          expect(result == .notAllowed, "an account that is not signed in: \(result)")
          IntuneMAMSwiftContextManager.setAccountId("") {
            manager.setUIPolicyAccountId(account) { [self] result in
              expect(result == .notAllowed, "a thread that acts for another: \(result)")
              done()
            }
          }
        }
      }
    }
  }
}
