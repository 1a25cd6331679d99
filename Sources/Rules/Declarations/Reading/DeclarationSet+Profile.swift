internal import Bundle
internal import Foundation
internal import JSON

extension DeclarationSet {
  /// Reads the input that a user names: a folder of declarations, or a configuration profile by itself, which then is
  /// all that is declared.
  ///
  /// - Parameter name: The name of the input in messages.
  /// - Throws: ``DeclarationProblem`` where there is neither, or the profile cannot be used.
  package init(at path: String, called name: String) throws(DeclarationProblem) {
    if path.lowercased().hasSuffix(".mobileconfig") {
      try self.init(profileAt: path, called: name)
    } else {
      self.init(try DeclarationFolder(at: path, called: name))
    }
  }

  private init(profileAt path: String, called name: String) throws(DeclarationProblem) {
    var status = stat()
    if stat(path, &status) == 0 {
      let size = Int(status.st_size)
      guard status.st_mode & S_IFMT == S_IFREG, size <= DeclarationFolder.maximumFileSize else {
        throw DeclarationProblem(
          severity: .error, file: name,
          message: "expected a file of at most \(DeclarationFolder.maximumFileSize) bytes")
      }
    }
    let bytes: [UInt8]
    let profile: ConfigurationProfile
    do throws(BundleError) {
      bytes = try BundleFile.bytes(path, atMost: DeclarationFolder.maximumFileSize)
      profile = try ConfigurationProfile(bytes, file: name)
    } catch {
      throw DeclarationProblem(
        severity: .error, file: name,
        position: error.line.map { Position(line: $0, column: error.column ?? 1) },
        message: error.message)
    }
    let declarations = Self.declarations(around: profile.identifier ?? "profile")
    self.init(
      DeclarationFolder(
        name: name, files: ["declarations.json": declarations, Self.profileName: bytes],
        isOneFile: true))
  }

  private static let profileName = "profile.mobileconfig"

  /// The JSON of an activation, and of a configuration with the profile's identifier.
  private static func declarations(around identifier: String) -> [UInt8] {
    // The profile's own identifier may be as long as a device takes.
    let activation = identifier == "activation" ? "profile" : "activation"
    var writer = JSONWriter()
    writer.array { writer in
      writer.object { writer in
        writer.member("Type", DeclarationType.activation.rawValue)
        writer.member("Identifier", activation)
        writer.member("ServerToken", "1")
        writer.object("Payload") { writer in
          writer.array("StandardConfigurations") { $0.string(identifier) }
        }
      }
      writer.object { writer in
        writer.member("Type", DeclarationType.legacyProfile.rawValue)
        writer.member("Identifier", identifier)
        writer.member("ServerToken", "1")
        writer.object("Payload") { $0.member("ProfileURL", profileName) }
      }
    }
    return writer.bytes
  }
}
