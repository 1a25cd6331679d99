internal import Foundation
internal import GRDB
internal import Model

/// Runs SQL statements. Each statement is prepared once and cached.
extension Database {
  /// Runs a statement that returns no rows.
  ///
  /// - Returns: The number of rows that the statement changed.
  @discardableResult
  func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
    try cachedStatement(sql: sql).execute(arguments: arguments)
    return changesCount
  }

  func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
    try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }

  func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
    try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }
}

extension Row {
  func bytes(_ column: String) -> [UInt8] { Array(self[column] as Data) }

  /// Decodes the text of a column from its stored form (``Swift/String/stored``); nil if the column is NULL.
  func optionalText(_ column: String) -> String? {
    (self[column] as String?).map(String.init(stored:))
  }

  func text(_ column: String) -> String { String(stored: self[column]) }

  /// The account in the columns `upn`, `objectID` and `tenantID`; nil if the UPN is NULL.
  var account: Account? {
    optionalText("upn").map {
      Account(upn: $0, objectID: optionalText("objectID"), tenantID: optionalText("tenantID"))
    }
  }
}

/// Encodes names that guests choose, because a name may contain NUL. SQLite ends a text at NUL, so different names
/// could otherwise become equal.
extension String {
  private static let escape: Unicode.Scalar = "\u{1}"

  /// The stored form of the text. It contains no NUL, and different texts have different forms.
  var stored: String {
    guard utf8.contains(where: { $0 < 2 }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      guard scalar.value < 2 else {
        text.append(scalar)
        continue
      }
      text.append(Self.escape)
      text.append(scalar.value == 0 ? "0" : "1")
    }
    return String(text)
  }

  init(stored: String) {
    guard stored.unicodeScalars.contains(Self.escape) else {
      self = stored
      return
    }
    var text = String.UnicodeScalarView()
    var scalars = stored.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == Self.escape else {
        text.append(scalar)
        continue
      }
      text.append(scalars.next() == "0" ? "\0" : Self.escape)
    }
    self = String(text)
  }
}
