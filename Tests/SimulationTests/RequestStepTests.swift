import Simulation
import SimulationSupport
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the step that sends a request of the protocol by its name.
  @Suite struct RequestStepTests {
    @Test func `a request step sends a named protocol request and receives its verdict`() throws {
      let played = try Stage().play(
        text: """
          apps:
            mail: { bundle: com.contoso.mail, sdk: true }
            viewer: { bundle: org.example.viewer }
          steps:
            - launch: [mail, viewer]
            - request: { app: mail, name: copy, fields: { item: { type: public.utf8-plain-text, inline: hello } } }
              expect: { verdict: allowed, end: delivered }
            - request: { app: viewer, name: paste }
              expect: { verdict: allowed, end: delivered, received: hello }
            - request:
                app: mail
                name: share
                fields: { destination: viewer, path: PATH_OS, item: { type: public.utf8-plain-text, inline: again } }
              expect: { verdict: allowed, end: delivered, received: again }
            - request: { app: mail, name: sign_in, fields: { account: "" } }
              expect: { reason: enrollmentNeedsAccount }

          """)
      expectPass(played)
    }
  }
}
