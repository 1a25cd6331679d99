import Foundation
import JSON
import TestSupport
import Testing

extension RealProcesses {
  /// Requests that are little to send and much to do: whoever else asks is answered, and signals are obeyed.
  @Suite struct HostileRequestTests {
    private static let send = Repository.path("scenarios/criteria/SEND.yaml")
    private static let status = #"{"jsonrpc":"2.0","id":"s","method":"status"}"#

    private func request(_ method: String, _ parameters: String) -> String {
      #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"# + "\n"
    }

    /// A step as YAML text.
    private func step(_ yaml: String) -> String {
      var writer = JSONWriter()
      writer.string(yaml)
      return request("step", "[\(String(decoding: writer.bytes, as: UTF8.self))]")
    }

    private var bombs: [(what: String, request: String)] {
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
        ("aliases that are keys", step(keys + "- { ? *i10 : 1 }")),
        ("an alias that is the key of itself", step("a: &i { x: 1 }\n? *i : 1")),
        ("aliases", step("launch: [&a mail\(aliases)]")),
        ("directives", step(directives + "---\nlaunch: mail")),
        ("steps", request("concurrently", "[[\(launches)]]")),
        ("combining marks", request("advance", #"["\#(marks)"]"#)),
        ("canaries", request("residue", #"{"account":"anna","canaries":["\#(canary)"]}"#)),
      ]
    }

    @Test func `bombs are refused, and the device goes on`() throws {
      let device = try UpDevice(Self.send)
      for bomb in bombs {
        let client = try Client(device.socket)
        try client.send(bomb.request)
        #expect(try client.answer()?["error"]?["code"]?.int == -32602, "\(bomb.what)")
      }
      #expect(try Client(device.socket).ask(Self.status)?["result"]?["steps"]?.int == 0)
      kill(device.process.processIdentifier, SIGTERM)
      device.process.waitUntilExit()
      #expect(device.process.terminationReason == .exit)
      #expect(device.process.terminationStatus == 0)
    }

    @Test func `a search for residue keeps nobody from being answered, and ends with the device`()
      throws
    {
      let device = try UpDevice(Self.send)
      let folder = try #require(
        try Client(device.socket).ask(Self.status)?["result"]?["folder"]?.string)
      let container = "\(folder)/Containers/mail"
      try FileManager.default.createDirectory(
        atPath: container, withIntermediateDirectories: true)
      let file = try #require(
        FileManager.default.createFile(atPath: "\(container)/1", contents: nil)
          ? FileHandle(forWritingAtPath: "\(container)/1") : nil)
      // Data enough for minutes, and all of it the same: one piece, again and again.
      try file.write(contentsOf: Data(repeating: 1, count: 4 << 20))
      try file.close()
      for number in 2...2_000 { link("\(container)/1", "\(container)/\(number)") }
      let searcher = try Client(device.socket)
      try searcher.send(request("residue", #"{"account":"anna"}"#))
      let other = try Client(device.socket)
      var isBusy = false
      // Where the search has the thread, nobody tells of it before it has its answer.
      try waitUntil("the search goes on, or is over") {
        isBusy = try other.ask(Self.status)?["result"]?["busy"]?.bool == true
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
