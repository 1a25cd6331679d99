import Encodings
import GraphDocuments
import Policy
import Testing

/// Tests folders with the layouts of backup tools.
struct ExportFolderTests {
  static func iOS(_ name: String) -> String {
    ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "\##(name)", "##
      + #""appGroupType": "allApps"}"#
  }

  static func other(_ type: String) -> String {
    ##"{"@odata.type": "#microsoft.graph.\##(type)", "displayName": "x"}"##
  }

  static func file(_ path: String, _ text: String) -> ExportFolder.File {
    ExportFolder.File(path: path, bytes: Array(text.utf8))
  }

  static let folder = ExportFolder(name: "backup/")

  @Test(
    arguments: [
      (
        // This is the layout of IntuneBackupAndRestore.
        [
          "App Protection Policies/iOS.json", "App Protection Policies/Android.json",
          "App Protection Policies/Assignments/1 - iOS.json", "Client Apps/Word.json",
          "Device Configurations/a.json",
        ],
        ["App Protection Policies/Android.json", "App Protection Policies/iOS.json"]
      ),
      (
        // This is the layout of IntuneCD.
        [
          "App Protection/A_iosManagedAppProtection.json", "App Protection/A.yaml",
          "App Configuration/B.json", "README.md",
        ],
        ["App Protection/A_iosManagedAppProtection.json"]
      ),
      (
        // This is the layout of IntuneManagement.
        [
          "Contoso/AppProtection/A.JSON", "Contoso/Applications/B.json", "MigrationTable.json",
          ".git/AppProtection/C.json",
        ],
        ["Contoso/AppProtection/A.JSON"]
      ),
      (
        // No tool has this layout.
        ["b/2.json", "b/assignments/3.json", "a.json", "a.txt", ".hidden.json", "json"],
        ["a.json", "b/2.json"]
      ),
    ])
  func `policy files of an export folder are selected by the export tool's layout`(
    paths: [String], chosen: [String]
  ) {
    #expect(Self.folder.candidates(among: paths) == chosen)
  }

