internal import HTML

/// Explanations of the words in tables and comparisons.
enum Legend {
  private static let words = [
    (
      "managed",
      "an account under the policy, in an app that integrates the Intune App SDK and in which the account is enrolled"
    ),
    ("unmanaged", "an app, or an account in it, that no policy protects"),
    ("personal account", "an account in the managed app that no policy protects"),
    ("other org", "an account of another organisation, under the same policy in its app"),
    ("by the SDK", "the app's own sharing, which the Intune App SDK filters"),
    ("by the system", "sharing that goes round the SDK, such as the share sheet of iOS"),
    (
      "kinds of flows",
      "a comparison counts flows with the same channel, parties, answers and settings as one kind, and also asks apps with an SDK as old as 7.0; a table counts each of its flows, in apps with the newest SDK"
    ),
    ("encrypted", "delivered, but the receiver cannot read it"),
    (
      "devices",
      "unenrolled: not in MDM; no UPN: in MDM, but the app's configuration lacks IntuneMAMUPN; enrolled: it has it"
    ),
  ]

  /// The explanations as lines of at most 118 columns.
  static var lines: [String] {
    ["Words"] + words.flatMap { "  \($0): \($1)".wrapped(to: 118, indentedBy: "    ") }
  }

  static func write(to writer: inout HTMLWriter) {
    writer.element("details") { writer in
      writer.element("summary", text: "What the words mean")
      writer.element("dl") { writer in
        for (word, meaning) in words {
          writer.element("dt", text: word)
          writer.element("dd", text: meaning)
        }
      }
    }
  }
}
