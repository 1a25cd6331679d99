internal import Foundation

enum HomeFolder {
  /// Makes Foundation use the container, which is the working directory, as the home directory.
  static func settle() {
    let home = FileManager.default.currentDirectoryPath
    setenv("HOME", home, 1)
    setenv("TMPDIR", home + "/tmp", 1)
    setenv("XDG_CACHE_HOME", home + "/Library/Caches", 1)
    setenv("XDG_DATA_HOME", home + "/Library/Application Support", 1)
    for folder in ["Documents", "Library/Application Support", "Library/Caches", "tmp"] {
      try? FileManager.default.createDirectory(
        atPath: home + "/" + folder, withIntermediateDirectories: true)
    }
  }
}
