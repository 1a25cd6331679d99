import Encodings
import Model
import Policy
import Testing

@testable import Studio

struct WordingTests {
  @Test(arguments: [
    ("`saveAsBlocked` is false", "`Save copies of org data` is `Allow`"),
    (
      "`allowedOutboundDataTransferDestinations` is `allApps`, so everything may be saved anywhere",
      "`Send org data to other apps` is `All apps`, so everything may be saved anywhere"
    ),
    (
      "`managedBrowser` is `microsoftEdge`, which wins",
      "`Restrict web content transfer with other apps` is `Microsoft Edge`, which wins"
    ),
    ("`maximumPinRetries` is 0", "`Max PIN attempts` is `none`"),
    (
      "`fingerprintBlocked` and `faceIdBlocked` are true",
      "`Touch ID instead of PIN for access` and `Face ID instead of PIN for access` are `Block`"
    ),
    ("`allowedIosDeviceModels` names no model", "`Device model(s)` names no model"),
    (
      "`maximumAllowedDeviceThreatLevel` is `notConfigured`",
      "`Max allowed device threat level` is `not configured`"
    ),
    ("any browser may open links", "any browser may open links"),
    ("`skype` is not a URL scheme", "`skype` is not a URL scheme"),
    ("`isAssigned` is false, so", "`isAssigned` is false, so"),
  ])
  func `Graph's names and values become the admin centre's words`(text: String, words: String) {
    #expect(Wording(Settings()).text(text) == words)
  }

  @Test(arguments: [
    ("the photo library", "The photo library"), ("iManage", "iManage"), ("iOS", "iOS"),
    ("SharePoint", "SharePoint"), ("a", "A"), ("", ""),
  ])
  func `names that begin in lower case, such as iManage, keep their first letter`(
    text: String, capitalized: String
  ) {
    #expect(text.capitalizedStart == capitalized)
  }

  @Test func `the words for a value depend on all settings with the same label`() {
    var settings = Settings()
    settings.filterOpenInToOnlyManagedApps = true
    #expect(
      Wording(settings).text("`allowedOutboundDataTransferDestinations` is `managedApps`")
        == "`Send org data to other apps` is `Policy managed apps with Open-In/Share filtering`")
  }
}
