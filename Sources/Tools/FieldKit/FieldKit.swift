internal import Analysis
internal import Encodings
package import Model
internal import Output

/// The smallest set of experiments that distinguishes the engine from all known alternatives to its open rules.
package struct FieldKit: Sendable {
  /// The chosen experiments, grouped by policy.
  package let experiments: [Experiment]
  /// The alternatives that the experiments distinguish from the engine. An alternative with the same outcomes as an
  /// earlier alternative in every experiment is left out.
  package let alternatives: [Alternative]
  /// The rules that the user asked to settle; nil for all open rules.
  private let asked: Set<Rule>?

  /// Chooses the experiments.
  ///
  /// - Parameter missing: The requirements that the user cannot meet. Experiments with such a requirement are left out.
  package init(
    from candidates: [Experiment] = Experiment.all,
    among alternatives: [Alternative] = Alternative.all,
    about asked: Set<Rule>? = nil, without missing: Set<Experiment.Need> = []
  ) {
    self.asked = asked
    let candidates = candidates.filter { missing.isDisjoint(with: $0.needs) }
    var seen: Set<[Outcome]> = [candidates.map(\.verdict.outcome)]
    var rows = Array(seen)
    self.alternatives = alternatives.filter { alternative in
      guard asked?.isDisjoint(with: alternative.rules) != true else { return false }
      let row = candidates.map { alternative.outcome(of: $0.question) }
      guard seen.insert(row).inserted else { return false }
      rows.append(row)
      return true
    }
    let chosen = Self.smallestSet(separating: rows)
    experiments = candidates.indices.filter(chosen.contains).map { candidates[$0] }
  }

  /// Returns the smallest set of column numbers such that no two rows have equal values in all of these columns. Rows
  /// must be different and equally long.
  static func smallestSet(separating rows: [[Outcome]]) -> Set<Int> {
    var needed: [Set<Int>] = []
    for (index, row) in rows.enumerated() {
      for other in rows[..<index] {
        needed.append(Set(row.indices.filter { row[$0] != other[$0] }))
      }
    }
    // An element of a set is also in its supersets, so only the minimal sets must be hit.
    needed.sort { $0.count < $1.count }
    var minimal: [Set<Int>] = []
    for set in needed where !minimal.contains(where: set.isSuperset) { minimal.append(set) }
    for size in 0... {
      if let chosen = hittingSet(of: minimal[...], atMost: size) { return chosen }
    }
    preconditionFailure("two rows are equal")
  }

  /// Returns a set of at most `size` elements that contains an element of each set in `sets`; nil if there is none.
  private static func hittingSet(of sets: ArraySlice<Set<Int>>, atMost size: Int) -> Set<Int>? {
    guard let first = sets.first else { return [] }
    // Each of several disjoint sets needs its own element.
    var taken: Set<Int> = []
    let disjoint = sets.count { set in
      guard taken.isDisjoint(with: set) else { return false }
      taken.formUnion(set)
      return true
    }
    guard disjoint <= size else { return nil }
    for element in first.sorted() {
      let rest = sets.filter { !$0.contains(element) }
      if let chosen = hittingSet(of: rest[...], atMost: size - 1) {
        return chosen.union([element])
      }
    }
    return nil
  }

  // MARK: Facts

  package var policies: [KitPolicy] {
    KitPolicy.all.filter { policy in experiments.contains { $0.policy.name == policy.name } }
  }

  package var needs: [Experiment.Need] {
    Experiment.Need.allCases.filter { need in experiments.contains { $0.needs.contains(need) } }
  }

  /// The rules that the experiments settle.
  package var rules: [Rule] {
    let settled = Set(alternatives.flatMap(\.rules))
    return Rule.allCases.filter(settled.contains)
  }

  /// The requested rules that no experiment of the kit settles. By default, all open rules are requested.
  package var unsettledRules: [Rule] {
    let unsettled = (asked ?? Set(Rule.open)).subtracting(rules)
    return Rule.allCases.filter(unsettled.contains)
  }

  /// The open statements that apply to all releases and on which no alternative of the kit is based. Empty if the user
  /// asked to settle only some rules.
  var unsettledStatements: [Statement] {
    let settled = Set(alternatives.compactMap(\.statement))
    guard asked == nil else { return [] }
    return Statement.all.filter { !$0.holds && $0.sdk == nil && !settled.contains($0.file) }
  }

  /// The questions that the kit does not settle. Each is a sentence with the name to pass to `sluice evidence`.
  private var unsettled: [(sentence: String, name: String)] {
    unsettledRules.map { ("\($0.text(for: .device).capitalizedStart).", $0.rawValue) }
      + unsettledStatements.map { ($0.text, $0.file + ".yaml") }
  }

  /// Returns the conclusions from an observed outcome, as sentences with code in backticks.
  package func meaning(of outcome: Outcome, in experiment: Experiment) -> [String] {
    if outcome == experiment.verdict.outcome {
      return experiment.subjects.map { "Confirms `\($0.rawValue)` (\($0.standing.text))." }
    }
    let found = alternatives.filter { $0.outcome(of: experiment.question) == outcome }
    return found.isEmpty
      ? ["Contradicts Sluice, and no known alternative explains it."]
      : found.map { "Supports: \($0.text)." }
  }
}

// MARK: - Text

