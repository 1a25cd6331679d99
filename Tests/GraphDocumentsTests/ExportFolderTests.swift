import GraphDocuments
import Testing

struct ExportFolderTests {
  @Test(arguments: [("a/b//", "a/b"), ("/", ""), ("a", "a")])
  func `a folder is named without slashes at its end`(given: String, name: String) {
    #expect(ExportFolder(name: given).name == name)
  }

  @Test func `documents are JSON files, and neither hidden nor assignments`() {
    let folder = ExportFolder(name: "backup")
    let paths = ["b.json", "a.JSON", ".c.json", ".git/d.json", "Assignments/e.json", "f.txt"]
    #expect(folder.documents(among: paths) == ["b.json", "a.JSON", "Assignments/e.json"])
    #expect(folder.withoutAssignments(folder.documents(among: paths)) == ["a.JSON", "b.json"])
  }

  @Test func `a broken file can say what it is`() {
    let file = ExportFolder.File(path: "a.json", bytes: Array(#"{"type": "recipe"#.utf8))
    #expect(file.mentions(["menu", "recipe"]))
    #expect(!file.mentions(["menu"]))
    #expect(ExportFolder(name: "backup/").path(of: file) == "backup/a.json")
  }
}
