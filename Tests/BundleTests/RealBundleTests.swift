@testable import Bundle
import Foundation
import Output
import Testing
import TestSupport

/// Tests property lists of real apps, if they are available.
@Suite(.enabled(if: RealFiles.areThere, "there is no ../shared/real"))
struct RealBundleTests {
  private static var settings: BuildSettings {
    var settings = BuildSettings(team: "TEAM123456")
    settings["PRODUCT_BUNDLE_IDENTIFIER"] = "org.example.app"
    settings["PRODUCT_NAME"] = "Example"
    return settings
  }

  @Test(arguments: RealFiles.all)
  func `bundle fix repairs all repairable findings in property lists of real apps`(file: String)
    throws
  {
    let folder = try Workspace()
    let copy = folder.path((file as NSString).lastPathComponent)
    try FileManager.default.copyItem(atPath: file, toPath: copy)
    let input = try BundleInput(at: copy, settings: Self.settings)
    #expect(!BundleView.text(of: input).isEmpty)
    let findings = BundleReport.findings(about: input)
    #expect(!findings.contains { [.unreadable, .ruleInvalid].contains($0.rule) })
    if case .bundle(let bundle, _) = input, bundle.kind.isOfferedByRule {
      #expect(bundle.info.appExtension?.activationRule != nil)
      #expect(findings.contains { $0.rule == .ruleUnprefixed })
    }
    for fix in try BundleFixer.fixes(of: input) { try BundleFile.replace(copy, with: fix.after) }
    let fixed = try BundleInput(at: copy, settings: Self.settings)
    #expect(try BundleFixer.fixes(of: fixed).isEmpty)
    let left = BundleReport.findings(about: fixed)
    #expect(!left.contains { !$0.repairs.isEmpty || $0.rule == .ruleUnprefixed })
  }

  @Test(arguments: RealFiles.all, [UInt64(1), 2])
  func `mutated property lists never crash the bundle linter`(file: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let original = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    for _ in 0..<60 {
      var bytes = original
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) {
          bytes[index] = .random(in: 0x20...0x7E, using: &random)
        } else {
          bytes.removeSubrange(index..<min(bytes.count, index + 3))
        }
      }
      guard let list = try? PropertyList(bytes, file: file),
        let bundle = try? AppBundle(list, entitlements: nil, settings: Self.settings, path: file)
      else { continue }
      for fix in try BundleFixer.fixes(of: .bundle(bundle, in: nil)) {
        #expect(try PropertyList(fix.after, file: file).top != list.top)
      }
    }
  }
}

/// Property lists that the project may not distribute.
enum RealFiles {
  static let all: [String] = ["../shared/real", "../../shared/real"].flatMap { folder in
    ["extensions", "apps"].flatMap { part in files(in: Repository.path("\(folder)/\(part)")) }
  }

  private static func files(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().map {
      "\(folder)/\($0)"
    }
  }

  static let areThere = !all.isEmpty
}
