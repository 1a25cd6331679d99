internal import ArgumentParser
internal import Bundle

/// The options that name bundles, and the values of their build variables.
struct BundleOptions: ParsableArguments {
  @Argument(
    help: """
      Apps (Foo.app), extensions (Bar.appex), single property lists, entitlements, or folders of them; - is a property \
      list from standard input.
      """, completion: .file())
  var paths: [String]

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "The value of a build variable, over those of --xcconfig.", valueName: "name=value"))
  var variables: [NamedValue] = []

  @Option(
    help: "A build configuration with values of variables; of several the last one counts.",
    completion: .file())
  var xcconfig: [String] = []

  @Option(
    name: .customLong("define"),
    help: ArgumentHelp(
      "What is defined for Xcode's preprocessor, so that the conditions in lists are evaluated.",
      valueName: "name[=value]"), completion: .file())
  var definitions: [String] = []

  @Option(help: "The entitlements of a property list that is named alone.", completion: .file())
  var entitlements: String?

  func validate() throws {
    for definition in definitions where !Self.isDefinition(definition) {
      throw ValidationError("expected `NAME` or `NAME=VALUE` after --define, found `\(definition)`")
    }
    if paths.isEmpty { throw ValidationError("no bundle is named") }
  }

  private static func isDefinition(_ text: String) -> Bool {
    let name = text.prefix { $0 != "=" }
    return name.first.map { $0 == "_" || $0.isLetter } ?? false
      && name.allSatisfy { $0.isASCII && ($0 == "_" || $0.isLetter || $0.isNumber) }
  }

  /// The values of the build variables.
  ///
  /// - Throws: ``BundleError`` for a build configuration that cannot be read.
  func settings() throws(BundleError) -> BuildSettings {
    var settings = BuildSettings()
    for path in xcconfig {
      let file = try BuildConfigurationFile(path, over: settings) { path throws(BundleError) in
        BundleFile.exists(path)
          ? try BundleFile.bytes(path, isFound: !xcconfig.contains(path)) : nil
      }
      for warning in file.warnings { Failure.print(warning) }
      settings = file.settings
    }
    for variable in variables { settings[variable.name] = variable.value }
    for definition in definitions { settings.define(definition) }
    return settings
  }

  /// The bundles at the paths, each read or refused.
  ///
  /// - Throws: ``Failure/input`` for a build configuration that cannot be read; the error is printed.
  func inputs() throws(ExitCode) -> [Result<BundleInput, BundleError>] {
    let settings: BuildSettings
    do throws(BundleError) {
      settings = try self.settings()
    } catch {
      throw Failure.report(error)
    }
    var inputs: [Result<BundleInput, BundleError>] = []
    for path in paths {
      do throws(BundleError) {
        for one in try BundleInput.paths(at: path) {
          inputs.append(
            Result { () throws(BundleError) in
              try BundleInput(
                at: one, settings: settings, entitlements: entitlements, isFound: one != path)
            })
        }
      } catch {
        inputs.append(.failure(error))
      }
    }
    return inputs
  }
}
