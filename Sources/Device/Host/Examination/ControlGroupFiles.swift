internal import Foundation
internal import Glibc

/// The files of this process's control group of version 2.
struct ControlGroupFiles {
  /// The folder in which the hierarchy is mounted; nil: there is none.
  private let root: String?
  /// The group's path below it, beginning with a slash.
  private let path: String

  init() {
    let mounts = ProcessFiles.text("/proc/self/mountinfo") ?? ""
    let mount = mounts.split(separator: "\n").first { $0.contains(" - cgroup2 ") }
    let words = mount?.split(separator: " ") ?? []
    root = words.count > 4 ? String(words[4]) : nil
    let groups = ProcessFiles.text("/proc/self/cgroup") ?? ""
    let group = groups.split(separator: "\n").first { $0.hasPrefix("0::") }
    path = group.map { String($0.dropFirst(3)) } ?? "/"
  }

  var group: ControlGroup {
    guard let folder = folders.first else { return .absent }
    let controllers = ProcessFiles.text("\(folder)/cgroup.controllers") ?? ""
    return .present(
      folder: folder, controllers: controllers.split(separator: " ").map(String.init),
      isDelegated: access(folder, W_OK) == 0 && access("\(folder)/cgroup.procs", W_OK) == 0)
  }

  /// The least limit on processes of the group and those that it is in; nil: none.
  var taskLimit: Int? {
    folders.compactMap { ProcessFiles.text("\($0)/pids.max").flatMap { Int($0) } }.min()
  }

  /// The group's folder, and those that it is in up to the root.
  private var folders: [String] {
    guard let root else { return [] }
    let names = path.split(separator: "/")
    return (0...names.count).reversed().map { count in
      ([root] + names.prefix(count).map(String.init)).joined(separator: "/")
    }
  }
}
