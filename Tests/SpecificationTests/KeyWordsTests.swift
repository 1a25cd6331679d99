import Testing

@testable import Specification

@Suite struct KeyWordsTests {
  @Test(arguments: [
    "password", "serverPassword", "API_KEY", "apiKey", "LicenseKey", "license-token", "authToken",
    "clientSecret", "PWD", "privateKeyPEM", "SMTPPassword",
  ])
  func `a secret is recognised by the name of its key`(key: String) {
    #expect(KeyWords(key).areOfSecret)
  }

  @Test(arguments: [
    "tokenURL", "licenseServer", "passwordPolicy", "passwordIdentifier", "keyboard", "monkey",
    "passwordHint", "landmarks", "apiVersion",
  ])
  func `keys such as tokenURL and passwordPolicy are not secrets`(key: String) {
    #expect(!KeyWords(key).areOfSecret)
  }

  @Test(
    arguments: [
      ("managed", true), ("isManaged", true), ("managedMode", true), ("mdm_enabled", true),
      ("enterpriseMode", true), ("managedCollection", false), ("mode", false), ("enabled", false),
      ("allowManagedCopy", false),
    ])
  func `a key name such as isManaged or mdm_enabled counts as a managed-mode switch`(
    key: String, isOne: Bool
  ) {
    #expect(KeyWords(key).areOfManagedSwitch == isOne)
  }
}
