internal import ArgumentParser
internal import Bundle
internal import Diagnostics
internal import JSON

struct BundleFix: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fix",
    abstract: "Rewrite property lists as the SDK's configurator does.",
    discussion: """
      Activation rules take the types of managed apps as well; URL schemes and queried schemes get their twins, \
      `AppGroupIdentifiers` the app groups, entitlements the keychain groups. An XML list changes nowhere else; a \
      binary one is written anew. Fixing again changes nothing.

      Exit status: 0 done, or nothing to do; 1 with --check, a list would change; 2 a file cannot be used; \
      64 usage.
      """)

  @OptionGroup var options: BundleOptions

  @Flag(help: "Write nothing; exit with status 1 where a list would change.")
  var check = false

  @Flag(help: "Write nothing; print what would change as a unified diff.")
  var diff = false

  func run() throws {
    let inputs = try options.inputs()
    do throws(BundleError) {
      let fixes = try fixes(of: inputs)
      for fix in fixes { try apply(fix) }
      warn(of: inputs)
      if !diff { report(fixes, of: inputs) }
      if check, !fixes.isEmpty { BundleFix.exit(withError: Failure.expectation) }
    } catch {
      throw Failure.report(error)
    }
  }

  /// Names on standard error the schemes beyond the limit, and the entitlements files if the fix takes none of several.
  private func warn(of inputs: [Result<BundleInput, BundleError>]) {
    for finding in inputs.compactMap({ try? $0.get() }).flatMap(BundleReport.findings(about:))
    where [.queriedLimit, .entitlementsFile].contains(finding.rule) {
      Failure.print("\(finding.diagnostic)")
    }
  }

  /// All fixes before the first is written, so that no file changes where one of them is wrong.
  private func fixes(
    of inputs: [Result<BundleInput, BundleError>]
  ) throws(BundleError) -> [FixedList] {
    var fixes: [FixedList] = []
    for input in inputs {
      let input = try input.get()
      if let problem = input.unreadableFile { throw problem }
      for fix in try BundleFixer.fixes(of: input)
      where !fixes.contains(where: { $0.file == fix.file }) {
        fixes.append(fix)
      }
    }
    return fixes
  }

  /// Reports the number of errors that remain, so that they are not taken for fixed.
  private func report(_ fixes: [FixedList], of inputs: [Result<BundleInput, BundleError>]) {
    // The bundles are as they were read, before the fix.
    let errors = inputs.compactMap { try? $0.get() }.flatMap(BundleReport.findings(about:))
      .count { $0.severity == .error && $0.repairs.isEmpty }
    let left =
      errors == 1
      ? "the error that `sluice bundle lint` names is for you to put right"
      : "the \(errors) errors that `sluice bundle lint` names are for you to put right"
    switch (fixes.isEmpty, errors) {
    case (true, 0): print("nothing to fix")
    case (true, _): print("nothing to fix; \(left)")
    case (false, 0): break
    case (false, _): print(left)
    }
  }

  private func apply(_ fix: FixedList) throws(BundleError) {
    if diff {
      print(fix.diff, terminator: "")
      return
    }
    if !check { try BundleFile.replace(fix.file, with: fix.after) }
    print("\(check ? "would fix" : "fixed") \(fix.file)")
    for finding in fix.findings {
      let line = finding.position.map { "\($0.line): " } ?? ""
      print("  \(line)\(finding.message) [\(finding.rule.rawValue)]")
    }
  }
}
