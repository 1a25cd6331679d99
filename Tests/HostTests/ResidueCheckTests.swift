import Cryptography
import Encodings
import EventLoop
import FileProtection
import Foundation
import GRDB
import Model
import TestSupport
import Testing

@testable import Host

@Suite struct ResidueCheckTests {
  private let device: Workspace
  private let anna = Account(upn: "anna@contoso.com", objectID: "0a1b2c3d-aaaa")
  private let secret = "Quarterly figures"

  init() throws {
    device = try Workspace()
    try device.write("hello", to: "Containers/mail/readme.txt")
    try device.write("hello", to: "Containers/notes/readme.txt")
    try device.write("{\"account\":\"anna@contoso.com\"}\n", to: "journal.jsonl")
    let queue = try DatabaseQueue(path: device.path("device.sqlite"))
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    try queue.close()
    try write("CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT")
    try write(
      """
      CREATE TABLE account (
        id INTEGER PRIMARY KEY, upn TEXT NOT NULL, objectID TEXT, tenantID TEXT, wrappedKey BLOB);
      CREATE TABLE signIn (id INTEGER PRIMARY KEY, app TEXT, accountID INTEGER);
      CREATE TABLE fileOwner (scope TEXT, path BLOB, accountID INTEGER, PRIMARY KEY (scope, path))
        WITHOUT ROWID;
      CREATE TABLE keychainItem (
        accessGroup TEXT, service TEXT, account TEXT, value BLOB, ownerID INTEGER);
      INSERT INTO account VALUES (7, 'ben@contoso.com', 'b2', NULL, x'00');
      INSERT INTO signIn VALUES (1, 'mail', 7);
      """)
  }

  private func write(_ sql: String) throws {
    let queue = try DatabaseQueue(path: device.path("device.sqlite"))
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  private func check(
    _ scope: ResidueScope = .device, account: Account? = nil
  ) throws -> ResidueReport {
    try ResidueCheck(
      folder: device.path, account: account ?? anna, scope: scope, canaries: [secret]
    ).run()
  }

  private func lines(
    _ scope: ResidueScope = .device, account: Account? = nil
  ) throws -> [String] {
    try check(scope, account: account).text.split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("note: ") }.dropLast()
  }

  @Test func `a clean device's residue report has no findings and counts searched files and rows`()
    throws
  {
    let report = try check()
    #expect(report.findings == [])
    #expect(report.isClean)
    // The report may include SQLite's own files beside the database.
    #expect(report.extent.files >= 4)
    #expect(report.extent.rows == 2)
    #expect(report.text.hasSuffix("rows searched\n"))
    #expect(report.text.contains("clean: no data of `anna@contoso.com` is left; "))
    #expect(report.notes.contains { $0.contains("the journal legitimately names accounts") })
  }

  static let planted: [(place: String, line: String)] = [
    ("Containers/mail/a.txt", "Containers/mail/a.txt, byte 2: "),
    ("Containers/notes/deep/er/b", "Containers/notes/deep/er/b, byte 2: "),
    ("Groups/group.com.contoso/c", "Groups/group.com.contoso/c, byte 2: "),
    ("System/printer/1.txt", "System/printer/1.txt, byte 2: "),
    ("device.sqlite-wal.old", "device.sqlite-wal.old, byte 2: "),
    ("trace.log", "trace.log, byte 2: "),
    ("Containers/mail/.tmp.123", "Containers/mail/.tmp.123, byte 2: "),
  ]

  @Test(arguments: planted)
  func `a residue search finds planted traces in each store`(place: String, line: String) throws {
    try device.write("x \(secret)", to: place)
    #expect(try lines() == [line + "canary 1, `Quarterl…` as utf8"])
    try device.write("x ANNA@contoso.com, again anna@CONTOSO.com", to: place)
    #expect(try lines() == [line + "`anna@contoso.com` as utf8, 2 times"])
    try device.write("x 0A1B2C3D-AAAA", to: place)
    #expect(try lines() == [line + "`0a1b2c3d-aaaa` as utf8"])
    try device.write("x " + Data("?\(secret)".utf8).base64EncodedString(), to: place)
    #expect(try lines().count == 1)
    #expect(try lines().first?.contains("as base64") == true)
  }

