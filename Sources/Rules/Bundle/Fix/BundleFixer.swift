internal import Diagnostics
internal import JSON

/// A property list before and after the changes of `sluice bundle fix`.
package struct FixedList: Sendable {
  package var file: String
  /// The content of the file; empty for a binary list.
  package var before: [UInt8]
  package var after: [UInt8]
  package var isBinary: Bool
  /// The findings that the changes put right.
  package var findings: [BundleFinding]

  /// The changes in the format of `diff -u`.
  package var diff: String {
    if isBinary { return "Binary files \(file) and \(file) (fixed) differ\n" }
    return UnifiedDiff.text(
      of: file, from: String(decoding: before, as: UTF8.self),
      to: String(decoding: after, as: UTF8.self))
  }
}

/// Repairs the property lists of a bundle as far as its findings have repairs.
package enum BundleFixer {
  /// The repaired lists of a bundle.
  ///
  /// - Returns: A value for each file that is to change.
  /// - Throws: ``BundleError`` where a repaired list would not be read again with the intended values.
  package static func fixes(of input: BundleInput) throws(BundleError) -> [FixedList] {
    let findings = BundleReport.findings(about: input).filter { !$0.repairs.isEmpty }
    var fixed: [FixedList] = []
    for list in lists(of: input) {
      let concerned = findings.filter { $0.file == list.file }
      if concerned.isEmpty { continue }
      fixed.append(try fix(list, concerned))
    }
    return fixed
  }

  /// The replacements in an XML list that a finding asks for.
  static func replacements(
    for finding: BundleFinding, by editor: ListEditor
  ) -> [TextReplacement] {
    ListEdit.sorted(editor.edits(for: finding.repairs)).map { edit in
      TextReplacement(
        start: editor.text.position(of: edit.range.lowerBound),
        end: editor.text.position(of: edit.range.upperBound), text: edit.text)
    }
  }

  static func lists(of input: BundleInput) -> [PropertyList] {
    switch input {
    case .entitlements(let file): [file.list]
    case .bundle(let bundle, _):
      ([bundle] + bundle.plugIns).flatMap { part in
        [part.source.list, part.source.entitlements].compactMap(\.self)
      }
    }
  }

  private static func fix(
    _ list: PropertyList, _ findings: [BundleFinding]
  ) throws(BundleError) -> FixedList {
    let repairs = Repair.merged(findings.flatMap(\.repairs))
    let meant = list.top.repaired(repairs)
    var fixed = FixedList(
      file: list.file, before: [], after: [], isBinary: list.isBinary, findings: findings)
    if let editor = ListEditor(list) {
      let edited = ListEdit.apply(editor.edits(for: repairs), to: editor.text.bytes)
      fixed.before = editor.text.stored(editor.text.bytes)
      fixed.after = editor.text.stored(edited)
    } else {
      fixed.after = try BinaryListWriter.bytes(of: meant, file: list.file)
    }
    guard try PropertyList(fixed.after, file: list.file, macros: list.macros).top == meant else {
      throw BundleError(
        file: list.file, message: "cannot be edited without damage; nothing is written")
    }
    return fixed
  }
}
