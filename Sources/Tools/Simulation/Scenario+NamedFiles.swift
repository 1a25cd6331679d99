package import Scenario

extension Scenario {
  /// The regular files that a run of the scenario reads: its own, those that it names, and all below folders that it names.
  package var inputFiles: [String] {
    let folder = Blueprint.folder(of: file)
    return [file] + namedFiles.flatMap { InputFolder.files(at: Blueprint.resolve($0, in: folder)) }
  }

  /// The files and folders that the scenario names, as it names them: some may not be there.
  var namedFiles: [String] {
    var named = apps.flatMap { [$0.executable, $0.path].compactMap(\.self) }
    let documents =
      policies.map(\.document) + configurations.map(\.document)
      + conditionalAccess.map(\.document)
    for document in documents {
      if case .file(let path) = document { named.append(path) }
    }
    named += ([device] + devices.map(\.device)).flatMap {
      [$0.profile, $0.declarations].compactMap(\.self)
    }
    named += servers.map(\.folder)
    return named + cases.flatMap(\.steps).flatMap(Self.files)
  }

  /// The folders of declarations that a step applies, and the files of policies.
  private static func files(of step: Step) -> [String] {
    switch step.action {
    case .declarations(let folder): [folder.path].compactMap(\.self)
    case .savePolicy(let saving): [saving.file]
    case .concurrently(let concurrency): concurrency.steps.flatMap(files)
    default: []
    }
  }
}
