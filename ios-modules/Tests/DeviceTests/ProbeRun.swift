import Foundation

/// A scenario with the app `probe`, run by Sluice with a real device process.
struct ProbeRun {
  /// The probe's output lines, without process id and time.
  let lines: [String]
  /// The exit status of `sluice run`.
  let status: Int32
  /// The output of `sluice run`.
  let report: String

  /// The SDK integration that the app's bundle declares.
  enum Integration: String {
    case sdk = "true"
    case none = "false"
  }

  /// Runs a scenario with the probe.
  ///
  /// - Parameters:
  ///   - habit: The probe's behaviour, which its bundle id encodes.
  ///   - steps: YAML, with one line for each step.
  init(
    _ habit: String, with integration: Integration = .sdk, limits: [Int] = [], _ steps: String...
  ) throws {
    try self.init(habit, with: integration, limits: limits, steps: steps)
  }

  /// Runs a scenario with a managed probe.
  ///
  /// - Parameters:
  ///   - isEnrolled: Whether MDM manages the device and the app.
  ///   - configurations: YAML of app configurations, indented by two spaces.
  ///   - files: The contents of files beside the scenario, keyed by path.
  init(
    _ habit: String, with integration: Integration = .sdk, limits: [Int] = [],
    isEnrolled: Bool = false, configurations: String = "", files: [String: String] = [:],
    steps: [String]
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let scenario = folder.appendingPathComponent("probe.yaml")
    let trace = folder.appendingPathComponent("trace")
    for (path, text) in files {
      let file = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    try Self.text(habit, integration, limits, isEnrolled, configurations, steps).write(
      to: scenario, atomically: true, encoding: .utf8)
    let sluice = Process()
    sluice.executableURL = Self.root.appendingPathComponent("bin/sluice")
    sluice.arguments = ["run", scenario.path, "--trace", trace.path]
    let output = Pipe()
    sluice.standardOutput = output
    sluice.standardError = output
    try sluice.run()
    report = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    sluice.waitUntilExit()
    status = sluice.terminationStatus
    let text = (try? String(contentsOf: trace, encoding: .utf8)) ?? ""
    lines = text.split(separator: "\n").compactMap { line in
      line.firstRange(of: " probe: ").map { String(line[$0.upperBound...]) }
    }.filter { !$0.hasPrefix("pid ") }
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  private static func text(
    _ habit: String, _ integration: Integration, _ limits: [Int], _ isEnrolled: Bool,
    _ others: String, _ steps: [String]
  ) -> String {
    let bundle = "org.example.probe.\(habit)"
    let configurations =
      [others]
      + limits.map { limit in
        """
          limit\(limit):
            json: { displayName: Limit \(limit), customSettings: [{ name: limit, value: "\(limit)" }] }
            assign: [{ account: anna, apps: [\(bundle)] }]

        """
      }
    return """
      device: { mdm: { enrolled: \(isEnrolled) } }
      accounts:
        bob: { upn: bob@example.org }
        anna:
          upn: anna@contoso.com
          objectId: 3ec2c00f-b125-4519-acf0-302ac3761822
          tenant: contoso.com
      policies:
        base:
          json:
            displayName: Base
            allowedOutboundDataTransferDestinations: managedApps
            saveAsBlocked: true
            pinRequired: true
            appDataEncryptionType: whenDeviceLocked
          assign: [{ account: anna, apps: [\(bundle)] }]
        relaxed:
          json: { displayName: Relaxed, pinRequired: false, appGroupType: allApps }
      \(configurations.joined().isEmpty ? "" : "configurations:\n" + configurations.joined())
      apps:
        probe:
          bundle: \(bundle)
          executable: \(programs.path)/probe-app
          dispatch: true
          sdk: \(integration.rawValue)
          multiIdentity: \(integration.rawValue)
          mdmManaged: \(isEnrolled)
          schemes: [probe]
        notes: { bundle: org.example.notes }
        asking:
          bundle: org.example.notes.extending
          extension: share
          containingApp: notes
          executable: \(programs.path)/probe-app
          dispatch: true
      steps:
        - launch: [probe, notes]
        - wait: idle
      \(steps.flatMap { ["  - \($0)\n", "  - wait: idle\n"] }.joined())
      """
  }
}
