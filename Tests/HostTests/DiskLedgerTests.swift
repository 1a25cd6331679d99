import Testing

@testable import Host

/// The guests that are ended for what was found on the disk.
@Suite final class DiskLedgerTests {
  typealias Tenant = DiskLedger.Tenant

  private static let quota: DiskQuota = {
    var quota = DiskQuota()
    quota.containerBytes = 1_000
    quota.containerFiles = 10
    quota.totalBytes = 1_500
    return quota
  }()

  private static let a = Tenant(name: "a", scopes: ["Containers/a"])
  private static let b = Tenant(name: "b", scopes: ["Containers/b"])

  private var ledger = DiskLedger(DiskLedgerTests.quota, reserve: 6_400)

  private func judge(
    _ bytes: [String: Int], free: Int? = nil,
    _ tenants: [Tenant] = [DiskLedgerTests.a, DiskLedgerTests.b]
  ) -> [DiskLedger.Eviction] {
    var finding = DiskLedger.Finding(free: free)
    for (name, bytes) in bytes {
      finding.usages["Containers/\(name)"] = DiskUsage(bytes: bytes, files: 1)
    }
    return ledger.judge(finding, tenants)
  }

  // MARK: one container

  @Test func `what is allowed ends nobody, and a byte more ends its guest alone`() {
    #expect(judge(["a": 1_000, "b": 10]).isEmpty)
    #expect(
      judge(["a": 1_001, "b": 10]) == [
        .init(
          guest: "a",
          excess: DiskExcess(bound: .bytes(of: "Containers/a"), found: 1_001, allowed: 1_000))
      ])
  }

  @Test func `too many files, and folders too deep to look into, end their guest`() {
    let many = DiskLedger.Finding(usages: ["Containers/a": DiskUsage(bytes: 0, files: 11)])
    #expect(
      ledger.judge(many, [Self.a]).map(\.excess) == [
        DiskExcess(bound: .files(of: "Containers/a"), found: 11, allowed: 10)
      ])
    let deep = DiskLedger.Finding(usages: ["Containers/b": DiskUsage(files: 1, unseen: 1)])
    #expect(ledger.judge(deep, [Self.b]).map(\.guest) == ["b"])
  }

  @Test func `who comes back to a full container goes on until it grows`() {
    #expect(judge(["a": 1_200]).count == 1)
    // It was found dead with what it wrote until then.
    #expect(judge(["a": 1_300], [Self.b]).isEmpty)
    #expect(judge(["a": 1_300]).isEmpty)
    #expect(judge(["a": 1_301]).map(\.guest) == ["a"])
  }

  @Test func `who has cleaned up may not fill the container again`() {
    #expect(judge(["a": 1_200]).count == 1)
    #expect(judge(["a": 1_200], [Self.b]).isEmpty)
    #expect(judge(["a": 100]).isEmpty)
    #expect(judge(["a": 1_001]).map(\.guest) == ["a"])
  }

  @Test func `a guest that is being ended is not ended again, nor is another for it`() {
    let sharing = [
      Tenant(name: "a", scopes: ["Groups/g"], written: 900),
      Tenant(name: "b", scopes: ["Groups/g"], written: 5),
    ]
    let full = DiskLedger.Finding(usages: ["Groups/g": DiskUsage(bytes: 1_100, files: 1)])
    #expect(ledger.judge(full, sharing).map(\.guest) == ["a"])
    var dying = sharing
    dying[0].isEnding = true
    let fuller = DiskLedger.Finding(usages: ["Groups/g": DiskUsage(bytes: 1_400, files: 1)])
    #expect(ledger.judge(fuller, dying).isEmpty)
    #expect(ledger.judge(fuller, [sharing[1]]).isEmpty)
    let fullest = DiskLedger.Finding(usages: ["Groups/g": DiskUsage(bytes: 1_401, files: 1)])
    #expect(ledger.judge(fullest, [sharing[1]]).map(\.guest) == ["b"])
  }

  @Test func `of those that share a container the one that wrote since is ended`() {
    let before = [
      Tenant(name: "a", scopes: ["Groups/g"], written: 9_000),
      Tenant(name: "b", scopes: ["Groups/g"], written: 5),
    ]
    let half = DiskLedger.Finding(usages: ["Groups/g": DiskUsage(bytes: 500, files: 1)])
    #expect(ledger.judge(half, before).isEmpty)
    var after = before
    after[1].written += 700
    let full = DiskLedger.Finding(usages: ["Groups/g": DiskUsage(bytes: 1_200, files: 1)])
    #expect(ledger.judge(full, after).map(\.guest) == ["b"])
  }

  @Test func `none of several is ended for what all have only found`() {
    let sharing = [
      Tenant(name: "a", scopes: ["Groups/g"]), Tenant(name: "b", scopes: ["Groups/g"]),
    ]
    ledger.adopt(["Groups/g": DiskUsage(bytes: 1_200, files: 1)])
    let same = DiskLedger.Finding(usages: ["Groups/g": DiskUsage(bytes: 1_200, files: 1)])
    #expect(ledger.judge(same, sharing).isEmpty)
  }

  // MARK: all containers

  @Test func `of all containers the one that grew most pays`() {
    ledger.adopt(["Containers/a": DiskUsage(bytes: 900, files: 1)])
    #expect(judge(["a": 900, "b": 500]).isEmpty)
    #expect(
      judge(["a": 910, "b": 600]) == [
        .init(guest: "b", excess: DiskExcess(bound: .total, found: 1_510, allowed: 1_500))
      ])
  }

  @Test func `containers of guests that do not run count, and end nobody`() {
    ledger.adopt([
      "Containers/old": DiskUsage(bytes: 900, files: 1),
      "Containers/older": DiskUsage(bytes: 900, files: 1),
    ])
    #expect(judge(["a": 0]).isEmpty)
    #expect(judge(["a": 1]).map(\.guest) == ["a"])
  }

  // MARK: the reserve

  @Test func `where the disk is short, who grew most since it was not is ended`() {
    ledger.adopt(["Containers/a": DiskUsage(bytes: 400, files: 1)])
    #expect(judge(["a": 400, "b": 100], free: 20_000).isEmpty)
    #expect(judge(["a": 410, "b": 300], free: 7_000).isEmpty)
    #expect(
      judge(["a": 420, "b": 310], free: 6_399) == [
        .init(guest: "b", excess: DiskExcess(bound: .reserve, found: 6_399, allowed: 6_400))
      ])
  }

  @Test func `where others have filled the disk, nobody is ended`() {
    #expect(judge(["a": 50, "b": 50], free: 20_000).isEmpty)
    // Less than a 64th of the reserve.
    #expect(judge(["a": 149, "b": 50], free: 0).isEmpty)
    #expect(judge(["a": 150, "b": 50], free: 0).map(\.guest) == ["a"])
  }

  @Test func `what is recorded of a guest counts for the reserve alone, from when all was well`() {
    let chatty = Tenant(name: "a", scopes: ["Containers/a"], recorded: 9_000)
    #expect(judge(["a": 100, "b": 100], free: 20_000, [chatty, Self.b]).isEmpty)
    var flooding = chatty
    flooding.recorded += 99
    #expect(judge(["a": 100, "b": 100], free: 6_399, [chatty, Self.b]).isEmpty)
    #expect(judge(["a": 100, "b": 100], free: 6_399, [flooding, Self.b]).isEmpty)
    flooding.recorded += 151
    #expect(judge(["a": 100, "b": 300], free: 6_399, [flooding, Self.b]).map(\.guest) == ["a"])
    #expect(judge(["a": 100, "b": 300], free: 6_399, [Self.b]).isEmpty)
    flooding.recorded += 10_000
    #expect(judge(["a": 600, "b": 1_000], [flooding, Self.b]).map(\.guest) == ["b"])
  }

  // MARK: the device's own calls

  @Test func `the device is told what was found and what is allowed`() throws {
    #expect(judge(["a": 990]).isEmpty)
    try ledger.admit(DiskUsage(bytes: 10, files: 1), to: "Containers/a", free: nil)
    let error = #expect(throws: DiskExcess.self) {
      try ledger.admit(DiskUsage(bytes: 1, files: 1), to: "Containers/a", free: nil)
    }
    #expect(
      error?.description
        == "the container `Containers/a` takes 1001 bytes of the disk, and 1000 are allowed")
    for number in 0..<8 {
      try ledger.admit(DiskUsage(files: 1), to: "Containers/a", free: number)
    }
    #expect(throws: DiskExcess(bound: .files(of: "Containers/a"), found: 11, allowed: 10)) {
      try ledger.admit(DiskUsage(files: 1), to: "Containers/a", free: nil)
    }
    ledger.remove(DiskUsage(files: 1), from: "Containers/a")
    try ledger.admit(DiskUsage(files: 1), to: "Containers/a", free: nil)
    #expect(throws: DiskExcess(bound: .total, found: 1_501, allowed: 1_500)) {
      try ledger.admit(DiskUsage(bytes: 501), to: "Containers/b", free: nil)
    }
    #expect(throws: DiskExcess(bound: .reserve, found: 6_400, allowed: 6_400)) {
      try ledger.admit(1, free: 6_400)
    }
  }
}
