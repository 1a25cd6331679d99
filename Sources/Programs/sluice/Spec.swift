internal import ArgumentParser
internal import Diagnostics
internal import Encodings
internal import JSON
internal import Simulation
internal import Specification

struct Spec: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spec",
    abstract:
      "Document for administrators how an app is configured, from the JSON Schema it ships.",
    discussion: """
      What looks wrong in the specification goes to standard error. docs/specification.md tells what a \
      specification is.

      Exit status: 0 documented, 2 the specification cannot be used, 64 usage.
      """)

  /// The format of the documentation.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case markdown, html, json
  }

  @Argument(help: "The app's specification.", completion: .file())
  var file: String

  @Option(help: "Format of the documentation.")
  var format = Format.markdown

  @Option(help: "A file to write it to, in place of standard output.", completion: .file())
  var output: String?

  func run() throws {
    do throws(RunError) {
      try TextFile.check(output, isNoneOf: [file])
      let specification = try SpecificationFile.read(file)
      for finding in specification.findings { Failure.print(finding.description) }
      let text = rendered(specification)
      guard let output else {
        return print(text.escapingUnprintable(except: ["\n", "\t"]), terminator: "")
      }
      try TextFile.write(text, to: output)
    } catch {
      throw Failure.report(error)
    }
  }

  private func rendered(_ specification: AppSpecification) -> String {
    switch format {
    case .markdown: return specification.markdown
    case .html: return specification.html
    case .json: return JSONWriter.line { specification.writeJSON(to: &$0) }
    }
  }
}

/// The specifications that users name.
enum SpecificationFile {
  /// Reads a specification.
  ///
  /// - Throws: ``RunError`` for a file that cannot be read, or is no specification.
  static func read(_ path: String) throws(RunError) -> AppSpecification {
    let bytes = try InputFile.document(path)
    do throws(SpecificationError) {
      return try AppSpecification(bytes, file: path)
    } catch {
      throw RunError(error.findings.map(\.diagnostic))
    }
  }
}
