@testable import AppConfiguration
import Model
import Testing

struct ConfigurationTokenTests {
  private static let values: [ConfigurationToken: String] = [
    .serialnumber: "F4KN99ZUG5V2", .username: "Anna Example",
    .onpremisessamaccountname: #"contoso\Anna"#,
  ]

  @Test(arguments: [
    ("{{userprincipalname}}", "anna@contoso.com"), ("{{UserPrincipalName}}", "anna@contoso.com"),
    ("{{ mail }}", "anna@contoso.com"), ("{{partialupn}}", "anna"),
    ("{{userid}}", "0f8fad5b-d9cb-469f-a165-70867728950e"), ("{{username}}", "Anna Example"),
    ("{{serialnumber}}", "F4KN99ZUG5V2"), ("{{serialnumberlast4digits}}", "G5V2"),
    ("{{deviceid}}", "{{deviceid}}"), ("{{aaddeviceid}}", "{{aaddeviceid}}"),
    ("{{accountid}}", "{{accountid}}"), ("{{udidlast4digits}}", "{{udidlast4digits}}"),
    ("{{issupervised}}", "False"), ("{{IsSupervised}}", "False"),
    ("{{OnPremisesSamAccountName}}", #"contoso\Anna"#),
    ("{{SIGNEDDEVICEID}}", "{{SIGNEDDEVICEID}}"), ("{{other}}", "{{other}}"),
    (
      "https://{{partialupn}}.contoso.com/{{serialnumber}}", "https://anna.contoso.com/F4KN99ZUG5V2"
    ),
    ("{{{mail}}}", "{anna@contoso.com}"),
    ("{{mail", "{{mail"), ("mail}}", "mail}}"), ("{{}}", "{{}}"), ("", ""),
    ("{{other {{mail}}", "{{other anna@contoso.com"),
  ])
  func `configuration tokens are replaced by their values`(text: String, result: String) {
    let tokens = ConfigurationTokens(Fixtures.anna, values: Self.values)
    #expect(tokens.filling(text) == result)
  }

  @Test func `configuration tokens are replaced in all strings of nested values`() {
    let tokens = ConfigurationTokens(Fixtures.anna)
    let value = ConfigurationValue.dictionary([
      "{{mail}}": .list([.text("{{partialupn}}"), .integer(1), .boolean(true), .real(0.5)])
    ])
    #expect(
      tokens.filling(value)
        == .dictionary([
          "{{mail}}": .list([.text("anna"), .integer(1), .boolean(true), .real(0.5)])
        ]))
  }

  /// Sources: Microsoft Learn, "Add app configuration policies for managed iOS/iPadOS devices" and "App configuration
  /// policies for Intune App SDK managed apps". The test
  /// lists every text between double braces.
  @Test(arguments: [
    "userprincipalname", "mail", "partialupn", "accountid", "deviceid", "userid", "username",
    "serialnumber", "serialnumberlast4digits", "udidlast4digits", "aaddeviceid", "IsSupervised",
    "OnPremisesSamAccountName", "SIGNEDDEVICEID", "PrimarySMTPAddress",
  ])
  func `every documented configuration token is known, in any casing`(name: String) {
    #expect(ConfigurationToken(name: name)?.rawValue == name.lowercased())
  }

  @Test func `the configuration token {{issupervised}} is replaced by the given value`() {
    let tokens = ConfigurationTokens(Fixtures.anna, values: [.issupervised: "True"])
    #expect(tokens.filling("{{issupervised}}") == "True")
  }

  @Test func `configuration tokens without a value are listed once each`() {
    let text = ConfigurationValue.text("{{mail}} {{deviceid}} {{userid}} {{deviceid}}")
    #expect(ConfigurationTokens(Fixtures.anna).unresolved(in: text) == [.deviceid])
    #expect(ConfigurationTokens(Fixtures.ben).unresolved(in: text) == [.deviceid, .userid])
  }
}
