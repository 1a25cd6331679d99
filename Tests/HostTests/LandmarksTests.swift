import Declarations
import Foundation
import Model
import Policy
import Secrets
import TestSupport
import Testing

@testable import Host

extension RealProcesses {
  /// The example app on the module ManagedApp, and its administrator's example.
  @Suite(.serverPrograms) struct LandmarksTests {
    /// Where `swift build` puts programs that are linked to Swift's libraries, as this one is.
    private static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().path
    private static let example = URL(fileURLWithPath: Lab.programs).deletingLastPathComponent()
      .appendingPathComponent("examples/declarations/landmarks").path

    /// The example's folder with another text in the configuration, and another password.
    private static func folder(
      _ old: String = "", _ new: String = "", password: String? = nil
    ) throws -> DeclarationSet {
      var files = try DeclarationFolder(at: example).files
      let swap = { (name: String, old: String, new: String) in
        let text = String(decoding: files[name] ?? [], as: UTF8.self)
        files[name] = Array(text.replacing(old, with: new).utf8)
      }
      if !old.isEmpty { swap("data/collection.plist", old, new) }
      if let password { swap("data/classroom.json", "only-for-the-example", password) }
      // Sizes and hashes are those of the files on disk.
      let assets = try #require(
        JSONSerialization.jsonObject(with: Data(files["assets.json"] ?? [])) as? [[String: Any]])
      let open = assets.map { asset in
        var asset = asset
        var payload = asset["Payload"] as? [String: Any] ?? [:]
        var reference = payload["Reference"] as? [String: Any] ?? [:]
        reference["Size"] = nil
        reference["Hash-SHA-256"] = nil
        payload["Reference"] = reference
        asset["Payload"] = payload
        return asset
      }
      files["assets.json"] = try Array(JSONSerialization.data(withJSONObject: open))
      return DeclarationSet(DeclarationFolder(name: "landmarks", files: files))
    }

    private func lab(_ declarations: DeclarationSet?) throws -> Lab {
      let lab = try Lab { $0.state.isMDMEnrolled = true }
      try lab.device.install(
        AppDescription(
          name: "landmarks", bundleID: "com.contoso.landmarks", team: "CONTOSO123",
          program: .executable(path: "\(Self.programs)/landmarks", arguments: []),
          usesDispatch: true))
      if let declarations { try lab.device.management.apply(declarations) }
      lab.launch(["landmarks"])
      return lab
    }

    private func file(_ name: String, in lab: Lab) -> String? {
      let path = lab.device.containerPath(of: "landmarks") + "/\(name)"
      return try? String(contentsOfFile: path, encoding: .utf8)
    }

    private func expect(_ text: String, in name: String, of lab: Lab) {
      lab.wait("`\(name)`") { file(name, in: lab) == text }
    }

    @Test func `the collection is there at first, follows its administrator, and goes with him`()
      throws
    {
      let lab = try lab(Self.folder())
      expect("Rivers and lakes\n1003\n1012\n", in: "collection", of: lab)
      expect("classroom: 20 characters\n", in: "secrets", of: lab)
      try lab.device.management.apply(
        Self.folder("Rivers and lakes", "Mountains", password: "short"))
      expect("Mountains\n1003\n1012\n", in: "collection", of: lab)
      expect("classroom: 5 characters\n", in: "secrets", of: lab)
      try lab.device.management.apply(DeclarationSet())
      expect("", in: "collection", of: lab)
      expect("", in: "secrets", of: lab)
      try lab.device.management.apply(Self.folder())
      expect("Rivers and lakes\n1003\n1012\n", in: "collection", of: lab)
      lab.close()
    }

    @Test(arguments: [
      (
        "<string>Rivers and lakes</string>", "<integer>7</integer>", 1_879_048_195,
        "the value at `collection.name` is no String"
      ),
      (
        "<key>name</key>", "<key>title</key>", 1_879_048_194,
        "the key `name` at `collection` is missing"
      ),
      (
        "<integer>1003</integer>\n      <integer>1012</integer>", "", 100,
        "the collection has no landmarks"
      ),
    ])
    func `what cannot be decoded is nothing for the app, and an event for its administrator`(
      old: String, new: String, code: Int, message: String
    ) throws {
      let lab = try lab(Self.folder(old, new))
      lab.wait("the event") { !lab.device.management.events.isEmpty }
      let event = try #require(lab.device.management.events.first)
      #expect(event.app == "com.contoso.landmarks")
      #expect(event.code == code)
      #expect(event.message == message)
      expect("", in: "collection", of: lab)
      #expect(lab.device.management.statusReport?.json.contains(#""invalid""#) == true)
      // What is put right is taken.
      try lab.device.management.apply(Self.folder())
      expect("Rivers and lakes\n1003\n1012\n", in: "collection", of: lab)
      lab.close()
    }

    @Test func `the key that has signed is nowhere in the app`() throws {
      let lab = try lab(Self.folder())
      lab.wait("a signature") { file("signature", in: lab) != nil }
      let signature = try #require(
        file("signature", in: lab).flatMap {
          Data(base64Encoded: $0.trimmingCharacters(in: .newlines))
        })
      let identity = try #require(lab.device.management.managedIdentities.identities.values.first)
      #expect(
        identity.certificates[0].verifies(
          Array(signature), of: Array("Rivers and lakes".utf8)))
      // The private number is what `ECPrivateKey` (RFC 5915) begins with.
      let key = identity.key.der
      #expect(Array(key[2..<7]) == [2, 1, 1, 4, 32])
      let number = Data(key[7..<39])
      let pid = try #require(lab.device.guests.processIdentifier(of: "landmarks"))
      let memory = try ProcessMemory(of: pid)
      #expect(try memory.contains(Data("com.contoso.landmarks".utf8)))
      #expect(try !memory.contains(number))
      for path in FileManager.default.subpaths(
        atPath: lab.device.containerPath(of: "landmarks")) ?? []
      {
        let content = FileManager.default.contents(
          atPath: lab.device.containerPath(of: "landmarks") + "/" + path)
        #expect(content?.range(of: number) == nil)
      }
      lab.close()
    }
  }
}