  @Test func `iOS policies are read, and policies for other platforms are counted`() throws {
    let documents = try Self.folder.policies(in: [
      Self.file("App Protection/a.json", Self.iOS("A")),
      Self.file("App Protection/b.json", Self.other("androidManagedAppProtection")),
      Self.file("App Protection/c.json", Self.other("windowsManagedAppProtection")),
      Self.file("App Protection/d.json", Self.other("mdmWindowsInformationProtectionPolicy")),
      Self.file("App Protection/e.json", Self.other("targetedManagedAppConfiguration")),
      Self.file("App Protection/f.json", "[\(Self.iOS("F")), \(Self.iOS("G"))]"),
    ])
    #expect(documents.map(\.displayName) == ["A", "F", "G"])
    #expect(
      documents.map(\.file) == [
        "backup/App Protection/a.json", "backup/App Protection/f.json",
        "backup/App Protection/f.json",
      ])
    #expect(
      documents.flatMap(\.warnings).map(\.description) == [
        "backup: note: skipped 1 policy for Android, 2 policies for Windows and 1 other file [skippedFiles]"
      ])
  }

  @Test func `only iOS policies are read from a list of policies for all platforms`() throws {
    let list = [Self.other("androidManagedAppProtection"), Self.iOS("A")].joined(separator: ",")
    let documents = try Self.folder.policies(in: [Self.file("all.json", "{\"value\": [\(list)]}")])
    #expect(documents.map(\.displayName) == ["A"])
  }

  @Test func `policies in an export folder are recognised by @odata.context or a policy property`()
    throws
  {
    let context = "https://graph.microsoft.com/beta/$metadata#deviceAppManagement"
    let survey = Self.folder.survey([
      Self.file(
        "a.json",
        #"{"@odata.context": "\#(context)/iosManagedAppProtections/$entity", "displayName": "A"}"#),
      Self.file("b.json", #"{"displayName": "B", "appGroupType": "allApps"}"#),
      Self.file("c.json", #"{"displayName": "C", "groupTypes": []}"#),
      Self.file("d.json", #"{"displayName": "D"}"#),
      Self.file("e.json", #"{"displayName": "E", "apps": [], "customSettings": []}"#),
      Self.file("f.json", #"{"displayName": "F", "grantControls": {}, "conditions": {}}"#),
    ])
    #expect(survey.files.flatMap(\.policies).map(\.document.displayName) == ["A", "B"])
    #expect(survey.warnings.map(\.message) == ["skipped 4 other files"])
  }

  @Test func `reading an export whose files are all policies causes no warning`() throws {
    let documents = try Self.folder.policies(in: [Self.file("a.json", Self.iOS("A"))])
    #expect(documents.flatMap(\.warnings).isEmpty)
  }

  @Test func `a JSON file without a type is a policy if it contains an iOS setting`() throws {
    let documents = try Self.folder.policies(in: [
      Self.file("a.json", #"{"displayName": "A", "pinRequired": true, "appGroupType": "allApps"}"#),
      Self.file("b.json", #"{"displayName": "B", "id": "1"}"#),
      Self.file("c.json", #"{"displayName": "C", "pinRequired": true, "encryptAppData": true}"#),
      Self.file("d.json", "[1]"),
      Self.file("e.json", "{"),
    ])
    #expect(documents.map(\.displayName) == ["A"])
    #expect(
      documents[0].warnings.map(\.message) == [
        "skipped 1 policy for Android and 3 other files"
      ])
  }

  @Test(
    arguments: [
      (
        "App Protection/a.json", "{",
        "1:2: error: expected a name in quotes, found the end of the file"
      ),
      (
        "a.json", ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection""##,
        "1:59: error: expected `,` or `}`, found the end of the file"
      ),
    ])
  func `an invalid policy file in an export folder is rejected`(
    path: String, text: String, message: String
  ) {
    let error = #expect(throws: DocumentErrors<PolicyErrorCode>.self) {
      try Self.folder.policies(in: [Self.file(path, text), Self.file("b.json", Self.iOS("B"))])
    }
    #expect(error?.description == "backup/\(path):\(message) [jsonSyntax]")
  }

  @Test func `every invalid policy of a folder is reported`() {
    let broken = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "pinRequired": 1}"##
    let error = #expect(throws: DocumentErrors<PolicyErrorCode>.self) {
      try Self.folder.policies(in: [
        Self.file("a.json", broken), Self.file("b.json", Self.iOS("B")),
        Self.file("c.json", broken),
      ])
    }
    #expect(
      error?.description == """
        backup/a.json:1:76: error: `pinRequired` must be a boolean, found a number [wrongType]
        backup/c.json:1:76: error: `pinRequired` must be a boolean, found a number [wrongType]
        """)
  }

  @Test(
    arguments: [
      ([], "the folder contains no app protection policy for iOS"),
      (
        [other("androidManagedAppProtection"), "{}"],
        "the folder contains no app protection policy for iOS, only 1 policy for Android and 1 other file"
      ),
    ])
  func `a folder without a policy file is rejected`(texts: [String], message: String) {
    let error = #expect(throws: DocumentErrors<PolicyErrorCode>.self) {
      try Self.folder.policies(in: texts.map { Self.file("a.json", $0) })
    }
    #expect(error?.description == "backup: error: \(message) [noPolicy]")
  }

  @Test func `the message about a folder without policies names its scripts and other files`() {
    let paths = ["a/deploy.ps1", "b.ps1", "main.tf", "report.json", ".git/x.tf", "notes.txt", "tf"]
    let folder = Self.folder
    #expect(folder.scripts(among: paths) == ["a/deploy.ps1", "b.ps1", "main.tf"])
    let scripts = [
      Self.file("a/deploy.ps1", "param(\n  $Tenant\n)\n"), Self.file("b.ps1", "$a = 1\n"),
      Self.file("main.tf", "resource \"microsoft365_graph\" \"a\" {\n}\n"),
    ]
    let report = Self.file("report.json", #"[{"ResourceInstanceName": "[A]B"}]"#)
    let message = folder.survey([report], beside: scripts).absence?.message
    #expect(
      message
        == "the folder contains no app protection policy for iOS, only 4 other files; `backup/report.json` is a "
        + "Microsoft365DSC report, according to `ResourceInstanceName`; `backup/a/deploy.ps1` is a PowerShell script; "
        + "`backup/main.tf` is a Terraform configuration; export from Microsoft Graph, or with a tool that writes "
        + "Graph's JSON")
    // A folder with policies skips scripts without a message.
    let survey = folder.survey([Self.file("a.json", Self.iOS("A"))], beside: scripts)
    #expect(survey.absence == nil && survey.warnings.isEmpty)
  }

  @Test func `a policy nested in another document is reported but not read`() throws {
    let template =
      ##"{"Displayname": "T", "RAWJson": "{\"pinRequired\": true, \"saveAsBlocked\": true}", "Type": "AppProtection"}"##
    let wrapped = Self.file("t.json", template)
    let documents = try Self.folder.policies(in: [Self.file("a.json", Self.iOS("A")), wrapped])
    #expect(documents.map(\.displayName) == ["A"])
    #expect(
      documents[0].warnings.map(\.description).last
        == "backup/t.json:1:22: warning: the file is not a policy; one is in the text of `RAWJson` (line 1): save "
        + "it as a separate file, without the enclosing quotes and the escaping backslashes "
        + "[wrappedPolicy]")
    let survey = Self.folder.survey([wrapped])
    #expect(
      survey.absence?.message
        == "the folder contains no app protection policy for iOS, only 1 other file; in `backup/t.json`, one is in "
        + "the text of `RAWJson` (line 1): save it as a separate file, without the enclosing quotes and the "
        + "escaping backslashes")
  }

  /// Full backups contain objects of other types with equal property names.
  @Test func `non-policy Graph objects are not searched for nested policies`() {
    let bitLocker =
      ##"{"@odata.type": "#microsoft.graph.windows10EndpointProtectionConfiguration", "drive": "##
      + #"{"minimumPinLength": 6, "pinRequired": true}}"#
    for text in [bitLocker, "[\(bitLocker)]", #"{"drive": {"minimumPinLength": 6}}"#] {
      #expect(
        Self.folder.survey([Self.file("w.json", text)]).absence?.message.contains("one is in")
          == false)
    }
  }
}
