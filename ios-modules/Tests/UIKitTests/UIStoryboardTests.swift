internal import Foundation
internal import Testing
@testable internal import UIKit

final class StoredController: UIViewController {
  var isDecoded = false
  required init?(coder: NSCoder) {
    super.init(coder: coder)
    isDecoded = true
  }
}

@MainActor @Suite struct UIStoryboardTests {
  private let storyboard = UIStoryboard(
    name: "Main",
    source: """
      <?xml version="1.0" encoding="UTF-8"?>
      <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" initialViewController="a-1">
          <scenes>
              <scene sceneID="s-1">
                  <objects>
                      <navigationController id="a-1" sceneMemberID="viewController">
                          <connections>
                              <segue destination="a-2" kind="relationship" relationship="rootViewController" id="x"/>
                          </connections>
                      </navigationController>
                      <placeholder placeholderIdentifier="IBFirstResponder" id="r-1"/>
                  </objects>
              </scene>
              <scene sceneID="s-2">
                  <objects>
                      <viewController storyboardIdentifier="Log In" title="A &amp; B" id="a-2"
                          customClass="UIKitTests.StoredController" customModule="Mail" sceneMemberID="viewController">
                          <view key="view" id="v-1"/>
                          <connections><segue destination="a-1" kind="show" id="y"/></connections>
                      </viewController>
                  </objects>
              </scene>
          </scenes>
      </document>
      """)

  @Test func `a storyboard's initial navigation controller is created with its children`() throws {
    let stack = try #require(
      storyboard.instantiateInitialViewController() as? UINavigationController)
    #expect(stack.viewControllers.map(\.title) == ["A & B"])
    #expect((stack.topViewController as? StoredController)?.isDecoded == true)
    #expect(stack.storyboard === storyboard && stack.topViewController?.storyboard === storyboard)
  }

  @Test func `a storyboard source finds a view controller's class by its identifier`() throws {
    let scenes = StoryboardScenes(
      "<document><viewController id=\"a\" customClass=\"C\" storyboardIdentifier=\"c\"/></document>"
    )
    #expect(scenes.initial == nil)
    #expect(scenes.scene("c")?.className == "C")
    #expect(scenes.scene("d") == nil)
  }

  @Test func `a storyboard without a file has no initial view controller`() {
    #expect(UIStoryboard(name: "None", bundle: nil).instantiateInitialViewController() == nil)
  }

  @Test func `a segue has its source, destination and identifier`() {
    let (page, next) = (UIViewController(), UIViewController())
    let segue = UIStoryboardSegue(identifier: "next", source: page, destination: next)
    page.prepare(for: segue, sender: nil)
    segue.perform()
    #expect(page.presentedViewController == nil)
    #expect(segue.source === page && segue.destination === next && segue.identifier == "next")
    #expect(page.shouldPerformSegue(withIdentifier: "next", sender: nil))
  }
}
