internal import Foundation
internal import SluiceKit

/// A snapshot of an account's configuration.
final class AccountConfiguration: NSObject, IntuneMAMAppConfig, Sendable {
  private let configuration: SluiceKit.IntuneMAMAppConfig

  init(_ configuration: SluiceKit.IntuneMAMAppConfig) { self.configuration = configuration }

  var fullData: [[AnyHashable: Any]]? {
    configuration.fullData.map { dictionary in
      Dictionary(uniqueKeysWithValues: dictionary.map { (AnyHashable($0), $1.object) })
    }
  }

  func hasConflict(_ key: String) -> Bool { configuration.hasConflict(key) }

  func boolValue(forKey key: String, queryType: IntuneMAMBoolQueryType) -> NSNumber? {
    let query: SluiceKit.IntuneMAMBoolQueryType =
      switch queryType {
      case .any: .any
      case .or: .or
      case .and: .and
      }
    return configuration.boolValue(forKey: key, queryType: query).map { NSNumber(value: $0) }
  }

  func numberValue(forKey key: String, queryType: IntuneMAMNumberQueryType) -> NSNumber? {
    let query: SluiceKit.IntuneMAMNumberQueryType =
      switch queryType {
      case .any: .any
      case .min: .min
      case .max: .max
      }
    return configuration.numberValue(forKey: key, queryType: query)?.object
  }

  func stringValue(forKey key: String, queryType: IntuneMAMStringQueryType) -> String? {
    let query: SluiceKit.IntuneMAMStringQueryType =
      switch queryType {
      case .any: .any
      case .min: .min
      case .max: .max
      }
    return configuration.stringValue(forKey: key, queryType: query)
  }

  func allBools(forKey key: String) -> [NSNumber]? {
    configuration.allBools(forKey: key).map { NSNumber(value: $0) }
  }

  func allNumbers(forKey key: String) -> [NSNumber]? {
    configuration.allNumbers(forKey: key).map(\.object)
  }

  func allStrings(forKey key: String) -> [String]? { configuration.allStrings(forKey: key) }
}

extension ConfigurationNumber {
  fileprivate var object: NSNumber {
    intValue.map { NSNumber(value: $0) } ?? NSNumber(value: doubleValue)
  }
}

extension ConfigurationValue {
  fileprivate var object: Any {
    switch self {
    case .text(let text): text
    case .integer(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .boolean(let flag): NSNumber(value: flag)
    case .list(let values): values.map(\.object)
    case .dictionary(let values): values.mapValues(\.object)
    }
  }
}
