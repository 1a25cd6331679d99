package import JSON

/// The judgement on a machine: the extent to which it keeps each promise, and what no machine keeps.
package struct MachineExamination: Sendable {
  /// One finding for each promise, in the order of ``MachinePromise``.
  package let findings: [PromiseFinding]
  /// Sentences on what remains open on every machine.
  package let remainder = MachineRemainder.all

  /// Judges facts.
  ///
  /// - Parameter guests: the number of guests that the machine is to carry at a time.
  package init(_ facts: MachineFacts, guests: Int) {
    findings = MachinePromise.allCases.map { promise -> PromiseFinding in
      switch promise {
      case .files: .files(facts)
      case .systemCalls: .systemCalls(facts)
      case .network: .network(facts)
      case .processes: .processes(facts)
      case .execution: .execution(facts)
      case .view: .view(facts)
      case .limits: .limits(facts)
      case .controlGroups: .controlGroups(facts)
      case .hostMemory: .hostMemory(facts)
      case .programs: .programs(facts)
      case .descriptors: .descriptors(facts, guests: guests)
      case .processNumbers: .processNumbers(facts, guests: guests)
      case .memory: .memory(facts, guests: guests)
      }
    }
  }

  /// Whether nothing is lacking.
  package var isComplete: Bool { findings.allSatisfy(\.isComplete) }

  /// Writes the judgement as a JSON object.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.array("promises") { writer in
        for finding in findings { finding.write(to: &writer) }
      }
      writer.array("open") { writer in
        for sentence in remainder { writer.string(sentence) }
      }
      writer.member("isComplete", isComplete)
    }
  }
}
