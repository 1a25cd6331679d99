internal import Testing

@testable internal import UIKit

@Suite struct InfoDictionaryTests {
  @Test func aManifestNamesTheDelegateOfScenes() {
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

  @Test func anExtensionNamesItsPrincipalClass() {
    let info = InfoDictionary(["NSExtension": ["NSExtensionPrincipalClass": "Share.Controller"]])
    #expect(info.principalClass == "Share.Controller")
    #expect(!info.hasScenes)
  }

  @Test func identifiersForVendorsDependOnVendorAndDevice() {
    let one = VendorIdentifier.of(app: "com.contoso.notes", device: "phone")
    #expect(one == VendorIdentifier.of(app: "com.contoso.mail", device: "phone"))
    #expect(one != VendorIdentifier.of(app: "org.example.notes", device: "phone"))
    #expect(one != VendorIdentifier.of(app: "com.contoso.notes", device: "tablet"))
  }
}