extension FieldKit {
  /// The experiments as text with a final line break.
  package var text: String {
    var sections = [[summary]]
    if !needs.isEmpty {
      sections.append(
        ["Needed in addition to a phone and a test tenant:"]
          + needs.map { "  \($0.rawValue): \($0.text)" })
    }
    for (policy, some) in byPolicy {
      let title = "\(policy.name): \(policy.summary)".wrapped(to: 118, indentedBy: "  ")
      sections.append(
        title + some.map { "  \($0.number) \($0.experiment.name): \($0.experiment.title)" })
    }
    if !unsettled.isEmpty {
      sections.append(
        ["Not settled:"]
          + unsettled.flatMap { "  \($0) (\($1))".wrapped(to: 118, indentedBy: "    ") })
    }
    return sections.map(\.joinedLines).joined(separator: "\n")
  }

  private var summary: String {
    "\(experiments.count.counting("experiment")) settle \(rules.count.counting("rule")) and distinguish Sluice from "
      + "\(alternatives.count.counting("alternative"))"
  }

  /// The policies, each with its experiments and their numbers.
  private var byPolicy: [(policy: KitPolicy, experiments: [(number: Int, experiment: Experiment)])]
  {
    policies.map { policy in
      let some = experiments.enumerated().filter { $0.element.policy.name == policy.name }
      return (policy, some.map { ($0.offset + 1, $0.element) })
    }
  }

  // MARK: Form

  /// The form as YAML, with an empty field for each observation.
  package var form: String {
    var lines = [
      "# The form of the field kit. Leave `observed` empty for experiments that were not carried out.",
      "# `sluice evidence add` reads it.",
      "at:     # the https:// address at which this form is published",
      "title:  # the title of that page",
      "date:   # the day of the experiments, such as 2026-12-01",
      "ios:    # the version of iOS, such as 26.1",
      "observations:",
    ]
    for (_, some) in byPolicy {
      for (number, experiment) in some {
        lines.append("# \(number). \(experiment.title)")
        for observation in experiment.observations {
          lines.append("#    \(observation.outcome.rawValue): \(observation.text)")
        }
        lines += ["- experiment: \(experiment.name)", "  observed:", "  note:"]
      }
    }
    return lines.joinedLines
  }
}

// MARK: - Page

extension FieldKit {
  /// The kit as one self-contained HTML page for printing.
  package var html: String {
    HTMLWriter.page(
      title: "Field kit",
      lead: [
        summary + ".",
        "Note what you see, not what you expect. Enter it in the form; `sluice evidence add form.yaml` checks it and writes the statements.",
      ], style: Self.style
    ) { writer in
      writePreparation(to: &writer)
      for (policy, some) in byPolicy {
        writer.element("section") { writer in
          writer.element("h2", text: "Policy \(policy.name)")
          writer.line("p") { $0.prose(policy.summary) }
          for (number, experiment) in some { write(experiment, number, to: &writer) }
        }
      }
      writeUnsettled(to: &writer)
    }
  }

  private static let style = """
    main { max-width: 50em }
    article { break-inside: avoid; border-top: 1px solid var(--line); padding: .4em 0 .8em }
    td:first-child { width: 40% }
    .note { border-bottom: 1px solid var(--faint); min-height: 2.2em; color: var(--faint) }
    """

  private func writePreparation(to writer: inout HTMLWriter) {
    writer.element("h2", text: "Preparation")
    writer.element("ul") { writer in
      writer.element("li", text: "A phone with the apps below, and Anna, a user of a test tenant.")
      for need in needs { writer.element("li", text: need.text.capitalizedStart + ".") }
      for text in [
        "Import each policy: send its file as the body of `POST https://graph.microsoft.com/beta/deviceAppManagement/iosManagedAppProtections`.",
        "Assign one policy at a time to the users. Before you begin, open `about:intunehelp` in Edge and wait until Outlook and Word have it.",
        "Sign in to Outlook and Word as Anna, unless an experiment states otherwise.",
      ] {
        writer.line("li") { $0.prose(text) }
      }
    }
  }

  private func writeUnsettled(to writer: inout HTMLWriter) {
    guard !unsettled.isEmpty else { return }
    writer.element("h2", text: "Not settled")
    writer.element("ul") { writer in
      for (sentence, name) in unsettled {
        writer.element("li") { writer in
          writer.prose(sentence)
          writer.element("small", text: name)
        }
      }
    }
  }

  private func write(_ experiment: Experiment, _ number: Int, to writer: inout HTMLWriter) {
    writer.element("article", [("id", experiment.name)]) { writer in
      writer.line("h3") { $0.prose("\(number). \(experiment.title)") }
      let apps = experiment.apps.map(\.name).joined(separator: ", ")
      let needs = experiment.needs.map { "; needs \($0.text)" }.joined()
      writer.element("small", text: "\(experiment.name): \(apps)\(needs)")
      writer.element("ol") { writer in
        for step in experiment.steps { writer.line("li") { $0.prose(step) } }
      }
      writer.element("table") { writer in
        writer.element("thead") { writer in
          writer.element("tr") { writer in
            for head in ["Observed", "Meaning"] {
              writer.element("th", [("scope", "col")], text: head)
            }
          }
        }
        writer.element("tbody") { writer in
          for observation in experiment.observations {
            writer.element("tr") { writer in
              writer.element("td") { writer in
                writer.line("div") { $0.prose("☐ " + observation.text.capitalizedStart) }
                writer.element("small", text: observation.outcome.rawValue)
              }
              writer.element("td") { writer in
                for sentence in meaning(of: observation.outcome, in: experiment) {
                  writer.line("div") { $0.prose(sentence) }
                }
              }
            }
          }
        }
      }
      writer.element("div", [("class", "note")], text: "Note:")
    }
  }
}
