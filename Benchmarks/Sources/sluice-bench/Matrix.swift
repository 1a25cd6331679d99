internal import Analysis
internal import ArgumentParser
internal import Policy

/// Measures the full matrix of one policy: all channels, pairs of parties and device states.
struct Matrix: ParsableCommand {
  @Argument(help: "A file, whose first policy is used. The default is a random policy.")
  var file: String?
  @Option(help: "Number of measurements; the result is the median.") var times = 30

  func run() throws {
    let document = try PolicyFile.first(of: file, seed: 1)
    var cells = 0
    var characters = 0
    var rendering: [Double] = []
    let building = (0..<times).map { _ in
      var matrix: FlowMatrix?
      let elapsed = seconds { matrix = FlowMatrix(document) }
      guard let matrix else { return elapsed }
      let entries = matrix.sections.flatMap(\.rows).flatMap(\.entries)
      cells = entries.reduce(0) { $0 + ($1?.cells.count ?? 0) }
      rendering.append(seconds { characters = [matrix].text(detail: .reasons).utf8.count })
      return elapsed
    }
    printResult(
      "matrix",
      [
        "ms": building.percentile(0.5) * 1000, "max_ms": building.percentile(1) * 1000,
        "text_ms": rendering.percentile(0.5) * 1000, "cells": cells, "bytes": characters,
      ])
  }
}
