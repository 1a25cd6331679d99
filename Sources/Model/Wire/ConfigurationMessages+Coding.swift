internal import CMessages
internal import CProtobufC
internal import JSON
internal import Model

extension Arena {
  func configuration(
    _ news: ConfigurationNews
  ) -> UnsafeMutablePointer<Sluice__AppConfiguration> {
    message(sluice__app_configuration__init) {
      $0.account = string(news.account)
      $0.object_id = string(news.objectID)
      $0.dictionaries = bytes(news.dictionaries)
      $0.changed = news.isChange ? 1 : 0
    }
  }

  func question(
    _ question: ConfigurationQuestion
  ) -> UnsafeMutablePointer<Sluice__ConfigurationQuestion> {
    message(sluice__configuration_question__init) {
      $0.account = string(question.account)
      $0.key = string(question.key)
      $0.type = string(question.type.rawValue)
      $0.query = string(question.query.rawValue)
    }
  }
}

extension ConfigurationNews {
  init(_ raw: Sluice__AppConfiguration) {
    self.init(
      account: cString(raw.account), objectID: cString(raw.object_id),
      dictionaries: byteArray(raw.dictionaries), isChange: raw.changed != 0)
  }
}

extension ConfigurationQuestion {
  init(_ raw: Sluice__ConfigurationQuestion) throws(WireError) {
    guard let type = ValueType(rawValue: cString(raw.type)),
      let query = Query(rawValue: cString(raw.query))
    else { throw .emptyMessage }
    self.init(account: cString(raw.account), key: cString(raw.key), type: type, query: query)
  }
}

/// The form in which the guest reports an answer among its findings.
extension ConfigurationAnswer {
  /// The answer as JSON: the values and whether they conflict.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.array("values") { writer in for value in values { writer.string(value) } }
      writer.member("conflict", hasConflict)
    }
    return writer.bytes
  }

  /// Reads an answer; nil where `json` is none.
  public init?(json: [UInt8]) {
    guard let object = try? JSONReader.read(json), let conflict = object["conflict"]?.bool,
      let elements = object["values"]?.array
    else { return nil }
    let values = elements.compactMap(\.string)
    guard values.count == elements.count else { return nil }
    self.init(values: values, hasConflict: conflict)
  }
}
