import Adaptation
import SwiftSources

enum Adapting {
  static func adapt(_ text: String) throws -> AdaptedSource {
    try adapt(Array(text.utf8))
  }

  static func adapt(_ bytes: [UInt8]) throws -> AdaptedSource {
    let source = try ParsedSource(bytes, file: "a.swift")
    return Adapter([source]).adapt(source)
  }

  static func text(_ text: String) throws -> String {
    String(decoding: try adapt(text).contents, as: UTF8.self)
  }
}
