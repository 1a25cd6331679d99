/// Scenarios that tests run.
enum Samples {
  /// Two passing cases. The first one checks a criterion.
  static let passing = """
    name: Passing
    apps:
      a: { bundle: org.example.a }
      b: { bundle: org.example.b }
    cases:
      - name: an item arrives
        criterion: SEND-4
        steps:
          - launch: [a, b]
          - share: { from: a, to: b, text: Hi }
            expect: { verdict: allowed, end: delivered, received: Hi }
      - name: an app starts
        steps:
          - launch: a

    """

  /// A failing case, a passing case, and a case with a step that cannot be performed.
  static let failing = """
    name: "Failing & <more>"
    apps:
      a: { bundle: org.example.a }
      b: { bundle: org.example.b }
    cases:
      - name: an item is kept back
        steps:
          - launch: [a, b]
          - share: { from: a, to: b, text: Hi }
            expect: { verdict: blocked }
      - name: "an app starts # once"
        steps:
          - launch: a
      - name: an app starts twice
        steps:
          - launch: a
          - launch: a

    """

  /// A case that takes hours.
  static let endless = """
    apps:
      a: { bundle: org.example.a }
      b: { bundle: org.example.b }
    steps:
      - launch: [a, b]
      - share: { from: a, to: b, text: Hi }
        repeat: 1000000

    """

  /// A scenario whose policy is `policy.json`.
  static let withPolicy = """
    accounts: { anna: { upn: anna@contoso.com } }
    policies: { base: { file: policy.json, assign: [{ account: anna }] } }
    apps: { a: { bundle: org.example.a, sdk: true, signedIn: [anna] } }
    steps:
      - launch: a

    """

  static let policy = """
    {
      "displayName": "Base",
      "allowedOutboundDataTransferDestinations": "managedApps",
      "apps": [{ "mobileAppIdentifier": { "bundleId": "org.example.a" } }]
    }

    """
}
