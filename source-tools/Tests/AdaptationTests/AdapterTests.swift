import Adaptation
import Foundation
import Output
import SwiftSources
import Testing

@Suite struct AdapterTests {
  @Test(arguments: [
    ("@objc func f() {}", "func f() {}"),
    ("@objc(tap:) func f() {}", "func f() {}"),
    ("@objcMembers\nclass A {}", "\nclass A {}"),
    (
      "class A {\n  @IBOutlet  weak var b: B! // @IBOutlet\n}",
      "class A {\n  weak var b: B! // @IBOutlet\n}"
    ),
    (
      "class A {\n  @IBOutlet  private weak var b: UILabel!\n}",
      "class A {\n  private var b: UILabel! = UILabel()\n}"
    ),
    ("class A { @IBOutlet var b: UIView! // a\n}", "class A { var b: UIView! = UIView() // a\n}"),
    ("class A { @IBOutlet var b: UIView? }", "class A { var b: UIView? }"),
    (
      "class A { @IBOutlet var b: UIView! { didSet {} } }",
      "class A { var b: UIView! { didSet {} } }"
    ),
    (
      "@nonobjc @discardableResult func f() -> Int { 1 }",
      "@discardableResult func f() -> Int { 1 }"
    ),
    ("@UIApplicationMain\nclass A {}", "@main\nclass A {}"),
    ("import os.log", "import os"),
    ("@preconcurrency import UIKit.UIView", "@preconcurrency import UIKit"),
    ("import struct Foundation.URL", "import struct Foundation.URL"),
    ("let k = #keyPath(Player.item.name)", "let k = \"item.name\""),
    ("let k = #keyPath(name)", "let k = \"name\""),
    (
      "@available(iOS 13, *) @objc enum E: Int { case a }",
      "@available(iOS 13, *) enum E: Int { case a }"
    ),
  ])
  func `Objective-C attributes, key paths and submodule imports are replaced or removed`(
    text: String, expected: String
  ) throws {
    #expect(try Adapting.text(text) == expected)
  }

  @Test(arguments: [
    ("#if os(iOS)\na()\n#endif", "#if os(Linux)\na()\n#endif"),
    (
      "#if os(macOS)\na()\n#elseif DEBUG && !os( iOS ) || os(tvOS)\nb()\n#else\nc()\n#endif",
      "#if os(macOS)\na()\n#elseif DEBUG && !os( Linux ) || os(tvOS)\nb()\n#else\nc()\n#endif"
    ),
    ("#if iOS || canImport(iOS)\n#endif", "#if iOS || canImport(iOS)\n#endif"),
    ("func os(_ iOS: Int) {}; os(iOS)", "func os(_ iOS: Int) {}; os(iOS)"),
  ])
  func `conditions for iOS become conditions for Linux`(text: String, expected: String) throws {
    #expect(try Adapting.text(text) == expected)
  }

  @Test(arguments: [
    (
      "// A model.\n@preconcurrency import UIKit\nclass A: ObservableObject { @Published var a = 1 }",
      "// A model.\nimport Combine; @preconcurrency import UIKit\nclass A: ObservableObject { @Published var a = 1 }"
    ),
    (
      "import os.log\nlet a: Set<AnyCancellable> = []",
      "import Combine; import os\nlet a: Set<AnyCancellable> = []"
    ),
    ("import Combine\nlet a: AnyCancellable?", "import Combine\nlet a: AnyCancellable?"),
    (
      "import SwiftUI\nclass A: ObservableObject {}", "import SwiftUI\nclass A: ObservableObject {}"
    ),
    ("class A: ObservableObject {}", "class A: ObservableObject {}"),
    (
      "import UIKit\n// ObservableObject\nclass A {}",
      "import UIKit\n// ObservableObject\nclass A {}"
    ),
  ])
  func `Combine is imported in files that use it through Foundation`(text: String, expected: String)
    throws
  {
    #expect(try Adapting.text(text) == expected)
  }

