internal import Testing

@testable internal import UIKit

@Suite struct InfoDictionaryTests {
  @Test func `the scene manifest names the scene delegate`() {
    let info = InfoDictionary([
      "UIApplicationSceneManifest": [
        "UISceneConfigurations": [
          "UIWindowSceneSessionRoleApplication": [
            [
              "UISceneConfigurationName": "Default",
              "UISceneDelegateClassName": "App.SceneDelegate",
            ]
          ]
        ]
      ]
    ])
    #expect(info.hasScenes)
    #expect(info.sceneDelegateClass == "App.SceneDelegate")
    #expect(info.sceneConfigurationName == "Default")
    #expect(info.principalClass == nil)
  }

  @Test func `an extension's Info.plist names its principal class`() {
    let info = InfoDictionary(["NSExtension": ["NSExtensionPrincipalClass": "Share.Controller"]])
    #expect(info.principalClass == "Share.Controller")
    #expect(!info.hasScenes)
  }

  @Test func `the vendor identifier depends on vendor and device`() {
    let one = VendorIdentifier.of(app: "com.contoso.notes", device: "phone")
    #expect(one == VendorIdentifier.of(app: "com.contoso.mail", device: "phone"))
    #expect(one != VendorIdentifier.of(app: "org.example.notes", device: "phone"))
    #expect(one != VendorIdentifier.of(app: "com.contoso.notes", device: "tablet"))
  }
}
