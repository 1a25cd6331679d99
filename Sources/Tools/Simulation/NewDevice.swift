internal import Diagnostics
internal import Foundation
internal import Host

/// A folder that is to become a device's. Until ``finish()``, it holds only a draft.
struct NewDevice {
  private let folder: String
  /// The mode of the folder before; nil: it was not there.
  private let formerMode: mode_t?

  /// The folder in which the device is made.
  var draft: String { "\(folder)/.draft" }

  /// Prepares the folder, and makes it where there is none.
  ///
  /// - Throws: ``RunError`` where the folder is not empty, or cannot be made.
  init(in folder: String) throws(RunError) {
    self.folder = folder
    var status = stat()
    let content = try? FileManager.default.contentsOfDirectory(atPath: folder)
    formerMode = content != nil && stat(folder, &status) == 0 ? status.st_mode & 0o7777 : nil
    guard content?.isEmpty ?? true else {
      throw RunError(.file(folder), "the folder is not empty", rule: "device")
    }
    guard formerMode != nil || mkdir(folder, 0o700) == 0 else {
      let reason = String(cString: strerror(errno)).lowercased()
      throw RunError(.file(folder), "cannot make the folder: \(reason)", rule: "device")
    }
    // Keys will be in it.
    chmod(folder, 0o700)
  }

  /// Turns the draft into the device.
  ///
  /// - Throws: ``RunError`` with the system's reason.
  func finish() throws(RunError) {
    do {
      // The file by which a folder is a device's comes last.
      let names = try FileManager.default.contentsOfDirectory(atPath: draft).sorted()
      for name in names.filter({ $0 != "device.sqlite" }) + ["device.sqlite"] {
        try FileManager.default.moveItem(atPath: "\(draft)/\(name)", toPath: "\(folder)/\(name)")
      }
      try FileManager.default.removeItem(atPath: draft)
    } catch {
      throw RunError(.file(folder), "cannot make the device: \(error)", rule: "device")
    }
  }

  /// Leaves the folder as it was.
  func discard() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names { try? FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
    if let formerMode { chmod(folder, formerMode) } else { rmdir(folder) }
  }
}
