@testable import Bundle
import Testing

/// Tests that the number of steps of bundle commands is proportional to their input.
struct StepCountTests {
  /// A construct that a list can contain any number of times.
  struct Plenty: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Returns the body of a list with this number of constructs.
    var body: @Sendable (Int) -> String
  }

  private static func strings(_ key: String, _ strings: [String]) -> String {
    "<key>\(key)</key><array>\(strings.map { "<string>\($0)</string>" }.joined())</array>"
  }

  private static let sdk =
    "<key>CFBundleIdentifier</key><string>org.example.app</string><key>IntuneMAMSettings</key><dict/>"

  private static func rule(_ text: String) -> String {
    """
    <key>NSExtension</key><dict>
    <key>NSExtensionPointIdentifier</key><string>com.apple.services</string>
    <key>NSExtensionAttributes</key><dict><key>NSExtensionActivationRule</key>\(text)</dict>
    </dict>
    """
  }

  static let plenties = [
    Plenty(testDescription: "URL schemes, all in one line") { count in
      "<dict>\(sdk)<key>CFBundleURLTypes</key><array><dict>"
        + strings("CFBundleURLSchemes", (0..<count).map { "scheme\($0)" })
        + "</dict></array></dict>"
    },
    Plenty(testDescription: "types of URLs") { count in
      let types = (0..<count).map {
        "<dict>\(strings("CFBundleURLSchemes", ["scheme\($0)"]))</dict>"
      }
      return "<dict>\(sdk)<key>CFBundleURLTypes</key><array>\n\(types.joined(separator: "\n"))"
        + "\n</array></dict>"
    },
    Plenty(testDescription: "queried schemes that no URL can have") { count in
      "<dict>\(sdk)"
        + strings("LSApplicationQueriesSchemes", (0..<count).map { "sch_eme\($0)" }) + "</dict>"
    },
    Plenty(testDescription: "keys that resemble known keys") { count in
      let keys = (0..<count).compactMap { Unicode.Scalar(0x4E00 + $0) }
        .map { "<key>CFBundleNam\($0)</key><true/>" }
      return "<dict>\(sdk)\(keys.joined())</dict>"
    },
    Plenty(testDescription: "settings that the SDK does not know") { count in
      let keys = (0..<count).map { "<key>Setting\($0)</key><true/>" }.joined()
      return "<dict><key>CFBundleIdentifier</key><string>org.example.app</string>"
        + "<key>IntuneMAMSettings</key><dict>\(keys)</dict></dict>"
    },
    Plenty(testDescription: "declared and undeclared types") { count in
      let types = (0..<count).map {
        "<dict><key>UTTypeIdentifier</key><string>org.example.\($0)</string></dict>"
      }
      return "<dict>\(sdk)<key>UTExportedTypeDeclarations</key><array>\(types.joined())</array>"
        + "<key>CFBundleDocumentTypes</key><array><dict>"
        + strings("LSItemContentTypes", (0..<count).map { "org.example.x\($0)" })
        + "</dict></array></dict>"
    },
    Plenty(testDescription: "types that each conform to the next") { count in
      let types = (0..<count).map {
        "<dict><key>UTTypeIdentifier</key><string>org.example.\($0)</string>"
          + strings("UTTypeConformsTo", ["org.example.\($0 + 1)"]) + "</dict>"
      }
      return "<dict>\(sdk)<key>UTExportedTypeDeclarations</key><array>\(types.joined())</array>"
        + "<key>CFBundleDocumentTypes</key><array><dict>"
        + strings("LSItemContentTypes", (0..<count).map { "org.example.\($0)" })
        + "</dict></array></dict>"
    },
    Plenty(testDescription: "types in a rule") { count in
      let clauses = (0..<count).map {
        "ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO \"org.example.t\($0)\""
      }
      return "<dict>\(sdk)"
        + rule(
          "<string>SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, "
            + clauses.joined(separator: " OR ") + ").@count == 1).@count == 1</string>") + "</dict>"
    },
    Plenty(testDescription: "variables without a value") { count in
      "<dict><key>CFBundleIdentifier</key><string>"
        + (0..<count).map { "$(V\($0))" }.joined() + "</string></dict>"
    },
    Plenty(testDescription: "variables in other variables' names") { count in
      "<dict><key>CFBundleIdentifier</key><string>" + String(repeating: "$(", count: count) + "X"
        + String(repeating: ")", count: count) + "</string></dict>"
    },
  ]

  @Test(arguments: plenties)
  func `the steps of reading a bundle grow linearly with its size`(plenty: Plenty) throws {
    let (few, many) = (try Self.steps(plenty.body(100)), try Self.steps(plenty.body(400)))
    #expect(few > 0)
    #expect(many <= 5 * few, "\(few) steps for 100, \(many) for 400")
  }

  /// Returns the number of steps for linting and fixing a list.
  private static func steps(_ body: String) throws -> Int {
    let meter = StepCounter.Meter()
    try StepCounter.$meter.withValue(meter) {
      let list = try Lists.read(Lists.xml(body))
      let bundle = try AppBundle(
        list, entitlements: nil, settings: BuildSettings(), path: "a.plist")
      _ = BundleReport.findings(about: .bundle(bundle, in: nil))
      _ = try BundleFixer.fixes(of: .bundle(bundle, in: nil))
    }
    return meter.steps
  }

  /// Returns a list of references to the same text of a thousand bytes.
  private static func sharing(_ count: Int) -> [UInt8] {
    let references = [UInt8](repeating: 3, count: count)
    let text = [0x5F, 0x11, 0x03, 0xE8] + [UInt8](repeating: UInt8(ascii: "x"), count: 1000)
    let array = [0xAF, 0x11, UInt8(count >> 8), UInt8(count & 0xFF)] + references
    return Lists.binary(objects: [[0xD1, 1, 2], [0x51, 0x61], array, text])
  }

  @Test func `a string shared within a binary property list is decoded once`() throws {
    for count in [1, 100, 10_000] {
      let meter = StepCounter.Meter()
      let list = try StepCounter.$meter.withValue(meter) { try Lists.read(Self.sharing(count)) }
      #expect(list["a"]?.array?.count == count)
      #expect(meter.steps == 1001, "the bytes of the text and of the key")
    }
  }

  @Test func `a shared string counts toward a property list's size limit at each use`() throws {
    #expect(Lists.refusal(of: Self.sharing(65_535)) == nil)
    // Arrays of the text, nested in each other.
    let arrays = [
      [0xD1, 1, 2], [0x51, 0x61], [0xAF, 0x10, 70] + [UInt8](repeating: 3, count: 70),
    ]
    let inner = [0xAF, 0x11, 0x03, 0xE8] + [UInt8](repeating: 4, count: 1000)
    let text = [0x5F, 0x11, 0x03, 0xE8] + [UInt8](repeating: UInt8(ascii: "x"), count: 1000)
    #expect(
      Lists.refusal(of: Lists.binary(objects: arrays + [inner, text]))
        == "a.plist: error: the texts and data in the list exceed 67108864 bytes; a value that is used several times counts each time [bundle]"
    )
  }

  @Test func `a bundle that declares or refers to more than 4000 types is rejected`() throws {
    func bundle(_ count: Int) throws -> AppBundle {
      let types = (0..<count).map {
        "<dict><key>UTTypeIdentifier</key><string>org.example.t\($0)</string>"
          + "<key>UTTypeConformsTo</key><string>org.example.t\($0 + 1)</string></dict>"
      }
      let body = "<key>UTExportedTypeDeclarations</key><array>\(types.joined())</array>"
      return try AppBundle(
        Lists.read(Lists.xml("<dict>\(body)</dict>")), entitlements: nil,
        settings: BuildSettings(), path: "a.plist")
    }
    #expect(try bundle(2_000).info.declaredTypes.count == 2_000)
    #expect {
      _ = try bundle(2_001)
    } throws: { error in
      "\(error)"
        == "a.plist: error: the property list declares or refers to more than 4000 types [bundle]"
    }
  }

  @Test func `a build variable nested 40,000 levels deep stays unexpanded with the reason tooDeep`()
  {
    let text = String(repeating: "$(", count: 40_000) + "X" + String(repeating: ")", count: 40_000)
    let expanded = BuildSettings(["X": "Y"]).expanding(text)
    #expect(expanded.text == text)
    #expect(expanded.unresolved.map(\.reason) == [.tooDeep])
    let few = String(repeating: "$(", count: 20) + "X" + String(repeating: ")", count: 20)
    let chain = Dictionary(uniqueKeysWithValues: (0..<20).map { ("V\($0)", "V\($0 + 1)") })
    #expect(BuildSettings(chain.merging(["X": "V0"]) { $1 }).expanding(few).text == "V19")
  }

  @Test func `an exponentially growing build configuration is rejected`() {
    let lines = "A = x\n" + String(repeating: "A = $(A)$(inherited)\n", count: 40)
    #expect {
      _ = try BuildConfigurationFile("a.xcconfig") { _ in Array(lines.utf8) }
    } throws: { error in
      "\(error)".contains(
        "a.xcconfig:22: error: with the value of `A`, the values together exceed 4194304 bytes"
      )
    }
    let files = Dictionary(
      uniqueKeysWithValues: (0..<30).map { number in
        ("\(number)", String(repeating: "#include \"\(number + 1)\"\n", count: 2))
      })
    #expect {
      _ = try BuildConfigurationFile("0") { Array((files[$0] ?? "").utf8) }
    } throws: { error in "\(error)".contains("more than 1000 files are included") }
  }
}
