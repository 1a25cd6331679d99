import EventLoop
import Model
import TestSupport
import Testing

@testable import Host

/// Whether guests have PID namespaces here, without which nobody knows what a program has started.
private let hasNamespaces = Zygote.refusal() == 0

extension RealProcesses {
  /// Programs that start more processes than they may, or take more memory in them. None has more than 200 processes or
  /// 512 MiB, whatever becomes of it.
  @Suite(.enabled(if: hasNamespaces, "this kernel gives an ordinary user no namespaces"))
  struct ProgramWatchTests {
    private static func lab() throws -> Lab {
      try Lab {
        $0.limits.processes = 64
        $0.limits.memory = 256 << 20
      }
    }

    private static func text(ofEndIn lab: Lab) -> String? {
      lab.events.lazy.compactMap { event in
        if case .guestExited("hostile", _, let text) = event { text } else { nil }
      }.first
    }

    @Test(arguments: [
      (["200", "0"], "processLimit", "killed: more than 64 processes and threads"),
      (["16", "33554432"], "memoryLimit", "killed: more than 256 MiB of memory"),
    ])
    func `who starts too much is ended alone, with all of it`(
      amount: [String], cause: String, text: String
    ) throws {
      let lab = try Self.lab()
      try lab.app("viewer")
      try lab.hostile("breed", amount)
      let process = try #require(lab.device.guests.processIdentifier(of: "hostile"))
      let namespace = try #require(ProcessFolder(of: process).namespace)
      lab.waitAsTimePasses("its end") { !lab.device.guests.isRunning("hostile") }
      #expect(lab.exits(of: "hostile") == [cause])
      #expect(Self.text(ofEndIn: lab) == text)
      #expect(lab.device.guests.isRunning("viewer"))
      lab.waitAsTimePasses("the end of its children") {
        !ProcessFolder.descendants().contains { $0.namespace == namespace }
      }
      try lab.expectService()
      lab.close()
    }

    @Test func `what processes share is counted once`() throws {
      let lab = try Self.lab()
      try lab.hostile("breed-from", ["16", "33554432"])
      try lab.app("viewer")
      let process = try #require(lab.device.guests.processIdentifier(of: "hostile"))
      let census = ProcessCensus(
        programs: ["hostile": process], childless: [], memoryLimit: 256 << 20)
      var extent = ProcessCensus.Extent()
      lab.waitAsTimePasses("its children") {
        extent = census.run()["hostile"] ?? extent
        return extent.threads == 18
      }
      #expect((32 << 20..<256 << 20).contains(extent.resident), "\(extent)")
      #expect(lab.device.guests.isRunning("hostile"))
      lab.close()
    }
  }
}
