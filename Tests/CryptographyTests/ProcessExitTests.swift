import CCrypto
import Cryptography
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.ownThreads) struct ProcessExitTests {
  @Test func `an exiting process does not disturb threads that still compute`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      _ = randomBytes(1)
      OPENSSL_atexit { _exit(7) }
      exit(0)
    }
  }
}
