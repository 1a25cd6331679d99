import Foundation
import SluiceDispatch
import SluiceKit
import Testing

@Suite(.timeLimit(.minutes(15))) struct WayTests {
  @Test(arguments: Way.all, [nil, "", "anna@contoso.com"] as [String?])
  func workRunsUnderTheIdentityOfWhoAsked(way: Way, identity: String?) async {
    let inside = await blocking { outcome(of: way, askedBy: identity) { seen } }
    #expect(inside == identity)
  }

  @Test(arguments: Way.all) func whatCountsIsTheInnermostScopeOfWhoAsked(way: Way) async {
    let both = await blocking {
      acting(for: "outer") {
        ["inner", nil].map { identity in outcome(of: way, askedBy: identity) { seen } }
      }
    }
    #expect(both == ["inner", .some(nil)])
  }

  @Test(arguments: Way.all) func workMaySetAnotherIdentityForAScope(way: Way) async {
    let trail = await blocking {
      outcome(of: way, askedBy: "anna") {
        [seen, acting(for: "") { seen }, acting(for: nil) { seen }, seen]
      }
    }
    #expect(trail == ["anna", "", nil, "anna"])
  }

  @Test(arguments: Way.all) func whoAskedHasItsOwnIdentityAfterwards(way: Way) async {
    let trail = await blocking {
      let inside = acting(for: "anna") {
        _ = outcome(of: way, askedBy: "bob") { seen }
        return seen
      }
      return [inside, seen]
    }
    #expect(trail == ["anna", nil])
  }

  @Test(arguments: Way.all) func anErrorWithinTheWorkLeavesItsIdentity(way: Way) async {
    struct Refused: Error {}
    let after = await blocking {
      outcome(of: way, askedBy: "anna") { () -> String? in
        do {
          try IntuneMAMSwiftContextManager.setAccountId("bob") { throw Refused() }
          return "no error"
        } catch {
          return seen
        }
      }
    }
    #expect(after == "anna")
  }

  /// Work that itself has work done, the same way and any other.
  @Test(arguments: Way.all) func identitiesGoAlongFromWorkToWork(way: Way) async {
    for next in Way.all {
      let promise = Promise<String?>()
      let inside = await blocking {
        acting(for: "anna") {
          way.start {
            // From elsewhere, for a serial queue cannot wait for itself.
            IdentityDispatchQueue.global().async { next.start { promise.keep(seen) } }
          }
        }
        return promise.wait()
      }
      #expect(inside == "anna", "\(next.testDescription)")
    }
  }

  private func outcome<Value: Sendable>(
    of way: Way, askedBy identity: String?, _ work: @escaping @Sendable () -> Value
  ) -> Value? {
    let promise = Promise<Value>()
    acting(for: identity) { way.start { promise.keep(work()) } }
    return promise.wait()
  }
}
