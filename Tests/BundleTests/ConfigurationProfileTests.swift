@testable import Bundle
import Cryptography
import Foundation
import Testing

/// Tests the parsing of configuration profiles, and the errors about other files.
struct ConfigurationProfileTests {
  static func xml(_ body: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      \(body)
      </plist>
      """.utf8)
  }

  static func payload(_ body: String) -> String {
    "<dict><key>PayloadType</key><string>com.apple.applicationaccess</string>\n\(body)\n</dict>"
  }

  static func profile(_ payloads: String...) -> [UInt8] {
    xml(
      """
      <dict>
      <key>PayloadType</key><string>Configuration</string>
      <key>PayloadContent</key>
      <array>
      \(payloads.joined(separator: "\n"))
      </array>
      </dict>
      """)
  }

  static func read(_ bytes: [UInt8]) throws(BundleError) -> ConfigurationProfile {
    try ConfigurationProfile(bytes, file: "a.mobileconfig")
  }

  static func binary(_ bytes: [UInt8]) throws -> [UInt8] {
    let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    return Array(
      try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
  }

  static func text(_ message: [UInt8], _ label: String, newline: String) -> [UInt8] {
    let lines = [
      "-----BEGIN \(label)-----",
      Data(message).base64EncodedString(options: .lineLength64Characters),
      "-----END \(label)-----", "",
    ]
    return Array(lines.joined(separator: newline).utf8)
  }

  /// Several payloads from an MDM export, with comments and with text that resembles the keys.
  static let full = xml(
    """
    <!-- <key>requireManagedPasteboard</key><string>no</string> -->
    <dict>
      <key>PayloadContent</key>
      <array>
        <dict>
          <key>PayloadType</key>
          <string>com.apple.wifi.managed</string>
          <key>SSID_STR</key>
          <string>Contoso &lt;guests&gt;</string>
          <key>allowOpenFromUnmanagedToManaged</key>
          <integer>7</integer>
        </dict>
        <dict>
          <key>PayloadDisplayName</key>
          <string>Restrictions</string>
          <key>PayloadType</key>
          <string>com.apple.applicationaccess</string>
          <key>PayloadVersion</key>
          <integer>1</integer>
          <key>allowCamera</key>
          <true/>
          <key>allowOpenFromManagedToUnmanaged</key>
          <false/>
          <key>requireManagedPasteboard</key>
          <true/>
          <key>allowManagedToWriteUnmanagedContacts</key>
          <true/>
        </dict>
        <dict>
          <key>PayloadType</key>
          <string>com.apple.webClip.managed</string>
          <key>Icon</key>
          <data>AAECAw==</data>
        </dict>
      </array>
      <key>PayloadDisplayName</key>
      <string>Contoso &amp; partners</string>
      <key>PayloadIdentifier</key>
      <string>com.contoso.profile</string>
      <key>PayloadRemovalDisallowed</key>
      <true/>
      <key>PayloadType</key>
      <string>Configuration</string>
      <key>PayloadUUID</key>
      <string>0f8fad5b-d9cb-469f-a165-70867728950e</string>
      <key>PayloadVersion</key>
      <integer>1</integer>
    </dict>
    """)

  @Test func `a full profile has the same content in XML and in binary format`() throws {
    let profile = try Self.read(Self.full)
    #expect(profile.identifier == "com.contoso.profile")
    #expect(profile.displayName == "Contoso & partners")
    #expect(profile.signature == nil)
    #expect(profile.restrictions.allowOpenFromManagedToUnmanaged == false)
    #expect(profile.restrictions.allowOpenFromUnmanagedToManaged == nil)
    #expect(profile.restrictions.requireManagedPasteboard == true)
    #expect(profile.restrictions.allowManagedToWriteUnmanagedContacts == true)
    #expect(profile.restrictions.allowUnmanagedToReadManagedContacts == nil)
    #expect(try Self.read(Self.binary(Self.full)) == profile)
  }

  @Test
  func
    `the example profile separates managed and unmanaged documents and requires a managed pasteboard`()
    throws
  {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("scenarios/profiles/managed-open-in.mobileconfig")
    let profile = try Self.read(Array(Data(contentsOf: file)))
    var restrictions = Restrictions()
    restrictions.allowOpenFromManagedToUnmanaged = false
    restrictions.allowOpenFromUnmanagedToManaged = false
    restrictions.requireManagedPasteboard = true
    #expect(profile.restrictions == restrictions)
    #expect(profile.identifier == "com.contoso.managed-open-in")
    #expect(profile.warnings.isEmpty)
  }

  @Test func `a restrictions payload outside of a configuration profile is accepted`() throws {
    let profile = try Self.read(
      Self.xml(Self.payload("<key>allowOpenFromUnmanagedToManaged</key><false/>")))
    #expect(profile.restrictions.allowOpenFromUnmanagedToManaged == false)
    #expect(profile.identifier == nil)
    #expect(profile.displayName == nil)
  }

  @Test(arguments: [
    ("allowOpenFromManagedToUnmanaged", false), ("allowOpenFromUnmanagedToManaged", false),
    ("requireManagedPasteboard", true), ("allowManagedToWriteUnmanagedContacts", false),
    ("allowUnmanagedToReadManagedContacts", false), ("allowScreenShot", false),
    ("allowWritingTools", false), ("allowGenmoji", false),
  ])
  func `if a profile has several payloads, the most restrictive value applies`(
    key: String, stricter: Bool
  )
    throws
  {
    for (first, second) in [(true, false), (false, true)] {
      let both = try Self.read(
        Self.profile(
          Self.payload("<key>\(key)</key><\(first)/>"),
          Self.payload("<key>\(key)</key><\(second)/>")))
      let alone = try Self.read(
        Self.profile(Self.payload("<key>\(key)</key><\(stricter)/>"), Self.payload("")))
      #expect(both.restrictions == alone.restrictions)
      #expect(alone.warnings.isEmpty)
      #expect(
        both.warnings == [
          "a.mobileconfig:12: warning: `\(key)` is \(first) in one payload and \(second) in "
            + "another; the more restrictive value, \(stricter), applies [bundle]"
        ])
    }
  }

  @Test func `a profile without simulated restrictions has no effect and causes a warning`() throws
  {
    let other = try Self.read(
      Self.profile("<dict><key>PayloadType</key><string>com.apple.mdm</string></dict>"))
    #expect(other.restrictions == Restrictions())
    #expect(
      other.warnings == [
        "a.mobileconfig: note: the payload `com.apple.mdm` is not simulated [bundle]",
        "a.mobileconfig: warning: the profile has no effect: it has no payload of type "
          + "`com.apple.applicationaccess` [bundle]",
      ])
    let silent = try Self.read(Self.profile(Self.payload("<key>allowCamera</key><false/>")))
    #expect(silent.restrictions == Restrictions())
    #expect(
      silent.warnings.first
        == "a.mobileconfig:9: warning: `allowCamera` is not simulated, but it affects opening from the camera "
        + "[bundle]")
    #expect(silent.warnings.count == 2)
    #expect(silent.warnings.last?.contains("it contains none of `allowOpenFrom") == true)
  }

  /// The body of a payload, with its warnings.
  static let unsimulated: [(String, [String])] = [
    ("<key>allowAirDrop</key><true/><key>forceEncryptedBackup</key><false/>", []),
    ("<key>allowUnpairedExternalBootToRecovery</key><false/>", []),
    (
      "<key>allowAirDrop</key><false/>",
      [":9: warning: `allowAirDrop` is not simulated, but it affects AirDrop"]
    ),
    (
      "<key>allowListedAppBundleIDs</key><array><string>a.b</string></array>",
      [
        ":9: warning: `allowListedAppBundleIDs` is not simulated, but it affects the available apps; state them "
          + "in `com.apple.configuration.app.settings`"
      ]
    ),
    (
      "<key>allowNFC</key><false/><key>ratingApps</key><integer>200</integer><key>allowNews</key><true/>",
      [
        ": note: the restrictions `allowNFC`, `ratingApps` are not simulated and have no effect"
      ]
    ),
    (
      "<key>allowOpenFromManagedToUnmanagd</key><false/>",
      [
        ":9: warning: unknown restriction `allowOpenFromManagedToUnmanagd`; did you mean "
          + "`allowOpenFromManagedToUnmanaged`?"
      ]
    ),
    (
      "<key>allowscreenshot</key><false/>",
      [":9: warning: unknown restriction `allowscreenshot`; did you mean `allowScreenShot`?"]
    ),
    ("<key>moonPhase</key><true/>", [":9: warning: unknown restriction `moonPhase`"]),
  ]

  @Test
  func `the warning about a restriction in a wrong payload type names the correct payload type`()
    throws
  {
    let profile = try ConfigurationProfile(
      Array(
        """
        <plist version="1.0"><dict><key>PayloadType</key><string>Configuration</string>
        <key>PayloadContent</key><array>
        <dict><key>PayloadType</key><string>com.apple.restrictions</string>
        <key>allowOpenFromManagedToUnmanaged</key><false/>
        <key>allowScreenShot</key><true/></dict>
        <dict><key>PayloadType</key><string>com.apple.applicationaccess</string></dict>
        </array></dict></plist>
        """.utf8), file: "a.mobileconfig")
    #expect(
      profile.warnings.first
        == "a.mobileconfig:4: warning: `allowOpenFromManagedToUnmanaged` is in a payload of type "
        + "`com.apple.restrictions`; iOS reads it only in `com.apple.applicationaccess` [bundle]")
    #expect(profile.warnings.last?.contains("in `com.apple.applicationaccess` [bundle]") == true)
    #expect(profile.restrictions == Restrictions())
  }

  @Test(arguments: unsimulated)
  func `warnings about unsimulated restrictions state their effect on decisions`(
    body: String, warnings: [String]
  ) throws {
    let restricted = "<key>requireManagedPasteboard</key><true/>"
    let profile = try Self.read(Self.profile(Self.payload(body + restricted)))
    #expect(profile.warnings == warnings.map { "a.mobileconfig\($0) [bundle]" })
    #expect(profile.restrictions.requireManagedPasteboard == true)
  }

  @Test func `the warnings of a profile are sorted by line`() throws {
    let profile = try Self.read(
      Self.profile(
        Self.payload("<key>moonPhase</key><true/>\n<key>allowScreenShot</key><true/>"),
        Self.payload(
          "<key>sunPhase</key><true/>\n<key>allowScreenShot</key><false/>\n"
            + "<key>requireManagedPasteboard</key><true/>")))
    let lines = profile.warnings.compactMap { Int($0.split(separator: ":")[1]) }
    #expect(lines.count == 3 && lines == lines.sorted(), "\(profile.warnings)")
  }

  @Test
  func `the list of unsimulated restrictions has no duplicates and no simulated restrictions`() {
    #expect(Set(UnsimulatedRestriction.published).count == UnsimulatedRestriction.published.count)
    for key in Restrictions.keys {
      #expect(UnsimulatedRestriction(key.name) == .unknown, "\(key.name) is simulated")
    }
  }

  static let wrongFiles: [(String, [UInt8])] = [
    (": error: not a property list", []),
    (": error: not a property list", Array("<html></html>".utf8)),
    (": error: not a property list", [0x30, 0x82, 0x01]),
    (": error: not a property list", Array("-----BEGIN CERTIFICATE-----\nMAAA\n".utf8)),
    (": error: expected a dictionary at the top", xml("<array/>")),
    (
      ": error: not a configuration profile: `PayloadType` is missing at the top",
      xml("<dict><key>CFBundleIdentifier</key><string>com.contoso.mail</string></dict>")
    ),
    (
      ":5: error: not a configuration profile: its `PayloadType` is `Profile Service`, not "
        + "`Configuration`",
      xml("<dict>\n<key>PayloadType</key><string>Profile Service</string></dict>")
    ),
    (
      ":4: error: `PayloadType` must be a string, found a number",
      xml("<dict><key>PayloadType</key><integer>1</integer></dict>")
    ),
    (
      ": error: `PayloadContent` is missing",
      xml("<dict><key>PayloadType</key><string>Configuration</string></dict>")
    ),
    (
      ":6: error: the profile is encrypted for a device; export it from the MDM without encryption",
      xml(
        """
        <dict>
        <key>PayloadType</key><string>Configuration</string>
        <key>EncryptedPayloadContent</key><data>AAEC</data>
        </dict>
        """)
    ),
    (
      ": error: the profile is encrypted for a device; export it from the MDM without encryption",
      SignedProfiles.encrypted
    ),
    (
      ":5: error: `PayloadContent` must be an array, found a dictionary",
      xml(
        """
        <dict><key>PayloadType</key><string>Configuration</string>
        <key>PayloadContent</key><dict/></dict>
        """)
    ),
    (":8: error: a payload must be a dictionary, found a string", profile("<string>a</string>")),
    (":11: error: `PayloadType` is missing in a payload", profile(payload(""), "<dict/>")),
    (
      ":9: error: `requireManagedPasteboard` must be true or false, found a string",
      profile(payload("<key>requireManagedPasteboard</key><string>true</string>"))
    ),
    (
      ":14: error: `allowOpenFromManagedToUnmanaged` must be true or false, found a number",
      profile(
        payload("<!-- a\nb -->\n<key>allowOpenFromManagedToUnmanaged</key><false/>"),
        payload("<key>allowOpenFromManagedToUnmanaged</key><integer>0</integer>"))
    ),
    (
      ":4: error: `allowOpenFromUnmanagedToManaged` must be true or false, found an array",
      xml(
        "<dict><key>allowOpenFromUnmanagedToManaged</key><array><dict/></array>"
          + "<key>PayloadType</key><string>com.apple.applicationaccess</string></dict>")
    ),
  ]

  @Test(arguments: wrongFiles)
  func `an invalid profile is rejected with a reason`(
    message: String, bytes: [UInt8]
  ) {
    let error = #expect(throws: BundleError.self) { try Self.read(bytes) }
    #expect(error?.description == "a.mobileconfig\(message) [bundle]")
  }

  @Test func `an error in a binary property list has no line number`() throws {
    let bytes = try Self.binary(
      Self.profile(Self.payload("<key>requireManagedPasteboard</key><real>1.0</real>")))
    let error = #expect(throws: BundleError.self) { try Self.read(bytes) }
    #expect(error?.line == nil)
    #expect(
      error?.message == "`requireManagedPasteboard` must be true or false, found a number")
  }

  @Test(arguments: [
    SignedProfiles.signed, SignedProfiles.streamed,
    text(SignedProfiles.signed, "PKCS7", newline: "\n"),
    text(SignedProfiles.streamed, "CMS", newline: "\r\n"),
  ])
  func `a signed profile is read, but not verified without its signer's certificate`(bytes: [UInt8])
    throws
  {
    let profile = try Self.read(bytes)
    #expect(profile.signature != nil)
    #expect(profile.identifier == "com.contoso.signed")
    #expect(profile.restrictions.allowOpenFromManagedToUnmanaged == false)
    #expect(
      profile.warnings == [
        "a.mobileconfig: warning: the profile's signature is not verified: the CMS message does not "
          + "contain its signer's certificate [bundle]"
      ])
  }

  @Test(arguments: [SignedProfiles.certified, SignedProfiles.certifiedStreamed])
  func `the signature of a profile is verified with the signer's certificate`(bytes: [UInt8]) throws
  {
    for form in [bytes, Self.text(bytes, "CMS", newline: "\n")] {
      let profile = try Self.read(form)
      #expect(profile.signature?.state == .intact)
      #expect(profile.signature?.signers == ["CN=Contoso Signing,O=Contoso Ltd"])
      #expect(profile.restrictions.allowOpenFromManagedToUnmanaged == false)
      #expect(
        profile.warnings == [
          "a.mobileconfig: warning: the profile is signed by `CN=Contoso Signing,O=Contoso Ltd`; "
            + "the signature is valid, but the signer's identity is not checked [bundle]"
        ])
    }
  }

  @Test func `a profile that was modified after signing is rejected`() throws {
    let key = Array("allowOpenFromManagedToUnmanaged</key><false/>".utf8)
    for bytes in [SignedProfiles.certified, SignedProfiles.certifiedStreamed] {
      let place = try #require(bytes.firstRange(of: key))
      var changed = bytes
      changed.replaceSubrange(place, with: "allowOpenFromManagedToUnmanaged</key> <true/>".utf8)
      let error = #expect(throws: BundleError.self) { try Self.read(changed) }
      #expect(
        error?.message
          == "the profile was changed after it was signed by `CN=Contoso Signing,O=Contoso Ltd`")
    }
  }

  @Test func `all payloads of a profile are listed, and simulated payloads are marked`()
    throws
  {
    let profile = try Self.read(Self.full)
    #expect(
      profile.payloads.map(\.type) == [
        "com.apple.wifi.managed", "com.apple.applicationaccess", "com.apple.webClip.managed",
      ])
    #expect(profile.payloads.map(\.isSimulated) == [false, true, false])
    #expect(
      profile.warnings == [
        "a.mobileconfig: note: the payloads `com.apple.wifi.managed`, "
          + "`com.apple.webClip.managed` are not simulated [bundle]"
      ])
  }

  @Test func `a profile with a detached signature is rejected`() {
    let error = #expect(throws: BundleError.self) { try Self.read(SignedProfiles.detached) }
    #expect(
      error?.description == "a.mobileconfig: error: the profile is signed, and its content is "
        + "damaged or detached; `openssl smime -inform DER -verify -noverify -in a.mobileconfig "
        + "-out plain.mobileconfig` removes a signature [bundle]")
  }

  @Test(arguments: [SignedProfiles.signed, SignedProfiles.streamed, full])
  func `a profile truncated at any byte is read or rejected`(bytes: [UInt8]) {
    for count in 0..<bytes.count {
      do throws(BundleError) {
        _ = try Self.read(Array(bytes.prefix(count)))
      } catch {
        #expect(error.rule == .unreadable && error.description.hasSuffix("[bundle]"), "\(error)")
      }
    }
  }

  @Test(arguments: [
    [0x84, 0xff, 0xff, 0xff, 0xff], [0xff], [0x88, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0x80], [0x00],
  ])
  func `an oversized length in a signed profile is rejected`(length: [UInt8]) throws {
    // The length of the outer sequence, and then the length of the contents after its object
    // identifier.
    let bytes = SignedProfiles.signed
    for message in [[0x30] + length + bytes[4...], bytes[..<16] + length + bytes[19...]] {
      _ = try? Self.read(Array(message))
    }
    #expect(throws: BundleError.self) {
      try Self.read(Array(bytes[..<16] + [0x84, 0xff, 0xff, 0xff, 0xff] + bytes[19...]))
    }
  }
}
