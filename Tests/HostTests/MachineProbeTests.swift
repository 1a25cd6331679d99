import EventLoop
import JSON
import Testing

@testable import Host

extension RealProcesses {
  /// What is found of this machine.
  @Suite struct MachineProbeTests {
    private static func facts(guest: String = "sluice-guest") -> MachineFacts {
      MachineProbe(
        .init(guest: "\(Lab.programs)/\(guest)", launch: "\(Lab.programs)/sluice-launch")
      ).facts()
    }

    @Test func `the JSON agrees with how guests are confined`() throws {
      let examination = MachineExamination(Self.facts(), guests: 1)
      let json = try JSONReader.read(JSONWriter.line { examination.write(to: &$0) })
      let promises = json["promises"]?.array ?? []
      func isKept(_ promise: MachinePromise) -> Bool {
        promises.first { $0["name"]?.string == promise.rawValue }?["state"]?.string == "kept"
      }
      #expect(promises.compactMap { $0["name"]?.string } == MachinePromise.allCases.map(\.rawValue))
      #expect(isKept(.files) == Lab.canConfineFully)
      for promise in MachinePromise.allCases {
        guard let guarantee = promise.guarantee else { continue }
        #expect(isKept(promise) == Lab.promises.contains(guarantee), "\(promise)")
      }
      // Without these no other test would pass.
      for promise in [MachinePromise.limits, .hostMemory, .descriptors, .memory] {
        #expect(isKept(promise), "\(promise)")
      }
    }

    @Test func `where a program is missing, nothing is said of namespaces`() {
      let facts = Self.facts(guest: "no-guest")
      #expect(facts.programFailures.count == 1)
      #expect(facts.promises == [])
      let examination = MachineExamination(facts, guests: 1)
      #expect(!examination.isComplete)
      #expect(examination.findings.filter { $0.finding.hasPrefix("not tried") }.count == 4)
    }
  }
}