  @Test func `a residue search looks in the journal for canaries, but not for the account's name`()
    throws
  {
    try device.write("{\"text\":\"anna@contoso.com: \(secret)\"}\n", to: "journal.jsonl")
    #expect(try lines() == ["journal.jsonl, byte 27: canary 1, `Quarterl…` as utf8"])
  }

  @Test func `a residue search reads only the data of a sparse file, not its holes`() throws {
    let path = try device.write("", to: "Containers/mail/sparse")
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seek(toOffset: 3 << 30)
    try file.write(contentsOf: Data(secret.utf8))
    try file.truncate(atOffset: 12 << 30)
    try file.close()
    let report = try check()
    #expect(report.findings.contains { $0.offset == 3 << 30 })
    #expect(report.extent.bytes < 4 << 20)
  }

  @Test func `a cancelled residue search stops`() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    try device.write(secret, to: "Containers/mail/a.txt")
    let report = try ResidueCheck(
      folder: device.path, account: anna, canaries: [secret], cancellation: cancellation
    ).run()
    #expect(report.findings.isEmpty)
    #expect(report.extent.files == 0)
  }

  @Test func `a residue search covers the names of files and folders`() throws {
    try device.write("hello", to: "Containers/mail/anna@contoso.com/\(secret).txt")
    #expect(
      try lines() == [
        "Containers/mail/anna@contoso.com: `anna@contoso.com` as utf8 in the name",
        "Containers/mail/anna@contoso.com/\(secret).txt: canary 1, `Quarterl…` as utf8 in the name",
      ])
  }

  @Test func `a canary at the end of a huge file, across two reads, is found`() throws {
    var bytes = Data(count: (1 << 20) - 5)
    bytes += Data(secret.utf8)
    bytes += Data(count: (4 << 20) + 3)
    bytes += Data(secret.utf8)
    try bytes.write(to: URL(fileURLWithPath: device.path("Containers/mail/huge")))
    let first = (1 << 20) - 5
    #expect(
      try lines() == [
        "Containers/mail/huge, byte \(first): canary 1, `Quarterl…` as utf8, 2 times"
      ])
  }

  @Test func `a residue search finds the account's database rows and values that contain a canary`()
    throws
  {
    try write(
      """
      INSERT INTO account VALUES (1, 'ANNA@contoso.com', '0A1B2C3D-AAAA', NULL, x'0102');
      INSERT INTO signIn VALUES (2, 'mail', 1);
      INSERT INTO fileOwner VALUES ('Containers/mail', x'612fff', 1);
      INSERT INTO keychainItem VALUES ('T.mail', 'token', 'x', x'01', 1);
      INSERT INTO keychainItem VALUES ('T.mail', 'note', 'x', CAST('a \(secret)' AS BLOB), NULL);
      """)
    let rows = try check().findings.filter { $0.place.contains(": ") }
    #expect(
      rows.map { "\($0.place): \($0.words)" } == [
        "device.sqlite: account: the device knows the account",
        "device.sqlite: fileOwner: `Containers/mail/a/\\xff` is the account's",
        "device.sqlite: keychainItem: item `token` in the keychain group `T.mail`",
        "device.sqlite: keychainItem.value: canary 1, `Quarterl…` as utf8",
        "device.sqlite: signIn: the account is signed in to `mail`",
      ])
    #expect(try check().findings.contains { $0.place == "device.sqlite" && $0.offset != nil })
  }

  @Test func `deleted rows that remain in the database file are found`() throws {
    try write("PRAGMA secure_delete = OFF")
    try write("INSERT INTO keychainItem VALUES ('T', 's', 'x', CAST('\(secret)' AS BLOB), NULL)")
    try write("DELETE FROM keychainItem")
    let findings = try check().findings
    #expect(findings.allSatisfy { $0.place == "device.sqlite" && $0.offset != nil })
    // SQLite may be built to overwrite deleted content.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: device.path("device.sqlite")))
    #expect(findings.isEmpty == (bytes.range(of: Data(secret.utf8)) == nil))
  }

  @Test func `a residue search covers the write-ahead log of a running device`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    let queue = try DatabaseQueue(path: device.path("device.sqlite"), configuration: configuration)
    try queue.write {
      try $0.execute(
        sql: "INSERT INTO keychainItem VALUES ('T', 's', 'x', CAST('\(secret)' AS BLOB), NULL)")
    }
    let places = Set(try check().findings.map(\.place))
    #expect(places == ["device.sqlite-wal", "device.sqlite: keychainItem.value"])
    try queue.close()
  }

  /// Returns the folder's state, except for the empty log and the index that SQLite creates beside
  /// a database that it reads.
  @Test func `a residue search changes no file of the device`() throws {
    func state() throws -> [String: Data] {
      let files = FileManager.default.enumerator(atPath: device.path)?.allObjects ?? []
      return files.reduce(into: [:]) { state, file in
        let path = device.path("\(file)")
        state["\(file)"] = try? Data(contentsOf: URL(fileURLWithPath: path))
      }
    }
    let before = try state()
    _ = try check()
    var after = try state()
    #expect(after.removeValue(forKey: "device.sqlite-wal")?.isEmpty != false)
    after["device.sqlite-shm"] = nil
    #expect(after == before)
  }

  private func seal(_ name: String, for owner: Account) throws {
    let page = ProtectionHeader.firstPage(
      owner: owner, key: .random(), accountKey: AES256GCM(key: Array(repeating: 7, count: 32)))
    try Data(page).write(to: URL(fileURLWithPath: device.path(name)))
  }

  @Test
  func `the residue line of an encrypted file states whether the account's key still exists`()
    throws
  {
    try seal("Containers/mail/sealed", for: Account(upn: "Anna@contoso.com"))
    try seal("Containers/mail/ben", for: Account(upn: "ben@contoso.com"))
    #expect(
      try lines() == ["Containers/mail/sealed: encrypted for the account, whose key is gone"])
    try write("INSERT INTO account VALUES (1, 'anna@contoso.com', NULL, NULL, x'01')")
    #expect(
      try lines().contains(
        "Containers/mail/sealed: encrypted for the account, whose key still exists"))
  }

  @Test func `the key of an unknown account's encrypted file is reported as missing`() throws {
    try seal("Containers/mail/sealed", for: anna)
    try write("DELETE FROM signIn; DELETE FROM account")
    #expect(
      try lines() == ["Containers/mail/sealed: encrypted for the account, whose key is gone"])
  }

  @Test func `pipes and symbolic links are residue findings, because they are not searched`() throws
  {
    #expect(mkfifo(device.path("Containers/mail/pipe"), 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: device.path("Containers/mail/link"), withDestinationPath: "/etc/passwd")
    #expect(
      try lines() == [
        "Containers/mail/link: neither a file nor a folder, so not searched",
        "Containers/mail/pipe: neither a file nor a folder, so not searched",
      ])
  }

  @Test func `an invalid database is a residue finding`() throws {
    try device.write(String(repeating: "no database ", count: 100), to: "device.sqlite")
    let finding = try #require(try check().findings.first)
    #expect(finding.place == "device.sqlite" && finding.kind == "unreadable")
    try device.write("\(secret)", to: "Containers/mail/x")
    #expect(try check().findings.count == 2)
  }

  @Test func `a residue search limited to some apps covers only files they can access`() throws {
    for place in [
      "Containers/mail/a", "Containers/notes/b", "Groups/group.x/c", "Groups/group.y/d", "System/e",
    ] {
      try device.write("x \(secret)", to: place)
    }
    try write(
      """
      INSERT INTO account VALUES (1, 'anna@contoso.com', NULL, NULL, x'01');
      INSERT INTO signIn VALUES (2, 'mail', 1), (3, 'notes', 1);
      INSERT INTO fileOwner VALUES ('Containers/notes', 'b', 1), ('Groups/group.x', 'c', 1);
      INSERT INTO keychainItem VALUES ('T.y', 's', 'x', x'01', 1), ('group.x', 't', 'x', x'01', 1);
      """)
    let scope = ResidueScope.apps([.init(name: "mail", groups: ["group.x"])])
    #expect(
      try lines(scope) == [
        "Containers/mail/a, byte 2: canary 1, `Quarterl…` as utf8",
        "Groups/group.x/c, byte 2: canary 1, `Quarterl…` as utf8",
        "device.sqlite: fileOwner: `Groups/group.x/c` is the account's",
        "device.sqlite: keychainItem: item `t` in the keychain group `group.x`",
        "device.sqlite: signIn: the account is signed in to `mail`",
      ])
    #expect(throws: HostError.self) { try check(.apps([.init(name: "mial")])) }
  }

  @Test func `a residue search by object id also finds the account's stored UPN`() throws {
    try write("INSERT INTO account VALUES (1, 'anna@contoso.com', '0a1b', NULL, x'01')")
    try device.write("for anna@contoso.com", to: "Containers/mail/a")
    let found = try lines(account: Account(upn: "0A1B", objectID: "0A1B"))
    #expect(found.contains("Containers/mail/a, byte 4: `anna@contoso.com` as utf8"))
  }

  @Test func `a residue search reads an older database without an account table`() throws {
    try write(
      """
      DROP TABLE signIn; DROP TABLE account; DROP TABLE fileOwner; DROP TABLE keychainItem;
      CREATE TABLE signIn (app TEXT, upn TEXT, objectID TEXT, tenantID TEXT);
      INSERT INTO signIn VALUES ('mail', 'ANNA@contoso.com', NULL, NULL);
      """)
    #expect(try lines().contains("device.sqlite: signIn: the account is signed in to `mail`"))
    try seal("Containers/mail/sealed", for: anna)
    let words = "encrypted for the account; whether its key still exists is unknown"
    #expect(try lines().contains("Containers/mail/sealed: \(words)"))
  }

  @Test func `a residue search rejects a folder without a database`() throws {
    let error = #expect(throws: HostError.self) {
      try ResidueCheck(folder: device.path("Containers"), account: anna).run()
    }
    #expect(error?.code == .folder)
    #expect(throws: HostError.self) {
      try ResidueCheck(folder: device.path("nowhere"), account: anna).run()
    }
  }

  @Test func `the JSON residue report contains each finding's place, offset and encoding`() throws {
    try device.write("x \(secret)", to: "Containers/mail/a")
    var writer = JSONWriter()
    try check().write(to: &writer)
    #expect(
      writer.text.contains(
        """
        "findings":[{"store":"container","place":"Containers/mail/a","offset":2,"kind":"text",\
        "canary":1,"shown":"Quarterl…","encoding":"utf8","count":1,\
        "words":"canary 1, `Quarterl…` as utf8"}]
        """))
    #expect(writer.text.hasPrefix("{\"account\":\"anna@contoso.com\",\"isClean\":false,"))
  }
}

