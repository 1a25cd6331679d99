import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests requests that are short to send but expensive to handle. Other clients must still be
  /// answered, and signals obeyed.
  @Suite struct HostileRequestTests {
    private static let send = Repository.path("scenarios/criteria/SEND.yaml")

    /// Returns the parameters of a step in YAML.
    private func step(_ yaml: String) -> String {
      var writer = JSONWriter()
      writer.string(yaml)
      return "[\(String(decoding: writer.bytes, as: UTF8.self))]"
    }

    private var bombs: [(what: String, method: String, parameters: String)] {
      var keys = "- &i0 { x: 1 }\n"
      for level in 1...10 {
        keys += "- &i\(level) { ? *i\(level - 1) : 1, ? [*i\(level - 1)] : 2 }\n"
      }
      let aliases = String(repeating: ", *a", count: 200_000)
      let directives = (0..<60_000).map { "%TAG !t\($0)! x\n" }.joined()
      let launches = Array(repeating: #"{"launch":["mail"]}"#, count: 40_000).joined(separator: ",")
      let marks = String(repeating: "\u{301}", count: 160_000)
      let canary = String(repeating: "c", count: 900_000)
      return [
        ("aliases that are keys", "step", step(keys + "- { ? *i10 : 1 }")),
        ("an alias that is the key of itself", "step", step("a: &i { x: 1 }\n? *i : 1")),
        ("aliases", "step", step("launch: [&a mail\(aliases)]")),
        ("directives", "step", step(directives + "---\nlaunch: mail")),
        ("steps", "concurrently", "[[\(launches)]]"),
        ("combining marks", "advance", #"["\#(marks)"]"#),
        ("canaries", "residue", #"{"account":"anna","canaries":["\#(canary)"]}"#),
      ]
    }

    @Test func `decompression and nesting bombs are rejected, and the device keeps running`() throws
    {
      let device = try UpDevice(Self.send)
      for bomb in bombs {
        let client = try Client(device.socket)
        try client.post(bomb.method, bomb.parameters)
        #expect(try client.answer()?["error"]?["code"]?.int == -32602, "\(bomb.what)")
      }
      #expect(try Client(device.socket).status()?["steps"]?.int == 0)
      kill(device.process.processIdentifier, SIGTERM)
      device.process.waitUntilExit()
      #expect(device.process.terminationReason == .exit)
      #expect(device.process.terminationStatus == 0)
    }

    @Test func `a residue search blocks neither other clients nor the device's shutdown`() throws {
      let device = try UpDevice(Self.send)
      let folder = try #require(try Client(device.socket).status()?["folder"]?.string)
      let container = "\(folder)/Containers/mail"
      try FileManager.default.createDirectory(atPath: container, withIntermediateDirectories: true)
      let file = try #require(
        FileManager.default.createFile(atPath: "\(container)/1", contents: nil)
          ? FileHandle(forWritingAtPath: "\(container)/1") : nil)
      // One repeated piece is enough data for minutes.
      try file.write(contentsOf: Data(repeating: 1, count: 4 << 20))
      try file.close()
      for number in 2...2_000 { link("\(container)/1", "\(container)/\(number)") }
      let searcher = try Client(device.socket)
      try searcher.post("residue", #"{"account":"anna"}"#)
      let other = try Client(device.socket)
      var isBusy = false
      // The search blocks the thread, so its progress is not visible before its answer.
      try waitUntil("the search must still run or have ended") {
        isBusy = try other.status()?["busy"]?.bool == true
        return isBusy || searcher.hasReceived
      }
      #expect(isBusy)
      kill(device.process.processIdentifier, SIGTERM)
      device.process.waitUntilExit()
      #expect(device.process.terminationReason == .exit)
      #expect(device.process.terminationStatus == 0)
      #expect(try searcher.answer()?["result"]?["holds"]?.bool == false)
    }
  }
}
