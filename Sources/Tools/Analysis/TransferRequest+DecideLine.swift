internal import JSON
internal import Model
public import Policy

extension TransferRequest {
  /// The request as a line that `sluice decide` reads, without a line break, with what its rules read.
  ///
  /// The managed accounts of the request are under all policies that `sluice decide` is given.
  public var decideLine: String {
    var request = self
    request.sender.leaveOutWhatIsNotRead()
    request.receiver.leaveOutWhatIsNotRead()
    request.content.url = url
    var writer = JSONWriter()
    writer.object { request.writeFacts(to: &$0, policies: .managed) }
    return writer.text
  }

  /// The URL of the request, else one of its scheme; nil where none is opened.
  var url: String? {
    content.url ?? content.link?.text ?? content.scheme.map(RepresentativeScenes.url)
  }
}

extension Party {
  fileprivate mutating func leaveOutWhatIsNotRead() {
    app.isMultiIdentity = false
    if isManaged { app.linksSDK = false }
  }
}
