/// Prints a line in the format that `run.sh` parses: `RESULT name key=value …`. Fractions have at most three
/// decimals.
func printResult(_ name: String, _ values: KeyValuePairs<String, any CustomStringConvertible>) {
  let words = values.map { key, value in
    let number = (value as? Double).map { ($0 * 1000).rounded() / 1000 }
    return "\(key)=\(number?.description ?? value.description)"
  }
  print("RESULT \(name) \(words.joined(separator: " "))")
}
