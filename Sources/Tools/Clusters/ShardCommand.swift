/// The command that does a shard, without its number.
package struct ShardCommand: Sendable, Equatable {
  /// The program and its arguments.
  package var words: [String]
  /// The number of shards.
  package var shards: Int

  package init(_ words: [String], shards: Int) {
    self.words = words
    self.shards = shards
  }

  /// Lines of a shell script that do a shard, and end the script.
  ///
  /// - Parameters:
  ///   - number: the shard's number, as the shell has it, such as `$1`.
  ///   - folder: the job's folder, as the shell has it.
  func script(number: String, folder: String) -> String {
    """
    folder=\(folder)
    shard=\(number)
    mkdir -p "$folder" || exit 73
    # Another node may have done it before it was lost.
    [ -e "$folder/$shard.blob" ] && exit 0
    \(words.map(Self.quoted).joined(separator: " ")) --shard "$shard/\(shards)" --blob "$folder/$shard.blob" >"$folder/$shard.log" 2>&1
    status=$?
    # What does not hold is a result, too.
    [ "$status" -eq 1 ] && status=0
    exit "$status"

    """
  }

  /// A word as the shell reads it back.
  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || Array("/._-=:,+@%".utf8).contains($0)
      }
    return isPlain
      ? word
      : "'"
        + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
        + "'"
  }
}
