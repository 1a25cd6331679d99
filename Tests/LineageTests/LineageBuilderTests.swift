import Model
import Testing

@testable import Lineage

/// Which items came from which, and who has them.
@Suite struct LineageBuilderTests {
  private let mail = Story.managed("mail")
  private let notes = Story.managed("notes")
  private let viewer = Story.plain("viewer")

  @Test func `what is handed on came from what was handed over`() {
    var story = Story()
    let first = story.request(.share, by: mail, to: notes)
    let second = story.request(.share, by: notes, to: viewer) { $0.from = [first] }
    #expect(story.lineage.roots.map(\.number) == [first])
    #expect(story.sources(of: second) == [first])
    #expect(story.hop(second)?.holder == .app(viewer))
    #expect(story.hop(second)?.isUnmanaged == true)
    #expect(story.hop(first)?.isUnmanaged == false)
  }

  @Test func `what was copied is on the pasteboard, and what is pasted came from there`() {
    var story = Story()
    let copy = story.request(.copy, by: mail, of: nil)
    let paste = story.request(.paste, by: mail, to: notes) { $0.from = [copy] }
    #expect(story.hop(copy)?.holder == .pasteboard)
    #expect(story.hop(copy)?.owner == Story.anna)
    #expect(story.sources(of: paste) == [copy])
  }

  @Test(arguments: [RequestEnd.refused, .undeliverable, .failed])
  func `what did not arrive went nowhere`(end: RequestEnd) {
    var story = Story()
    let lost = story.request(.share, by: mail, to: notes, end: end)
    let next = story.request(.share, by: notes, to: viewer) { $0.from = [lost] }
    #expect(story.hop(lost) == nil)
    #expect(story.sources(of: next) == [])
  }

