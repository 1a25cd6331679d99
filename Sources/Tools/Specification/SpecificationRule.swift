package import Output

/// A rule that a specification or a configuration can violate.
package enum SpecificationRule: String, FindingRule, CaseIterable {
  // Rules about reading
  case unreadable, specification
  // Rules about the specification
  case unknownKeyword, notChecked, wrongExample, requiredUnknown, noListForm, undocumented
  case noDemoMode
  // Rules about the configuration
  case tooLarge, large, wrapper, unknownKey, missingKey, duplicateKey, wrongType, outOfRange
  case notListed, wrongText, wrongCount, alternatives, deprecated
  // Rules about both
  case keyWhiteSpace, managedSwitch, secret
  // The rule for the end of a long list
  case tooMany

  package var severity: Severity {
    switch self {
    case .unreadable, .specification, .tooLarge, .wrapper, .missingKey, .duplicateKey, .wrongType,
      .outOfRange, .notListed, .wrongText, .wrongCount, .alternatives, .keyWhiteSpace, .tooMany:
      .error
    case .unknownKeyword, .notChecked, .wrongExample, .requiredUnknown, .noListForm, .large,
      .unknownKey, .deprecated, .managedSwitch, .secret:
      .warning
    case .undocumented, .noDemoMode: .note
    }
  }

  package var summary: String { text.summary }

  package var help: String { text.help }

  private var text: (summary: String, help: String) {
    switch self {
    case .unreadable: ("A file that cannot be read, or is neither a property list nor JSON", "")
    case .specification: ("A specification that cannot be used", "")
    // Rules about the specification
    case .unknownKeyword:
      ("A keyword that JSON Schema does not have", "It has no effect; correct it or remove it.")
    case .notChecked:
      (
        "A keyword, format or pattern that is not checked",
        "Also state it in the description, for administrators."
      )
    case .wrongExample:
      ("A default or an example that does not conform to its own schema", "Correct one of the two.")
    case .requiredUnknown: ("A required key that is not described", "Add it to `properties`.")
    case .noListForm:
      ("A value that a property list cannot contain", "Leave the key out if there is no value.")
    case .undocumented:
      ("A key without a description", "Tell administrators what it does: `description`.")
    case .noDemoMode:
      (
        "No demo mode is described",
        "Reviewers of the app have no management service: state how the managed features are shown "
          + "without one, in `demoMode` of `x-managed-app`."
      )
    // Rules about both
    case .keyWhiteSpace:
      (
        "White space around a key",
        "A key with white space is a different key, and the app does not find the one that it looks for."
      )
    case .managedSwitch:
      (
        "A single switch for all managed behaviour",
        "Offer an option for each decision, so administrators can choose."
      )
    case .secret:
      (
        "A secret in the configuration",
        "Provision it as a password, certificate or identity: the app looks it up by its identifier, "
          + "and it is not kept with the configuration."
      )
    // Rules about the configuration
    case .tooLarge:
      ("A configuration of more than 1 MB", "State a URL that the app downloads the data from.")
    case .large:
      (
        "A configuration that is large",
        "A configuration should have a few kilobytes: state a URL that the app downloads the data from."
      )
    case .wrapper:
      (
        "Keys inside a key that the app does not read",
        "Move them to the top of the list: the app does not find them inside another key."
      )
    case .tooMany:
      (
        "More findings than are reported",
        "Correct the first findings, which often have one cause, and check again."
      )
    case .unknownKey: ("A key that the app does not know", "Apps silently ignore unknown keys.")
    case .missingKey: ("A required key is missing", "")
    case .duplicateKey:
      ("A key that appears twice", "Remove one of the two; programs differ in which one they use.")
    case .wrongType:
      (
        "A value that does not have the key's type",
        "The app cannot decode such a configuration, so it receives none."
      )
    case .outOfRange: ("A number out of its range", "")
    case .notListed: ("A value that is not among those listed", "")
    case .wrongText: ("A string that violates its constraints", "")
    case .wrongCount: ("Too many elements, or too few", "")
    case .alternatives: ("A value that fits no alternative, or more than one", "")
    case .deprecated: ("A deprecated key", "Use its replacement.")
    }
  }
}

/// A finding about a specification or a configuration.
package typealias SpecificationFinding = Finding<SpecificationRule>

extension SpecificationFinding {
  /// Returns the finding about a file that cannot be read.
  ///
  /// - Parameter reason: The reason, in lower case and without a full stop.
  package static func unreadable(file: String, reason: String) -> SpecificationFinding {
    SpecificationFinding(.unreadable, file: file, at: nil, reason)
  }
}

package typealias SpecificationReport = FindingReport<SpecificationRule>

extension SpecificationReport {
  package var hasUnreadableFile: Bool { findings.contains { $0.rule == .unreadable } }
}

/// An error about a specification or configuration that cannot be used.
package struct SpecificationError: Error, Sendable, Equatable {
  /// The findings. At least one of them is an error.
  package var findings: [SpecificationFinding]

  package init(_ findings: [SpecificationFinding]) { self.findings = findings }
}