  @Test(arguments: [
    ("#selector(f)", "Selector(\"f(_:)\", A.f)"),
    ("#selector(f(_:))", "Selector(\"f(_:)\", A.f(_:))"),
    ("#selector(self.f(_:))", "Selector(\"f(_:)\", A.f(_:))"),
    ("#selector(B.f(_:))", "Selector(\"f(_:)\", B.f(_:))"),
    ("#selector(f(_:) as (A) -> (Int) -> Void)", "Selector(\"f(_:)\", A.f(_:))"),
  ])
  func `a selector expression is replaced by the method's name and a reference to the method`(
    selector: String, expected: String
  ) throws {
    let text = "class A { let s = SELECTOR\n  func f(_ n: Int) {} }"
    #expect(
      try Adapting.text(text.replacing("SELECTOR", with: selector))
        == text.replacing("SELECTOR", with: expected))
  }

  @Test func `a selector in an extension of a nested type names the type`() throws {
    let text = "extension A.B { func g() { use(#selector(f)) }; func f() {} }"
    #expect(try Adapting.text(text).contains("use(Selector(\"f()\", A.B.f))"))
  }

  @Test func `selectors of methods in other files are adapted`() throws {
    let sources = try [
      "class A { @objc func f() {} }", "extension A { func g() { use(#selector(f)) } }",
    ]
    .enumerated().map { try ParsedSource(Array($1.utf8), file: "\($0).swift") }
    let adapted = Adapter(sources).adapt(sources[1])
    #expect(adapted.warnings.isEmpty)
    #expect(String(decoding: adapted.contents, as: UTF8.self).contains("Selector(\"f()\", A.f)"))
  }

  @Test func `optional requirements of Objective-C protocols get default implementations`() throws {
    let text = """
      @objc public protocol P {
        func a()
        @objc optional func b(_ x: Int)
        @objc optional func c() -> String?
        @objc optional var d: String? { get set }
        @objc optional subscript(i: Int) -> String? { get }
      }
      class C { weak var p: P?; var done: (() -> Void)?
        func f() { p?.b?(1); _ = p?.c?(); self.done?() } }
      """
    #expect(
      try Adapting.text(text) == """
        public protocol P: AnyObject {
          func a()
          func b(_ x: Int)
          func c() -> String?
          var d: String? { get set }
          subscript(i: Int) -> String? { get }
        }
        class C { weak var p: P?; var done: (() -> Void)?
          func f() { p?.b(1); _ = p?.c(); self.done?() } }

        // Generated by sluice code adapt: default implementations of optional requirements.
        extension P {
          public func b(_ x: Int) {}
          public func c() -> String? { nil }
          public var d: String? { get { nil } set {} }
          public subscript(i: Int) -> String? { nil }
        }

        """)
  }

  @Test(arguments: [
    ("class A { @NSManaged var x: Int }", "managedProperty"),
    ("class A { @objc dynamic var x = 1 }", "dynamicMember"),
    ("let s = NSSelectorFromString(\"a\")", "stringSelector"),
    ("let s = Selector(\"a\")", "stringSelector"),
    ("class A { func g() { use(#selector(f)) } }", "unknownSelector"),
    ("class A { let s = #selector(getter: x); var x = 1 }", "propertySelector"),
    ("x.perform(#selector(A.f), with: nil); class A { func f() {} }", "performSelector"),
    ("let o = x.observe(\\.name) { _, _ in }", "keyPathObserver"),
    ("if x.responds(to: s) {}", "respondsTo"),
    ("@objc protocol P { @objc optional func n() -> Int }", "optionalResult"),
    ("class A { static func f() {}; func g() { use(#selector(A.f)) } }", "staticSelector"),
    ("import SwiftUI\nstruct A: View { struct B: View {} }", "drawing"),
    ("import SwiftUI\n@main struct A: App {}", "drawing"),
    ("import WebKit", "unknownModule"), ("@testable import Alamofire", "unknownModule"),
    ("import struct CryptoKit.SHA256", "unknownModule"),
    (
      "class A { func f(a: Int = 1, b: Int = 2) {}; func g() { use(#selector(f)) } }",
      "selectorParameters"
    ),
  ])
  func `source constructs that the adapter does not support cause warnings`(
    text: String, rule: String
  ) throws {
    #expect(try Adapting.adapt(text).warnings.map(\.rule) == [rule])
  }

  @Test(arguments: [
    "queue.perform { }", "context.perform(action)", "let s = Selector(\"f()\", A.f)",
  ])
  func `code that only resembles Objective-C selectors causes no warning`(text: String) throws {
    #expect(try Adapting.adapt(text).warnings.isEmpty)
  }

  @Test func `the adaptation summary counts the changes of each kind`() throws {
    let adapted = try Adapting.adapt(
      "class A { @objc func f() {}; @objc func g() { use(#selector(f)) } }")
    #expect(adapted.summary == "a.swift: 2 attributes, 1 selector")
    #expect(try Adapting.adapt("let a = 1").summary == nil)
  }

  @Test(arguments: [
    "import UIKit", "public import Foundation", "import class UIKit.UIView",
    "#if canImport(WebKit)\nimport WebKit\n#endif",
  ])
  func `imports of available modules, or within canImport, cause no warning`(text: String) throws {
    #expect(try Adapting.adapt(text).warnings.isEmpty)
  }

  @Test func `each product of the ios-modules package is a known module`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../ios-modules/Package.swift")
    let text = try String(contentsOf: root.standardizedFileURL, encoding: .utf8)
    let products = try #require(text.firstRange(of: "products: ["))
    let end = try #require(text.firstRange(of: "dependencies: ["))
    let names = text[products.upperBound..<end.lowerBound].matches(of: /"([A-Za-z]+)"/)
      .map { String($0.output.1) }
    #expect(names.count > 10)
    for name in names { #expect(try Adapting.adapt("import \(name)").warnings.isEmpty, "\(name)") }
  }

  @Test func `a second type with an entry point in the sources causes a warning`() throws {
    let sources = try ["@main class A {}", "@UIApplicationMain class B {}", "class C {}"]
      .enumerated().map { try ParsedSource(Array($1.utf8), file: "\($0).swift") }
    let adapter = Adapter(sources)
    #expect(sources.map { adapter.adapt($0).warnings.map(\.rule) } == [[], ["secondEntry"], []])
  }
}
