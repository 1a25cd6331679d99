import Foundation
import Model
import Testing
import Wire

@testable import SluiceKit

/// Tests temporary files, and documents left by an Open-In action, with a host in memory.
struct AppFilesTests {
  private let host = MemoryHost()

  @Test func `an app's temporary file is removed if the device refuses to create it`() {
    let files = AppFiles(host)
    var made: [Bool] = []
    for name in ["a.txt", "b.txt"] {
      files.withTemporaryFile([1], named: name, owner: "anna@contoso.com") {
        made.append($0 != nil)
      }
    }
    let opened = ["tmp/1-a.txt", "tmp/2-b.txt"].map {
      GuestMessage.Body.openFile(
        OpenFile(FileReference($0), mode: .truncating, owner: "anna@contoso.com"))
    }
    #expect(host.requests == opened)
    host.answer(2, .refused)
    #expect(made == [false])
    #expect(host.requests.last == .removeFile(FileReference("tmp/2-b.txt")))
  }

  @Test func `listing an unreadable folder fails once the host has answered`() {
    let files = AppFiles(host)
    var failure: ProtectedFileError?
    files.list(FileReference("../elsewhere")) {
      if case .failure(let error) = $0 { failure = error }
    }
    #expect(failure == nil)
    host.answer(1, .undeliverable)
    #expect(failure?.code == .internal)
  }

  @Test(arguments: [RequestEnd.refused, .failed])
  func `the encrypted copy of a file is removed if it cannot replace the file`(end: RequestEnd)
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("a.txt").path
    let copy = path + ".protecting-1"
    for name in [path, copy] { try Data([1]).write(to: URL(fileURLWithPath: name)) }
    var results: [ProtectedFileError?] = []
    IntuneMAMFileProtectionManager(host, AppFiles(host)).protect(
      path, accountId: "anna@contoso.com"
    ) { results.append($0) }
    for number in [1, 2] as [UInt64] { host.answer(number, .delivered, file: FileGrant()) }
    host.answer(3, end)
    #expect(host.requests.last == .removeFile(FileReference(copy)))
    #expect(results.isEmpty)
    host.answer(4, .delivered)
    let code: ProtectedFileError.Code = end == .refused ? .identityNotManaged : .internal
    #expect(results.map { $0?.code } == [code])
  }

  @Test func `opening a file or reading its owner fails if the answer has no grant`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("a.txt").path
    try Data([1]).write(to: URL(fileURLWithPath: path))
    let files = AppFiles(host)
    var failures: [ProtectedFileError.Code] = []
    files.open(OpenFile(FileReference(path), mode: .reading), as: nil) {
      if case .failure(let error) = $0 { failures.append(error.code) }
    }
    IntuneMAMFileProtectionManager(host, files).protectionInfo(path) {
      if case .failure(let error) = $0 { failures.append(error.code) }
    }
    for number in [1, 2] as [UInt64] { host.answer(number, .delivered) }
    #expect(failures == [.internal, .internal])
  }

  // MARK: Documents

  @Test func `an opened document is acknowledged once it is in the inbox`() throws {
    let inbox = DocumentInbox(host)
    let handover = try #require(OpenInHandover(Self.url))
    var taken: OpenedDocument?
    inbox.accept(handover) { [host] in
      taken = try? $0.get()
      #expect(host.postponed == 1)
    }
    #expect(host.postponed == 1)
    let source = FileReference("Open-In/1-a.txt", group: "g")
    #expect(
      host.requests == [.moveFile(source, to: FileReference("Documents/Inbox/a.txt"))])
    host.answer(1, .delivered)
    #expect(host.postponed == 0)
    #expect(taken?.path == "Documents/Inbox/a.txt")
    #expect(taken?.name == "a.txt")
  }

  @Test func `simultaneous documents with the same name get separate paths`() throws {
    let inbox = DocumentInbox(host)
    let handover = try #require(OpenInHandover(Self.url))
    for _ in 0..<2 { inbox.accept(handover) { _ in } }
    let source = FileReference("Open-In/1-a.txt", group: "g")
    let moves = ["a.txt", "a-2.txt"].map {
      GuestMessage.Body.moveFile(source, to: FileReference("Documents/Inbox/\($0)"))
    }
    #expect(host.requests == moves)
    host.answer(1, .undeliverable)
    inbox.accept(handover) { _ in }
    #expect(host.requests.last == moves.first)
  }

  @Test func `a document that cannot be moved to the inbox is not opened`() throws {
    let inbox = DocumentInbox(host)
    let handover = try #require(OpenInHandover(Self.url))
    var error: ProtectedFileError?
    inbox.accept(handover) { if case .failure(let why) = $0 { error = why } }
    host.answer(1, .undeliverable)
    #expect(error?.description == "`Open-In/1-a.txt` is not available")
    #expect(host.postponed == 0)
  }

  @Test(
    arguments: [
      (102, ProtectedFileError.Code.encryptFailed), (103, .decryptFailed), (104, .fileNotFound),
      (105, .isFolder), (107, .internal), (0, .internal),
    ])
  func `a failed file request has the error code of the device's status`(
    status: Int, code: ProtectedFileError.Code
  ) {
    let outcome = RequestOutcome(verdict: .allowed, end: .failed, status: status)
    #expect(ProtectedFileError(outcome, "a.txt")?.code == code)
  }

  private static let url =
    "contoso-intunemam://open-in?group=g&file=Open-In/1-a.txt&name=a.txt&type=public.text"
}
