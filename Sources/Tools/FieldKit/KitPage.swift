internal import Analysis
internal import Encodings
internal import Model
internal import Output
internal import Scenario

// MARK: - Text

extension FieldKit {
  /// The experiments as text with a final line break.
  package var text: String {
    var lines = [summary, ""]
    if !needs.isEmpty {
      lines += ["Needed beside a phone and a test tenant:"]
      lines += needs.map { "  \($0.rawValue): \($0.text)" } + [""]
    }
    for (policy, some) in byPolicy {
      lines += "\(policy.name): \(policy.summary)".wrapped(to: 118, indentedBy: "  ")
      for (number, experiment) in some {
        lines.append("  \(number) \(experiment.name): \(experiment.title)")
      }
      lines.append("")
    }
    if !unsettledRules.isEmpty {
      let rules = unsettledRules.map(\.rawValue).joined(separator: ", ")
      lines += "Not settled: \(rules)".wrapped(to: 118, indentedBy: "  ")
    }
    return lines.joinedLines
  }

  private var summary: String {
    "\(experiments.count.counting("experiment")) settle \(rules.count.counting("open rule")) and tell Sluice from "
      + "\(alternatives.count.counting("alternative"))"
  }

  /// The experiments with their numbers, below their policies.
  private var byPolicy: [(policy: KitPolicy, experiments: [(number: Int, experiment: Experiment)])]
  {
    policies.map { policy in
      let some = experiments.enumerated().filter { $0.element.policy.name == policy.name }
      return (policy, some.map { ($0.offset + 1, $0.element) })
    }
  }

  // MARK: Form

  /// The form as YAML, with an empty place for each observation.
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
    guard !unsettledRules.isEmpty else { return }
    writer.line("p") { writer in
      writer.prose(
        "Not settled here: "
          + unsettledRules.map { "`\($0.rawValue)`" }.joined(separator: ", ") + ".")
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
