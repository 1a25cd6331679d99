import Cryptography
import Declarations
import Encodings
import Foundation
import Testing

/// Tests how the data of assets is found, verified and parsed.
struct AssetTests {
  static func hash(_ text: String) -> String {
    sha256(Array(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .joined()
  }

  @Test func `an asset is read if its file matches the declared type, size and hash`() {
    let set = Folder.set(
      Folder.asset(
        "data", "a", "in/../x/./y.bin",
        #""ContentType": "Text/Plain; charset=utf-8", "Size": 5, "Hash-SHA-256": "#
          + #""\#(Self.hash("hello").uppercased())""#), files: ["x/y.bin": "hello"])
    #expect(set.problems.isEmpty)
    #expect(set.assets["a"]?.path == "x/y.bin")
    #expect(set.assets["a"]?.contentType == "text/plain")
    #expect(set.assets["a"]?.content == .data(Redacted(Array("hello".utf8))))
  }

  @Test func `an asset whose declared hash is empty is not verified`() {
    let set = Folder.set(
      Folder.asset("data", "a", "x", #""Size": 0, "Hash-SHA-256": """#), files: ["x": ""])
    #expect(set.problems.isEmpty && set.assets.count == 1)
  }

  static let unusable: [(String, String, StatusReason.Code, String)] = [
    ("https://contoso.com/a", "", .assetCannotBeDownloaded, "`https:` is not fetched: put"),
    ("HTTP://contoso.com/a", "", .assetCannotBeDownloaded, "`http:` is not fetched: put"),
    ("file:///etc/passwd", "", .assetCannotBeDownloaded, "the file is not in the folder"),
    ("file://other/x", "", .assetCannotBeDownloaded, "a `file:` URL must name a file of this"),
    ("/x", "", .assetCannotBeDownloaded, "the path must be relative to the folder"),
    ("a/../../x", "", .assetCannotBeDownloaded, "the path leads out of the folder"),
    ("a/%2e%2e/%2E%2E/x", "", .assetCannotBeDownloaded, "the path leads out of the folder"),
    ("", "", .assetCannotBeDownloaded, "the path is empty"),
    ("y", "", .assetCannotBeDownloaded, "the folder has no file `y`"),
    ("x", #""Size": 4"#, .assetCannotBeVerified, "`Size` is 4, but the file has 5 bytes"),
    (
      "x", #""Hash-SHA-256": "abc""#, .assetCannotBeVerified,
      "`Hash-SHA-256` must be 64 hexadecimal digits"
    ),
    (
      "x", #""Hash-SHA-256": "\#(hash("hallo"))""#, .assetCannotBeVerified,
      "`Hash-SHA-256` does not match the file's hash, \(hash("hello"))"
    ),
  ]

  @Test(arguments: unusable)
  func `an asset file that differs from its declaration is reported`(
    url: String, rest: String, code: StatusReason.Code, message: String
  ) throws {
    let set = Folder.set(Folder.asset("data", "a", url, rest), files: ["x": "hello"])
    let problem = try #require(set.problems.first)
    #expect(set.problems.count == 1 && set.assets.isEmpty)
    #expect(problem.message.hasPrefix("the asset `a`: \(message)"))
    let state = ManagedDelivery(set, items: StatusItems(), programs: []).states.first
    #expect(state?.validity == .invalid)
    #expect(state?.reasons.map(\.code) == [code])
  }

  static let certificate = "MAMCAQE="

  static let credentials: [(String, String, String)] = [
    (
      "userpassword", #"{"UserName": 1}"#, "1:14: error: the data of the asset `a`: `UserName` must"
    ),
    ("userpassword", "{}", "1:1: error: the data of the asset `a`: `UserName` is missing"),
    ("userpassword", #"{"UserName""#, "1:12: error: the data of the asset `a`: expected `:` after"),
    (
      "identity", #"{"Password": "p"}"#,
      "1:1: error: the data of the asset `a`: `Identity` is missing"
    ),
    (
      "identity", #"{"Password": "p", "Identity": "*"}"#,
      "1:31: error: the data of the asset `a`: `Identity` must be bytes in Base64"
    ),
    ("scep", "{}", "1:1: error: the data of the asset `a`: `URL` is missing"),
    (
      "scep", #"{"URL": "u", "Keysize": 512}"#,
      "1:25: error: the data of the asset `a`: `Keysize` must be 1024, 2048 or 4096"
    ),
    (
      "scep", #"{"URL": "u", "Subject": [[["CN"]]]}"#,
      "1:27: error: the data of the asset `a`: `Subject[0][0]` must have 2 elements"
    ),
  ]

  @Test(arguments: credentials)
  func `an invalid key of a credential is reported with its position`(
    type: String, data: String, problem: String
  ) {
    let set = Folder.set(Folder.asset("credential.\(type)", "a", "x.json"), files: ["x.json": data])
    #expect(set.problems.map { $0.description.hasPrefix("d/x.json:\(problem)") } == [true])
    let state = ManagedDelivery(set, items: StatusItems(), programs: []).states.first
    #expect(state?.reasons.map(\.code) == [.assetCannotBeDeserialized])
  }

  @Test func `password and identity assets are read with their exact contents`() {
    let set = Folder.set(
      Folder.asset("credential.userpassword", "p", "p.json", #""ContentType": "application/json""#),
      Folder.asset("credential.identity", "i", "i.json"),
      files: [
        "p.json": #"{"UserName": "u", "Password": "s3cret"}"#,
        "i.json": #"{"Password": "open", "Identity": "AAEC"}"#,
      ])
    #expect(set.problems.isEmpty)
    #expect(
      set.assets["p"]?.content
        == .password(PasswordCredential(userName: Redacted("u"), password: Redacted("s3cret"))))
    #expect(
      set.assets["i"]?.content
        == .identity(.pkcs12(Redacted([0, 1, 2]), password: Redacted("open"))))
  }

  @Test func `a misspelt password key is reported for the asset and the app`() {
    let set = Folder.set(
      Folder.asset("credential.userpassword", "p", "p.json"), Folder.activation("on", "c"),
      Folder.app(
        "c", "com.contoso.mail",
        #""AppConfig": {"Passwords": [{"Identifier": "x", "AssetReference": "p"}]}"#),
      files: ["p.json": #"{"UserName": "u", "Pasword": "s3cret"}"#])
    let messages = set.problems.map(\.message)
    let odd = "the data of the asset `p`: unknown key `Pasword`; did you mean `Password`?"
    #expect(messages.contains(odd), "\(messages)")
    #expect(messages.contains("the asset `p` has no `Password` for the app"))
    let delivery = ManagedDelivery(set, items: StatusItems(), programs: [Folder.app()])
    let state = delivery.states.first { $0.identifier == "c" }
    #expect(state?.reasons.map(\.code).contains(.configurationIsInvalid) == true)
    #expect(delivery.contents.isEmpty)
  }

  @Test func `the error about a configuration states whether its plist element is missing`() {
    let bare = #"<?xml version="1.0"?>\#n<dict><key>secret</key><string>s3cret</string></dict>"#
    for (data, text) in [
      (bare, #"its `<dict>` has no `<plist version="1.0">` around it"#),
      ("secret", "it is not a property list with a dictionary at the top"),
    ] {
      let set = Folder.set(
        Folder.activation("act", "a"),
        Folder.app("a", "com.contoso.mail", #""AppConfig": {"DataAssetReference": "x"}"#),
        Folder.asset("data", "x", "x.plist"), files: ["x.plist": data])
      #expect(
        set.problems.map(\.message) == [
          "the asset `x` is not an app configuration: \(text)"
        ])
      #expect(!set.problems.contains { $0.description.contains("s3cret") })
    }
  }

  @Test func `a password asset that no app receives may lack its password`() {
    let set = Folder.set(
      Folder.asset("credential.userpassword", "p", "p.json"),
      files: ["p.json": #"{"UserName": "u"}"#])
    #expect(set.problems.isEmpty && set.assets.count == 1)
  }

  @Test func `SCEP and ACME assets are read`() {
    let set = Folder.set(
      Folder.asset("credential.scep", "s", "s.json"),
      Folder.asset("credential.acme", "c", "c.json"),
      files: [
        "s.json": """
        {"URL": "https://ca/scep", "Subject": [[["C", "DE"]], [["CN", "m"], ["1.2.5.3", "b"]]],
         "Challenge": "c", "Keysize": 2048, "Key Type": "RSA", "Key Usage": 5,
         "CAFingerprint": "AQI=", "SubjectAltName": {"dNSName": "m.contoso.com"}}
        """,
        "c.json": """
        {"DirectoryURL": "https://ca/acme", "ClientIdentifier": "id", "KeyType": "RSA",
         "KeySize": 2048, "HardwareBound": false, "Subject": [], "UsageFlags": 1}
        """,
      ])
    #expect(set.problems.isEmpty)
    guard case .identity(.scep(let scep)) = set.assets["s"]?.content,
      case .identity(.acme(let acme)) = set.assets["c"]?.content
    else {
      Issue.record("expected identities")
      return
    }
    #expect(scep.url == "https://ca/scep" && scep.keySize == 2048 && scep.keyUsage == 5)
    #expect(scep.fingerprint == [1, 2] && scep.retries == 3 && scep.retryDelay == 10)
    #expect(scep.subject.names.map { $0.map(\.type) } == [["C"], ["CN", "1.2.5.3"]])
    #expect(scep.subject.dnsName == "m.contoso.com")
    #expect(acme.key == .rsa(2048) && acme.binding == .software && acme.usageFlags == 1)
  }

  static let acmeKeys: [(String, Int, Bool, Bool, String?)] = [
    ("RSA", 1024, false, false, nil), ("RSA", 4096, false, false, nil),
    ("RSA", 1025, false, false, "`KeySize` of an RSA key"),
    ("RSA", 8192, false, false, "`KeySize` of an RSA key"),
    ("RSA", 2048, true, false, "a hardware-bound key must be of the type"),
    ("ECSECPrimeRandom", 256, true, true, nil), ("ECSECPrimeRandom", 521, false, false, nil),
    ("ECSECPrimeRandom", 521, true, false, "a hardware-bound key must have 256"),
    ("ECSECPrimeRandom", 512, false, false, "`KeySize` of this key type must be 256"),
    ("ECSECPrimeRandom", 256, false, true, "`Attest` needs `HardwareBound`"),
  ]

  @Test(arguments: acmeKeys)
  func `unsupported key types of an ACME asset are rejected`(
    type: String, size: Int, isBound: Bool, isAttested: Bool, message: String?
  ) {
    let data = """
      {"DirectoryURL": "u", "ClientIdentifier": "id", "KeyType": "\(type)", "KeySize": \(size),
       "HardwareBound": \(isBound), "Attest": \(isAttested), "Subject": []}
      """
    let set = Folder.set(Folder.asset("credential.acme", "a", "x.json"), files: ["x.json": data])
    #expect(set.problems.count == (message == nil ? 0 : 1))
    if let message { #expect(set.problems.first?.message.contains(message) == true) }
  }

  static let pem = "-----BEGIN CERTIFICATE-----\n\(certificate)\n-----END CERTIFICATE-----\n"

  static let certificates: [(String, String, String?)] = [
    (pem, "", nil), ("comment\n" + pem, "application/pem", nil),
    ("0\u{3}\u{2}\u{1}\u{1}", "application/pkcs1", nil), ("0\u{3}\u{2}\u{1}\u{1}", "", nil),
    (pem, "application/pkcs1", "`ContentType` states DER, but the file is PEM"),
    (
      "0\u{3}\u{2}\u{1}\u{1}", "application/pem",
      "`ContentType` states PEM, but the file is not PEM"
    ),
    (pem, "text/plain", "`ContentType` must be `application/pkcs1` or `application/pem`, found"),
    (pem + pem, "", "the file has 2 certificates; it must have exactly one"),
    ("-----BEGIN PRIVATE KEY-----\nAAAA\n", "", "the file has no certificate"),
    (String(pem.prefix(34)), "", "the certificate is truncated or damaged"),
    ("0\u{4}\u{2}\u{1}\u{1}", "", "the file is not a certificate in PEM or DER"),
    ("", "", "the file is not a certificate in PEM or DER"),
  ]

  @Test(arguments: certificates)
  func `a certificate asset contains exactly one certificate in PEM or DER`(
    data: String, type: String, message: String?
  ) {
    let rest = type.isEmpty ? "" : #""ContentType": "\#(type)""#
    let set = Folder.set(Folder.asset("credential.certificate", "a", "x", rest), files: ["x": data])
    if let message {
      #expect(set.problems.count == 1)
      #expect(set.problems.first?.message.hasPrefix("the asset `a`: \(message)") == true)
    } else {
      #expect(set.problems.isEmpty)
      #expect(set.assets["a"]?.content == .certificate([0x30, 3, 2, 1, 1]))
    }
  }

  @Test func `descriptions of assets and deliveries contain no secret`() {
    let set = Folder.set(
      Folder.asset("credential.userpassword", "p", "p.json"),
      Folder.asset("data", "d", "d.plist"), Folder.activation("on", "c"),
      Folder.app(
        "c", "com.contoso.mail",
        #""AppConfig": {"DataAssetReference": "d", "Passwords": [{"Identifier": "x", "#
          + #""AssetReference": "p"}]}"#),
      files: [
        "p.json": #"{"UserName": "alice", "Password": "s3cret"}"#,
        "d.plist": Folder.list("<key>token</key><string>t0ken</string>"),
      ])
    let delivery = ManagedDelivery(set, items: StatusItems(), programs: [Folder.app()])
    #expect(delivery.contents.count == 1)
    var text = "\(delivery) \(delivery.contents) \(set.assets)"
    dump(delivery, to: &text)
    dump(set.assets, to: &text)
    text += JSONWriter.text { StatusReport(delivery, items: StatusItems()).write(to: &$0) }
    let bytes = Array("s3cret".utf8).map(String.init).joined(separator: ", ")
    for secret in ["s3cret", "t0ken", "alice", bytes] { #expect(!text.contains(secret)) }
  }
}
