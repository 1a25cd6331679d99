internal import Diagnostics
internal import Foundation
internal import JSON
package import Scenario

extension Scenario {
  /// Checks that the files and folders of the scenario's device exist: policies, configurations, the profile,
  /// declarations and bundles.
  ///
  /// - Throws: ``RunError`` with the line of the scenario for each missing file.
  func checkDocuments(in folder: String) throws(RunError) {
    let device = self.device
    let named =
      documentFiles + apps.compactMap(\.path)
      + [device.profile, device.declarations].compactMap(\.self)
      + cases.flatMap(\.steps).flatMap { Self.files(of: $0).policies }
    var known: Set<String> = []
    let missing = named.filter { path in
      known.insert(path).inserted
        && !FileManager.default.fileExists(atPath: Blueprint.resolve(path, in: folder))
    }
    guard missing.isEmpty else {
      throw RunError(missing.map { diagnostic(ofMissing: $0, in: folder) })
    }
  }

  private func diagnostic(ofMissing path: String, in folder: String) -> Diagnostic {
    let place = filePositions[path].map { Diagnostic.Place.file(file, $0) } ?? .file(file)
    let parent = (path as NSString).deletingLastPathComponent
    let resolved = Blueprint.resolve(parent.isEmpty ? "." : parent, in: folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: resolved)) ?? []
    let nearest = NearestWord.to((path as NSString).lastPathComponent, among: names.sorted())
    let hint = nearest.map { Suggestion.text((parent as NSString).appendingPathComponent($0)) }
    return Diagnostic(
      place,
      "there is no file or folder `\(path)`"
        + (hint ?? (folder.isEmpty || path.hasPrefix("/") ? "" : " in `\(folder)`")),
      rule: "file")
  }

  /// The paths of policies, configurations and conditional access policies.
  private var documentFiles: [String] {
    let documents =
      policies.map(\.document) + configurations.map(\.document)
      + conditionalAccess.map(\.document)
    return documents.compactMap { document in
      switch document {
      case .file(let path): path
      case .inline: nil
      }
    }
  }

  /// The regular files that a run of the scenario reads: its own, those that it names, and all below folders that it names.
  package var inputFiles: [String] {
    let folder = Blueprint.folder(of: file)
    return [file] + namedFiles.flatMap { InputFolder.files(at: Blueprint.resolve($0, in: folder)) }
  }

  /// The files and folders that the scenario names, as it names them: some may not be there.
  var namedFiles: [String] {
    var named = apps.flatMap { [$0.executable, $0.path].compactMap(\.self) } + documentFiles
    named += ([device] + devices.map(\.device)).flatMap {
      [$0.profile, $0.declarations].compactMap(\.self)
    }
    named += servers.map(\.folder)
    let steps = cases.flatMap(\.steps).map(Self.files)
    return named + steps.flatMap { $0.policies + $0.declarations }
  }

  /// The files of policies that a step saves, and the folders of declarations that it applies.
  private static func files(of step: Step) -> (policies: [String], declarations: [String]) {
    switch step.action {
    case .savePolicy(let saving): ([saving.file], [])
    case .declarations(let folder): ([], [folder.path].compactMap(\.self))
    case .concurrently(let concurrency):
      concurrency.steps.map(files).reduce(into: ([], [])) { files, step in
        files.policies += step.policies
        files.declarations += step.declarations
      }
    case .lifecycle, .account, .wipeUser, .switchIdentity, .unlock, .device, .status, .configure,
      .assign, .assignConfiguration, .configuration, .rename, .restart, .fault, .delegate, .residue,
      .enroll, .unenroll, .remediate, .acquireToken, .service, .conditionalAccess, .share,
      .shareSheet, .import, .use, .airDrop, .openReceived, .copy, .paste, .openURL, .keychain,
      .file, .managedApp, .administratorEvents, .served, .log, .user, .callExtension, .wait,
      .advance:
      ([], [])
    }
  }
}
