internal import ArgumentParser

/// The formats in which reports of merged runs are printed, each of some commands.
enum MergeFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, junit, tap, sarif, html, durations

  init(_ format: ReportFormat) {
    switch format {
    case .text: self = .text
    case .json: self = .json
    case .junit: self = .junit
    case .tap: self = .tap
    case .html: self = .html
    case .durations: self = .durations
    }
  }

  init(_ format: CertificateFormat) {
    switch format {
    case .text: self = .text
    case .json: self = .json
    case .junit: self = .junit
    case .html: self = .html
    }
  }

  init(_ format: LeakFormat) {
    switch format {
    case .text: self = .text
    case .json: self = .json
    case .sarif: self = .sarif
    case .junit: self = .junit
    case .html: self = .html
    }
  }

  init(_ format: TextFormat) {
    switch format {
    case .text: self = .text
    case .json: self = .json
    }
  }
}
