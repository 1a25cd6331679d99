import Model
import Policy
import Testing

/// The engine and the naive evaluator agree on every URL request of the finite domain.
@Suite("Naive evaluator: exhaustive comparison of URLs")
struct NaiveLinkTests {
  private typealias Domain = RequestDomain

  private static let strict = [Domain.policy { $0.allowedInboundDataTransferSources = .none }]

  /// The system. Also, in the sender's app and in another app: no account, Anna unmanaged and Anna
  /// managed.
  private static let openers =
    [Party.system]
    + Domain.receivers(strict).filter { $0.identity.account?.isSameUser(as: Domain.anna) != false }

  private static let urls: [Content] = [nil, "http", "https", "skype"].flatMap { scheme in
    Domain.flags.flatMap { isKnown in
      Domain.flags.map {
        Content(scheme: scheme, isKnownManagedScheme: isKnown, opensInManagedBrowser: $0)
      }
    }
  }

  @Test
  func `verdicts on URLs agree with the naive evaluator for all schemes, browsers and exemptions`()
  {
    let owning = Domain.urlPolicies.filter { $0.settings.customBrowserProtocol == "" }
    let domain = Domain(
      channels: [.openURL], senders: Domain.senders(Domain.urlPolicies),
      owners: Domain.owners(owning).filter { $0.account?.isSameUser(as: Domain.bert) != true },
      receivers: Self.openers, contents: Self.urls)
    domain.expectAgreement(on: 198_000)
  }

  @Test(arguments: [Channel.openURL, .universalLink, .appClip])
  func `verdicts on web links agree with the naive evaluator for all browsers and link lists`(
    channel: Channel
  ) {
    let urls = [
      nil, "https://www.contoso.com/about", "https://www.contoso.com/docs/1?x=/about",
      "https://fabrikam.com/docs/1", "https://fabrikam.com/about", "http://nowhere.example/",
      "http://nowhere.example/about", "http://www.contoso.com/about",
      "https://evil.example/?https://www.contoso.com/docs/1",
    ]
    let contents = urls.flatMap { url in
      Domain.flags.map { isManagedBrowser in
        Content(
          scheme: url?.hasPrefix("http:") == true ? "http" : "https",
          opensInManagedBrowser: isManagedBrowser, link: url.flatMap { WebLink($0) })
      }
    }
    let owning = Domain.linkPolicies.filter { $0.settings.customBrowserProtocol == "" }
    let domain = Domain(
      channels: [channel], senders: Domain.senders(Domain.linkPolicies),
      owners: Domain.owners(owning).filter { $0.account?.isSameUser(as: Domain.carl) != true },
      receivers: Self.openers, contents: contents)
    domain.expectAgreement(on: 107_406)
  }

  @Test
  func `verdicts on calls and messages agree with the naive evaluator for every restriction level`()
  {
    let schemes = ["tel", "telprompt", "sms", "imessage", "mailto"]
    let contents = schemes.flatMap { scheme in
      Domain.flags.map { Content(scheme: scheme, isKnownManagedScheme: $0) }
    }
    let owning = Domain.telephonePolicies.filter { $0.settings.exemptedAppProtocols.isEmpty }
    let phones = Self.openers.map { opener in
      var opener = opener
      opener.app.schemes = ["phone"]
      return opener
    }
    let domain = Domain(
      channels: [.openURL], senders: Domain.senders(Domain.telephonePolicies),
      owners: Domain.owners(owning).filter { $0.account?.isSameUser(as: Domain.carl) != true },
      receivers: Self.openers + phones, contents: contents)
    domain.expectAgreement(on: 364_140)
  }
}
