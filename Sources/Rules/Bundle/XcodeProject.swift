internal import Foundation

/// The build settings of an Xcode project's targets.
///
/// Source: the form in which Xcode writes `project.pbxproj`, with one setting per line.
package struct XcodeProject: Sendable {
  private struct Configuration {
    /// The name, such as `Release`; empty if the file states none.
    var name = ""
    var settings: [String: String] = [:]
  }

  private var configurations: [Configuration] = []

  /// Reads the text of a `project.pbxproj`. Values that span several lines, such as lists, are skipped.
  package init(_ text: String) {
    var isInSettings = false
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.drop(while: \.isWhitespace)
      if line.hasPrefix("buildSettings = {") {
        isInSettings = true
        configurations.append(Configuration())
      } else if line.hasPrefix("}") {
        isInSettings = false
      } else if let match = line.wholeMatch(of: /"?([\w.]+)"? = "?([^"]*)"?;\s*/),
        !configurations.isEmpty
      {
        let (name, value) = (String(match.1), String(match.2))
        if isInSettings {
          configurations[configurations.count - 1].settings[name] = value
        } else if name == "name", configurations[configurations.count - 1].name.isEmpty {
          configurations[configurations.count - 1].name = value
        }
      }
    }
  }

  /// Returns the bundle id of the target that uses this property list. The ID comes from the configuration `Release`
  /// or, if there is none, from the first configuration. Nil if no target uses the list, or if the ID contains a
  /// variable without a value.
  ///
  /// - Parameter infoPlist: The path of the property list, relative to the project's folder.
  package func bundleID(ofTargetWith infoPlist: String) -> String? {
    let own = configurations.filter { configuration in
      guard let path = configuration.settings["INFOPLIST_FILE"] else { return false }
      return ["$(SRCROOT)/", "${SRCROOT}/", "$(PROJECT_DIR)/", "./", ""].contains {
        path == $0 + infoPlist
      }
    }
    guard let chosen = own.first(where: { $0.name == "Release" }) ?? own.first else { return nil }
    let settings = BuildSettings(chosen.settings)
    let expanded = settings.expanding(settings["PRODUCT_BUNDLE_IDENTIFIER"] ?? "")
    return expanded.text.isEmpty || !expanded.unresolved.isEmpty ? nil : expanded.text
  }
}

/// The Xcode projects on disk. Each is read once.
package struct XcodeProjects {
  /// The projects that were read, by the file's path; nil for an unreadable file.
  private var projects: [String: XcodeProject?] = [:]

  package init() {}

  /// Returns the bundle id of the Xcode target that uses the property list at `path`; nil if none is found. Searches the
  /// projects in the folders above the list.
  package mutating func bundleID(ofTargetWithListAt path: String) -> String? {
    let list = URL(fileURLWithPath: path).pathComponents
    for depth in list.indices.dropFirst().reversed() {
      let folder = NSString.path(withComponents: Array(list[..<depth]))
      for name in BundleFile.names(in: folder) where name.hasSuffix(".xcodeproj") {
        let project = project(at: "\(folder)/\(name)/project.pbxproj")
        let path = list[depth...].joined(separator: "/")
        if let found = project?.bundleID(ofTargetWith: path) { return found }
      }
    }
    return nil
  }

  private mutating func project(at file: String) -> XcodeProject? {
    if let known = projects[file] { return known }
    let project = (try? BundleFile.bytes(file, isFound: true)).map {
      XcodeProject(String(decoding: $0, as: UTF8.self))
    }
    projects[file] = .some(project)
    return project
  }
}
