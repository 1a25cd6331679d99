public import AppConfiguration
internal import Bundle
internal import GraphDocuments
internal import JSON
internal import Model

/// App configurations from files.
public enum ConfigurationFiles {
  /// All configurations of one file, or those for iOS below a folder.
  ///
  /// - Throws: ``RunError`` with the position of what is wrong.
  public static func load(_ path: String) throws(RunError) -> [AppConfigurationDocument] {
    guard let input = InputFolder(path) else {
      return try read(InputFile.document(path), file: path)
    }
    let folder = AppConfigurationFolder(name: path, parser: propertyList)
    var files: [ExportFolder.File] = []
    for name in folder.candidates(among: input.names) { files.append(try input.read(name)) }
    do {
      let scripts = input.scripts(of: ExportFolder(name: path))
      return try folder.configurations(in: files, beside: scripts)
    } catch {
      throw RunError(error.diagnostic)
    }
  }

  /// Reads the configurations of a file's contents.
  ///
  /// - Throws: ``RunError`` with the position of what is wrong.
  public static func read(
    _ bytes: [UInt8], file: String
  ) throws(RunError) -> [AppConfigurationDocument] {
    do {
      return try AppConfigurationReader(file: file, parser: propertyList).read(bytes)
    } catch {
      throw RunError(error.diagnostic)
    }
  }

  /// Reads the property list of `encodedSettingXml`.
  public static func propertyList(
    _ xml: [UInt8]
  ) -> Result<[PropertyListEntry], PropertyListFault> {
    do throws(BundleError) {
      let list = try PropertyList(strictly: xml, file: "")
      var entries: [PropertyListEntry] = []
      for entry in list.dictionary.entries {
        let position = list.position(of: [.key(entry.key)]) ?? Position(line: 1, column: 1)
        guard let value = ConfigurationValue(entry.value) else {
          return .failure(
            PropertyListFault(
              at: position,
              "the value of `\(entry.key)` holds data, a date or an infinite number, which no "
                + "configuration delivers"))
        }
        entries.append(PropertyListEntry(key: entry.key, value: value, position: position))
      }
      return .success(entries)
    } catch {
      let position = error.line.map { Position(line: $0, column: error.column ?? 1) }
      return .failure(PropertyListFault(at: position, withoutValue(error.message)))
    }
  }

  /// The message up to the value that was found, because a configuration's value may be a secret.
  private static func withoutValue(_ message: String) -> String {
    let cuts = [", found `", " at `"].compactMap { message.firstRange(of: $0)?.lowerBound }
    return String(message[..<(cuts.min() ?? message.endIndex)])
  }
}

extension ConfigurationValue {
  /// Makes a configuration's value; nil for what Intune does not deliver: data, dates, and numbers that are not finite.
  fileprivate init?(_ value: PropertyListValue) {
    switch value.kind {
    case .boolean(let flag): self = .boolean(flag)
    case .string(let text): self = .text(text)
    case .integer(let number): self = .integer(number)
    case .real(let number) where number.isFinite: self = .real(number)
    case .real, .data, .date: return nil
    case .array(let elements):
      let values = elements.compactMap { ConfigurationValue($0) }
      guard values.count == elements.count else { return nil }
      self = .list(values)
    case .dictionary(let dictionary):
      var values: [String: ConfigurationValue] = [:]
      for entry in dictionary.entries {
        guard let value = ConfigurationValue(entry.value) else { return nil }
        values[entry.key] = value
      }
      self = .dictionary(values)
    }
  }
}
