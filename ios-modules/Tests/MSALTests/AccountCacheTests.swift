import Foundation
import Testing

@testable import MSAL

@Suite struct AccountCacheTests {
  private let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("msal-\(UUID())/Library/MSAL/accounts.json")

  @Test func `an account stored by one account cache is read by the next`() throws {
    try AccountCache(file: file).change { $0.add(Sample.record()) }
    let accounts = try AccountCache(file: file).read().accounts(of: "client")
    #expect(accounts == [Sample.record()])
  }

  @Test func `a missing account cache file counts as a cache without accounts`() throws {
    #expect(try AccountCache(file: file).read() == CachedAccounts())
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `a change without effect does not write the account cache file`() throws {
    try AccountCache(file: file).change { $0.remove("nobody", of: "client") }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `an unreadable account cache file is an error`() throws {
    try AccountCache(file: file).change { $0.add(Sample.record()) }
    try Data("{".utf8).write(to: file)
    #expect(throws: Failure.self) { try AccountCache(file: file).read() }
  }

  @Test func `adding the same account twice stores it once`() {
    var accounts = CachedAccounts()
    accounts.add(Sample.record())
    accounts.add(Sample.record())
    #expect(accounts.accounts.count == 1)
  }

  @Test func `removing an account from one MSAL client keeps the account of another client`() {
    var accounts = CachedAccounts()
    accounts.add(Sample.record(client: "one"))
    accounts.add(Sample.record(client: "two"))
    accounts.remove(Sample.record().claims.homeAccountId, of: "one")
    #expect(accounts.accounts(of: "one").isEmpty)
    #expect(accounts.accounts(of: "two").count == 1)
  }

  @Test func `a wipe removes an account from all clients`() {
    var accounts = CachedAccounts()
    accounts.add(Sample.record(client: "one"))
    accounts.add(Sample.record(client: "two"))
    accounts.add(Sample.record(of: "bob@contoso.com", client: "two"))
    accounts.current = ["one": Sample.record(client: "one")]
    accounts.wipe(Sample.record().claims.homeAccountId)
    #expect(accounts.accounts == [Sample.record(of: "bob@contoso.com", client: "two")])
    #expect(accounts.current.isEmpty)
  }

  @Test func `accounts are found by id, ignoring case`() {
    let record = Sample.record()
    #expect(MSALAccountEnumerationParameters().match(record))
    #expect(
      MSALAccountEnumerationParameters(identifier: nil, username: "ANNA@contoso.com").match(record))
    #expect(
      MSALAccountEnumerationParameters(tenantProfileIdentifier: "OID-anna@contoso.com")
        .match(record))
    #expect(!MSALAccountEnumerationParameters(identifier: "other").match(record))
  }
}
