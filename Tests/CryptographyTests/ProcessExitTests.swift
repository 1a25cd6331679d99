import CCrypto
import Cryptography
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.ownThreads) struct ProcessExitTests {
  @Test func `exit handlers of OpenSSL do not run at process exit`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      _ = randomBytes(1)
      OPENSSL_atexit { _exit(7) }
      exit(0)
    }
  }
}
