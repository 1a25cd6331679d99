import Glibc
import JSON

/// Policies that other people wrote, used in place where their folder is there.
enum RealFiles {
  /// Beside the package, or beside the folder that holds a copy of it.
  private static let folders: [String] = {
    let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return ["\(package)/../shared/real/policies", "\(package)/../../shared/real/policies"]
  }()

  static let areThere = folders.contains { access($0, R_OK) == 0 }

  static func bytes(of name: String) throws -> [UInt8] {
    for folder in folders {
      guard let file = fopen("\(folder)/\(name)", "rb") else { continue }
      defer { fclose(file) }
      var bytes: [UInt8] = []
      var byte = getc(file)
      while byte != EOF {
        bytes.append(UInt8(byte))
        byte = getc(file)
      }
      return bytes
    }
    throw Absent()
  }

  /// What the file's policy states, nulls left out.
  static func members(of name: String) throws -> [JSONValue.Member] {
    let members = try JSONReader.read(try bytes(of: name)).members ?? []
    return members.filter { !$0.value.isNull }
  }

  struct Absent: Error {}
}
