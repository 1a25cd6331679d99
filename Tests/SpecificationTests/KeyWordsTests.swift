import Testing

@testable import Specification

@Suite struct KeyWordsTests {
  @Test(arguments: [
    "password", "serverPassword", "API_KEY", "apiKey", "LicenseKey", "license-token", "authToken",
    "clientSecret", "PWD", "privateKeyPEM", "SMTPPassword",
  ])
  func `a secret is recognised by its name`(key: String) {
    #expect(KeyWords(key).areOfSecret)
  }

  @Test(arguments: [
    "tokenURL", "licenseServer", "passwordPolicy", "passwordIdentifier", "keyboard", "monkey",
    "passwordHint", "landmarks", "apiVersion",
  ])
  func `a name that only refers to a secret is not recognised as a secret`(key: String) {
    #expect(!KeyWords(key).areOfSecret)
  }

  @Test(
    arguments: [
      ("managed", true), ("isManaged", true), ("managedMode", true), ("mdm_enabled", true),
      ("enterpriseMode", true), ("managedCollection", false), ("mode", false), ("enabled", false),
      ("allowManagedCopy", false),
    ])
  func `a name that states only that the app is managed is recognised`(key: String, isOne: Bool) {
    #expect(KeyWords(key).areOfManagedSwitch == isOne)
  }
}
