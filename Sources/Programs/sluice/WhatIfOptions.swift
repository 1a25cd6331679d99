internal import ArgumentParser
internal import Foundation
internal import GraphDocuments
internal import Output
internal import Simulation
internal import Tenants

/// The options that propose changes to a tenant, such as `--assign`.
struct WhatIfOptions: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Propose a value for a setting, in all policies that reach --user, or in all policies. Write the admin centre's "
        + "labels and values, or Graph's. Like all options for proposed changes, it can be repeated.",
      valueName: "[policy: ]label=value"))
  var values: [String] = []

  @Option(
    help: ArgumentHelp(
      "Propose an assignment of a policy or configuration to a group, or to All users.",
      valueName: "policy=group"))
  var assign: [String] = []

  @Option(
    help: ArgumentHelp(
      "Propose that a policy or configuration excludes a group.", valueName: "policy=group"))
  var exclude: [String] = []

  @Option(
    help: ArgumentHelp(
      "Propose that a policy or configuration neither includes nor excludes a group.",
      valueName: "policy=group"))
  var unassign: [String] = []

  @Option(
    help: ArgumentHelp("Propose that a user is a member of a group.", valueName: "user=group"))
  var member: [String] = []

  @Option(
    help: ArgumentHelp(
      "Write the changed files of the export into this folder, with only the changed values changed.",
      valueName: "folder"), completion: .directory)
  var writeExports: String?

  func validate() throws {
    if writeExports != nil, changes.isEmpty {
      throw ValidationError("--write-exports needs a change, such as --set or --assign")
    }
  }

  var changes: [TenantChange] {
    values.map(TenantChange.set) + assign.map(TenantChange.assign)
      + exclude.map(TenantChange.exclude) + unassign.map(TenantChange.unassign)
      + member.map(TenantChange.member)
  }

  /// Returns a title that names the tenant's folder and the changes, such as
  /// `exports with --member 'anna@contoso.com=Sales'`.
  func title(of folder: String) -> String {
    "\(folder) with \(changes.map(\.text).joined(separator: " "))"
  }

  /// Returns the tenant with the proposed changes. With `--write-exports`, also writes the changed files.
  ///
  /// - Parameters:
  ///   - user: The user whose policies `--set` changes; nil for all users.
  ///   - app: The lower-case bundle id of the app whose policies `--set` changes; nil for all apps.
  func changed(
    _ tenant: Tenant, user: Int? = nil, app: String? = nil, on device: TenantDevice = TenantDevice()
  ) throws(RunError) -> Tenant {
    guard !changes.isEmpty else { return tenant }
    let policies = user.map { tenant.policies(reaching: $0, app: app, on: device) }
    let changed: Tenant
    do throws(TenantChangeError) {
      changed = try tenant.applying(changes, to: policies)
      for warning in try tenant.warnings(about: changes) { Failure.print("\(warning)") }
    } catch {
      throw RunError(error.diagnostic)
    }
    if let writeExports { try write(tenant, policies, to: writeExports) }
    return citing(changed, after: tenant, policies)
  }

  /// Returns the tenant `changed` with line numbers for the settings that `--set` adds: the numbers that they would
  /// have in the changed files.
  private func citing(
    _ changed: Tenant, after tenant: Tenant, _ policies: Set<Int>?
  ) -> Tenant {
    guard !values.isEmpty, let input = InputFolder(tenant.folder) else { return changed }
    let files = try? tenant.files(
      after: values.map(TenantChange.set), to: policies, among: input.names
    ) { path in try? input.read(path).bytes }
    return files.map { changed.citing($0, addedTo: tenant) } ?? changed
  }

  private func write(
    _ tenant: Tenant, _ policies: Set<Int>?, to folder: String
  ) throws(RunError) {
    guard let input = InputFolder(tenant.folder) else { return }
    let files: [ExportFolder.File]
    do throws(TenantChangeError) {
      files = try tenant.files(after: changes, to: policies, among: input.names) { path in
        try? input.read(path).bytes
      }
    } catch {
      throw RunError(error.diagnostic)
    }
    for file in files {
      let path = "\(folder)/\(file.path)"
      try TextFile.check(path, isNoneOf: ["\(tenant.folder)/\(file.path)"])
      do {
        try FileManager.default.createDirectory(
          at: URL(fileURLWithPath: path).deletingLastPathComponent(),
          withIntermediateDirectories: true)
      } catch {
        throw RunError(
          .file(path), "the folder cannot be created: \(error.localizedDescription)", rule: "file")
      }
      try TextFile.write(Data(file.bytes), to: path)
      Failure.print("wrote \(path)")
    }
  }
}
