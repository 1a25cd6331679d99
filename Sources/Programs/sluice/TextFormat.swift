internal import ArgumentParser

/// The form of an answer: text for people, or JSON for programs.
enum TextFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}
