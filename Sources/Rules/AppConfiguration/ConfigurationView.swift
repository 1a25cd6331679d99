package import Encodings
internal import Model

/// Formats configurations for the command line: each key with its type and its position in the source. Values may be
/// private, so they are shown only on request.
package struct ConfigurationView {
  /// The keys whose values are shown.
  package struct Disclosure: Sendable {
    private let showsValues: Bool
    private let scrubbedKeys: Set<String>

    package static let nothing = Disclosure(showsValues: false, except: [])

    package static func values(except scrubbedKeys: some Sequence<String>) -> Disclosure {
      Disclosure(showsValues: true, except: scrubbedKeys)
    }

    private init(showsValues: Bool, except scrubbedKeys: some Sequence<String>) {
      self.showsValues = showsValues
      self.scrubbedKeys = Set(scrubbedKeys)
    }

    func shows(_ key: String) -> Bool { showsValues && !scrubbedKeys.contains(key) }
  }

  private let documents: [AppConfigurationDocument]
  private let disclosure: Disclosure

  package init(_ documents: [AppConfigurationDocument], showing disclosure: Disclosure = .nothing) {
    self.documents = documents
    self.disclosure = disclosure
  }

  // MARK: Documents

  package var text: String { documents.map(block).joined(separator: "\n") }

  private func block(_ document: AppConfigurationDocument) -> String {
    let head =
      "\(document.displayName) (\(document.file):\(document.position.line)), \(document.kind)"
    let rows = document.entries.map { [$0.key, noun($0), shown($0), place($0, in: document)] }
    return head.escapingUnprintable() + "\n" + Self.table(rows)
  }

  /// Writes a line of JSON for each configuration.
  package func write(to writer: inout JSONWriter) {
    for document in documents {
      writer.object { writer in
        writer.member("name", document.displayName)
        writer.member("channel", document.channel.rawValue)
        writer.member("default", document.isDefault)
        writer.member("file", document.file)
        writer.member("line", document.position.line)
        writer.array("entries", of: document.entries) { write($1, to: &$0) }
      }
      writer.endLine()
    }
  }

  private func write(_ entry: AppConfigurationDocument.Entry, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("key", entry.key)
      writer.member("type", noun(entry))
      if disclosure.shows(entry.key) {
        writer.member(named: "value") { entry.value.write(to: &$0) }
      }
      writer.member("line", entry.position.line)
      writer.member("column", entry.position.column)
      writer.member("listLine", entry.listPosition?.line)
    }
  }

  // MARK: Delivered keys

  /// The delivered configurations as text, with a block for each key. A block lists the documents' values for the key
  /// in delivery order, and states whether they conflict.
  package var textByKey: String {
    var statements: [String: [Statement]] = [:]
    for document in documents {
      for entry in document.entries {
        statements[entry.key, default: []].append(Statement(entry: entry, document: document))
      }
    }
    statements[DeliveredConfiguration.defaultMark] = nil
    guard !statements.isEmpty else { return "nothing arrives\n" }
    return statements.sorted { $0.key < $1.key }.map { key, statements in
      let delivered = DeliveredConfiguration(statements.map(\.delivered))
      return key.escapingUnprintable() + (delivered.hasConflict(for: key) ? ", in conflict" : "")
        + "\n"
        + Self.table(rows(statements))
    }.joined()
  }

  private struct Statement {
    let entry: AppConfigurationDocument.Entry
    let document: AppConfigurationDocument

    /// The configuration that the app would get for the key if this were the only document.
    var delivered: [String: ConfigurationValue] {
      document.isDefault
        ? [entry.key: entry.value, DeliveredConfiguration.defaultMark: .boolean(true)]
        : [entry.key: entry.value]
    }
  }

  private func rows(_ statements: [Statement]) -> [[String]] {
    let isTargeted = statements.contains { !$0.document.isDefault }
    return statements.map { statement in
      let (entry, document) = (statement.entry, statement.document)
      let channel =
        document.isDefault
        ? isTargeted ? "default, overridden" : "default" : document.channelName
      return [noun(entry), shown(entry), channel, document.displayName, place(entry, in: document)]
    }
  }

  // MARK: Formatting

  private func noun(_ entry: AppConfigurationDocument.Entry) -> String {
    String(entry.value.noun.split(separator: " ").last ?? "")
  }

  private func shown(_ entry: AppConfigurationDocument.Entry) -> String {
    guard disclosure.shows(entry.key) else { return "(hidden)" }
    return JSONWriter.text { entry.value.write(to: &$0) }
  }

  private func place(
    _ entry: AppConfigurationDocument.Entry, in document: AppConfigurationDocument
  ) -> String {
    let place = "\(document.file):\(entry.position.line):\(entry.position.column)"
    return place + (entry.listPosition.map { ", line \($0.line) of its XML" } ?? "")
  }

  /// Returns the rows as aligned columns. Two spaces precede each column.
  private static func table(_ rows: [[String]]) -> String {
    let rows = rows.map { row in row.map { $0.escapingUnprintable() } }
    guard let count = rows.first?.count else { return "" }
    let widths = (0..<count).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, text) in row.enumerated() {
        line += "  " + text
        if column < count - 1 {
          line += String(repeating: " ", count: widths[column] - text.count)
        }
      }
      return line + "\n"
    }.joined()
  }
}

extension AppConfigurationDocument {
  fileprivate var kind: String {
    switch channel {
    case .managedApps: isDefault ? "the tenant's default for managed apps" : "for managed apps"
    case .managedDevices: "for managed devices"
    }
  }

  fileprivate var channelName: String { channel == .managedApps ? "service" : "MDM" }
}
