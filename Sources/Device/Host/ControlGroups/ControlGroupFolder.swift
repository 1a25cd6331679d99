internal import Glibc

/// A control group, as the folder that shows it (cgroups(7), version 2).
struct ControlGroupFolder: Sendable, Equatable {
  let path: String

  /// The content of one of the group's files, without the line's end; nil where it cannot be read.
  func text(_ file: String) -> String? { ProcessFiles.text("\(path)/\(file)") }

  /// The number after `name` in one of the group's files of names with numbers; nil where there is none.
  func count(_ name: String, in file: String) -> Int? {
    let line = text(file)?.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
    return line.flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  /// Writes to one of the group's files.
  ///
  /// - Returns: 0, or the errno with which the system refuses.
  @discardableResult
  func set(_ file: String, _ text: String) -> Int32 {
    let descriptor = open("\(path)/\(file)", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return write(descriptor, text, text.utf8.count) < 0 ? errno : 0
  }

  /// Lets groups below this one have the controllers that devices need, or takes them away again.
  ///
  /// - Returns: 0, or the errno with which the system refuses.
  func handOnControllers(_ sign: ControllerSign) -> Int32 {
    let change = ControlGroup.needed.map { "\(sign.rawValue)\($0)" }
    return set("cgroup.subtree_control", change.joined(separator: " "))
  }

  enum ControllerSign: String {
    case enabled = "+"
    case disabled = "-"
  }

  /// Moves this process into the group, with all of its threads.
  ///
  /// - Returns: 0, or the errno with which the system refuses.
  func enter() -> Int32 { set("cgroup.procs", "0") }

  /// The group of that name below this one, made where it is missing; nil where the system refuses it.
  func group(_ name: String) -> ControlGroupFolder? {
    let group = ControlGroupFolder(path: "\(path)/\(name)")
    return mkdir(group.path, 0o755) == 0 || errno == EEXIST ? group : nil
  }

  /// The groups below this one.
  var groups: [ControlGroupFolder] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var groups: [ControlGroupFolder] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard entry.pointee.d_type == DT_DIR, name != ".", name != ".." else { continue }
      groups.append(ControlGroupFolder(path: "\(path)/\(name)"))
    }
    return groups
  }

  /// Kills the processes of the group and of those below it.
  func kill() { set("cgroup.kill", "1") }

  /// Waits until the processes of the group are gone, which are ending, for a second at most: one that waits for a
  /// disk does not end before it has it.
  func awaitEnd() {
    let events = open("\(path)/cgroup.events", O_RDONLY | O_CLOEXEC)
    guard events >= 0 else { return }
    defer { Glibc.close(events) }
    var change = pollfd(fd: events, events: Int16(POLLPRI), revents: 0)
    // A change wakes everybody who has read the file before it.
    while count("populated", in: "cgroup.events") == 1, poll(&change, 1, 1_000) > 0 {
      var bytes: UInt64 = 0
      pread(events, &bytes, MemoryLayout.size(ofValue: bytes), 0)
    }
  }

  /// Removes the group, in which there must be no process and no other group.
  ///
  /// - Returns: whether it is gone.
  func remove() -> Bool { rmdir(path) == 0 || errno == ENOENT }

  /// The last part of the path.
  var name: Substring { path.split(separator: "/").last ?? "" }
}
