#if FUZZING
  import Glibc

  /// Runs libFuzzer with its options. SwiftPM renames `main` after the target, so libFuzzer's own
  /// `main` is not used.
  @main enum Fuzzing {
    static func main() {
      var count = CommandLine.argc
      var arguments = CommandLine.unsafeArgv
      exit(runLibFuzzer(&count, &arguments, fuzzOneInput))
    }
  }

  @_silgen_name("LLVMFuzzerRunDriver") private func runLibFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    >,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  ) -> Int32
#endif