@Suite struct CanarySearchTests {
  private static let secret = "Quarterly figures: 47 % – für Anna?"

  private func search(_ text: String, _ kind: Canary.Kind = .content) -> CanarySearch {
    CanarySearch(Needle.all(for: Canary(kind: kind, text: text), number: 0))
  }

  private func encodings(_ bytes: some Sequence<UInt8>, _ search: CanarySearch) -> Set<String> {
    Set(search.hits(in: Array(bytes)).map { search.needles[$0.needle].encoding.rawValue })
  }

  /// Encoded forms of the secret, computed independently of the search.
  static let encoded: [(String, [UInt8])] = [
    ("utf8", Array(secret.utf8)),
    ("utf16", Array(secret.data(using: .utf16LittleEndian) ?? Data())),
    ("utf16", Array(secret.data(using: .utf16BigEndian) ?? Data())),
    ("hex", Array(secret.utf8.map { String(format: "%02x", $0) }.joined().utf8)),
    ("hex", Array(secret.utf8.map { String(format: "%02X", $0) }.joined().utf8)),
    (
      "percent",
      Array(secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics)?.utf8 ?? "".utf8)
    ),
    (
      "percent",
      Array(
        secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics)?.lowercased()
          .replacingOccurrences(of: "%20", with: "+")
          .replacingOccurrences(of: "quarterly", with: "Quarterly")
          .replacingOccurrences(of: "anna", with: "Anna").utf8 ?? "".utf8)
    ),
  ]

  @Test(arguments: encoded)
  func `a canary is found in each encoding`(encoding: String, bytes: [UInt8]) {
    let found = search(Self.secret)
    #expect(encodings("before ".utf8 + bytes + " behind".utf8, found) == [encoding])
    #expect(encodings(bytes.dropLast(2), found) == [])
  }

  @Test(arguments: 0..<6, 0..<3)
  func `a canary within base64 is found at any offset`(before: Int, behind: Int) {
    let odd = "\u{3FF}?>~\u{FF}" + Self.secret
    let found = search(odd)
    let whole =
      Data(repeating: 0xEE, count: before) + Data(odd.utf8)
      + Data(repeating: 0x99, count: behind)
    let text = whole.base64EncodedString()
    #expect(encodings(text.utf8, found) == ["base64"])
    let forURLs = text.replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_")
    #expect(text != forURLs)
    #expect(encodings(forURLs.utf8, found) == ["base64"])
  }

  @Test func `a residue search ignores the case of account names, but not of content`() {
    for text in ["anna@contoso.com", "ANNA@contoso.COM", "Anna@Contoso.com"] {
      #expect(encodings(text.utf8, search("Anna@Contoso.com", .upn)) == ["utf8"])
    }
    let wide = Array("ANNA@contoso.COM".data(using: .utf16LittleEndian) ?? Data())
    #expect(encodings(wide, search("anna@contoso.com", .upn)) == ["utf16"])
    #expect(encodings("ANNA%40Contoso.com".utf8, search("anna@contoso.com", .upn)) == ["percent"])
    #expect(encodings("QUARTERLY".utf8, search("Quarterly")) == [])
    #expect(encodings("Quarterly".utf8, search("Quarterly")) == ["utf8"])
  }

  @Test func `a canary is found at any split of the data into pieces`() {
    let found = search(Self.secret)
    let bytes = Array("....\(Self.secret)....".utf8)
    for size in 1...bytes.count {
      var scan = CanarySearch.Scan(found)
      var hits: [CanarySearch.Hit] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
          scan.search($0) { hits.append($0) }
        }
      }
      #expect(hits.map(\.offset) == [4], "pieces of \(size)")
    }
  }

  /// Compares the results with a linear search for each canary.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a residue search for many canaries finds the same matches as single searches`(seed: UInt64)
  {
    var generator = SeededGenerator(seed: seed)
    func text(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in Array("aAbBc".utf8).randomElement(using: &generator) ?? 0 }
    }
    var needles: [Needle] = []
    for number in 0..<8 {
      let ignoresCase = Bool.random(using: &generator)
      let bytes = text(.random(in: 1...5, using: &generator))
      needles.append(
        Needle(
          canary: number, encoding: .utf8, bytes: ignoresCase ? bytes.map(\.folded) : bytes,
          ignoresCase: ignoresCase))
    }
    let bytes = text(120)
    var expected: Set<CanarySearch.Hit> = []
    for (number, needle) in needles.enumerated() {
      for start in 0...(bytes.count - needle.bytes.count) {
        let piece = bytes[start..<(start + needle.bytes.count)]
        let isThere =
          needle.ignoresCase
          ? piece.map(\.folded) == needle.bytes : Array(piece) == needle.bytes
        if isThere { expected.insert(CanarySearch.Hit(needle: number, offset: start)) }
      }
    }
    var scan = CanarySearch.Scan(CanarySearch(needles))
    var hits: [CanarySearch.Hit] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(.random(in: 1...30, using: &generator))
      piece.withUnsafeBytes { scan.search($0) { hits.append($0) } }
      rest = rest.dropFirst(piece.count)
    }
    #expect(Set(hits) == expected)
    #expect(hits.count == expected.count)
  }

  @Test func `a residue search for an empty list of canaries matches nothing`() {
    #expect(CanarySearch([]).hits(in: Array("anything".utf8)) == [])
    #expect(Needle.all(for: Canary(kind: .content, text: "abc"), number: 0).count == 3)
    #expect(CanarySearch([]).hits(in: []) == [])
  }
}