  @Test func `a request that is blocked, or only asks, moves nothing`() {
    var story = Story()
    let blocked = story.request(.share, by: mail, to: viewer, outcome: .blocked, end: .refused)
    let question = story.request(.print, by: mail) { ($0.type, $0.bytes) = (nil, nil) }
    let mayReceive = story.request(.canReceive, by: nil, to: notes)
    for number in [blocked, question, mayReceive] { #expect(story.hop(number) == nil) }
  }

  @Test func `ciphertext is not with who cannot read it`() {
    var story = Story()
    let share = story.request(
      .share, by: mail, to: viewer, outcome: .encrypted, end: .deliveredEncrypted)
    #expect(story.hop(share)?.isEncrypted == true)
    #expect(story.hop(share)?.isUnmanaged == false)
  }

  @Test func `ciphertext stays so, whoever hands it on`() {
    var story = Story()
    let share = story.request(
      .share, by: mail, to: viewer, outcome: .encrypted, end: .deliveredEncrypted)
    let onward = story.request(.share, by: viewer, to: Story.plain("other")) { $0.from = [share] }
    #expect(story.hop(onward)?.isEncrypted == true)
    #expect(story.hop(onward)?.isUnmanaged == false)
  }

  // MARK: files

  @Test func `a file has what was written to it, wherever it is moved`() {
    var story = Story()
    let share = story.request(.share, by: mail, to: notes)
    let written = story.file("Containers/notes/a", .beginning, by: notes, stating: [share])
    let moved = story.request(.moveFile, by: notes) {
      ($0.subject, $0.target) = ("Containers/notes/a", "Containers/notes/b")
    }
    let read = story.file("Containers/notes/b", .reading, by: notes)
    let gone = story.file("Containers/notes/a", .reading, by: notes)
    let onward = story.request(.share, by: notes, to: viewer) { $0.stated = [read] }
    #expect(story.sources(of: written, .stated) == [share])
    #expect(story.sources(of: moved) == [written])
    #expect(story.sources(of: read) == [moved])
    #expect(story.sources(of: gone) == [])
    #expect(story.sources(of: onward, .stated) == [read])
    #expect(story.hop(onward)?.isUnmanaged == true)
  }

  @Test func `what is added to a file joins what is there, and what begins anew does not`() {
    var story = Story()
    let first = story.file("f", .beginning, by: notes)
    let share = story.request(.share, by: mail, to: notes)
    let added = story.file("f", .updating, by: notes, stating: [share])
    let asked = story.file("f", .asking, by: notes)
    let anew = story.file("f", .beginning, by: notes)
    #expect(story.sources(of: added) == [first])
    #expect(story.sources(of: added, .stated) == [share])
    #expect(story.hop(asked) == nil)
    #expect(story.sources(of: anew) == [])
  }

  @Test func `a file that was removed is another one when it is there again`() {
    var story = Story()
    story.file("f", .beginning, by: notes)
    story.request(.removeFile, by: notes) { $0.subject = "f" }
    let read = story.file("f", .reading, by: notes)
    #expect(story.sources(of: read) == [])
  }

  @Test func `reading one's own file takes data nowhere, reading a group's may`() {
    for (path, isUnmanaged) in [("Containers/viewer/f", false), ("Groups/team/f", true)] {
      var story = Story()
      story.file(path, .beginning, by: mail)
      let read = story.file(path, .reading, by: viewer)
      #expect(story.hop(read)?.isUnmanaged == isUnmanaged, "\(path)")
    }
  }

  // MARK: what guests say

  @Test func `an app is believed of what it had, and of nothing else`() {
    var story = Story()
    let own = story.request(.share, by: mail, to: notes)
    let others = story.request(.share, by: mail, to: viewer)
    let outside = story.request(.print, by: notes)
    let claim = story.request(.share, by: notes, to: mail) {
      $0.stated = [own, others, outside, 77]
    }
    #expect(story.sources(of: claim, .stated) == [own])
  }

  @Test func `a seal counts for more than a word`() {
    var story = Story()
    let share = story.request(.share, by: mail, to: notes)
    let next = story.request(.share, by: notes, to: mail) {
      ($0.from, $0.stated) = ([share], [share])
    }
    #expect(story.hop(next)?.sources == [Hop.Source(item: share, certainty: .certain)])
  }

  @Test func `what has the same content is likely, after what is certain and what is said`() {
    var story = Story()
    let share = story.request(.share, by: mail, to: notes)
    let copy = story.request(.share, by: mail, to: notes)
    let onward = story.request(.share, by: notes, to: viewer) {
      ($0.likely, $0.stated) = ([share], [copy])
    }
    #expect(story.sources(of: onward, .likely) == [share])
    #expect(story.hop(onward)?.sources.map(\.certainty) == [.stated, .likely])
    #expect(story.hop(onward)?.isUnmanaged == true)
    #expect(story.lineage.text.contains("viewer [unmanaged], likely, by its content: "))
  }

  // MARK: outside

  @Test(
    arguments: [
      ("oneDriveForBusiness of `anna@contoso.com`", "oneDriveForBusiness", Story.anna, false),
      (
        "oneDriveForBusiness of `ben@fabrikam.com`", "oneDriveForBusiness", "ben@fabrikam.com", true
      ),
      ("localDrive of no account", "localDrive", nil, true),
      ("other of ``", "other", "", true),
    ] as [(String, String, String?, Bool)])
  func `a storage location is its account's`(
    subject: String, place: String, account: String?, isUnmanaged: Bool
  ) {
    var story = Story()
    let saved = story.request(.saveTo, by: mail) { $0.subject = subject }
    #expect(story.hop(saved)?.holder == .outside(place, account: account))
    #expect(story.hop(saved)?.isUnmanaged == isUnmanaged)
  }

  @Test func `ciphertext stays so on the pasteboard, where what managed apps copy does not`() {
    var story = Story()
    let other = Story.plain("other")
    let share = story.request(
      .share, by: mail, to: viewer, outcome: .encrypted, end: .deliveredEncrypted)
    let copy = story.request(.copy, by: viewer) { $0.from = [share] }
    let paste = story.request(.paste, by: nil, to: other) { $0.from = [copy] }
    #expect(story.hop(paste)?.isEncrypted == true)
    #expect(story.hop(paste)?.isUnmanaged == false)
    let own = story.request(.copy, by: mail, outcome: .encrypted)
    let read = story.request(.paste, by: nil, to: other) { $0.from = [own] }
    #expect(story.hop(read)?.isUnmanaged == true)
  }

  @Test func `data of nobody are nobody's, wherever they are`() {
    var story = Story()
    let share = story.request(.share, by: viewer, to: Story.plain("other"), of: "")
    #expect(story.hop(share)?.isManaged == false)
    #expect(story.hop(share)?.isUnmanaged == false)
  }
}
