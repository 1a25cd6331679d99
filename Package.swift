// swift-tools-version: 6.1
import PackageDescription

// The commit that programs name as their own, as `scripts/revision.sh` prints it.
let revision = Context.environment["SLUICE_REVISION"].flatMap { $0.isEmpty ? nil : $0 }

extension Target {
  /// A static executable, so that a process costs little and needs no run time beside itself.
  static func guest(
    name: String, dependencies: [Dependency] = [], path: String? = nil, exclude: [String] = []
  ) -> Target {
    .executableTarget(
      name: name, dependencies: dependencies, path: path, exclude: exclude,
      linkerSettings: [.unsafeFlags(["-static-executable", "-Xlinker", "--gc-sections"])])
  }
}

let package = Package(
  name: "sluice",
  products: [
    .executable(name: "sluice", targets: ["sluice"]),
    .library(name: "SluiceKit", targets: ["SluiceKit"]),
    .library(name: "SluiceDispatch", targets: ["SluiceDispatch"]),
    .library(name: "UniformTypes", targets: ["UniformTypes"]),
    .library(name: "SluiceInteraction", targets: ["SluiceInteraction", "UserActs"]),
    .library(name: "Diagnostics", targets: ["Diagnostics", "Encodings", "JSON"]),
    .library(name: "OutputFiles", targets: ["OutputFiles"]),
    .library(name: "ManagedApp", targets: ["ManagedApp"]),
    .library(name: "ManagedAppTLS", targets: ["ManagedAppTLS"]),
    .library(
      name: "SluiceHost",
      targets: [
        "Analysis", "AppConfiguration", "GraphDocuments", "Host", "JSON", "Model", "Policy",
        "UserActs",
        "Wire",
      ]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/onevcat/Rainbow", from: "4.2.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
  ],
  targets: [
    // MARK: Foundations
    .target(name: "JSON"),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
    .target(name: "Encodings"),
    .testTarget(name: "EncodingsTests", dependencies: ["Encodings"]),
    .testTarget(name: "DiagnosticsTests", dependencies: ["Diagnostics"]),
    .target(name: "Diagnostics", dependencies: ["Encodings", "JSON"]),
    .target(
      name: "HTML", dependencies: ["Encodings"], resources: [.embedInCode("look.css")]),
    .target(name: "Predicates"),
    .testTarget(
      name: "PredicatesTests",
      dependencies: ["Activation", "Declarations", "Predicates", "TestSupport", "UniformTypes"]),

    // MARK: System
    .systemLibrary(
      name: "CUV", pkgConfig: "libuv-static", providers: [.apt(["libuv1-dev"])]),
    .systemLibrary(
      name: "CProtobufC", pkgConfig: "libprotobuf-c", providers: [.apt(["libprotobuf-c-dev"])]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(
      name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"])]),
    .systemLibrary(
      name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .target(name: "CCrypto", dependencies: ["COpenSSL"]),
    .target(name: "CMessages", dependencies: ["CProtobufC"]),
    .target(name: "Compression", dependencies: ["CZlib"]),
    .target(name: "CScript", dependencies: ["CLua"], linkerSettings: [.linkedLibrary("m")]),
    .target(
      name: "CRevision",
      cSettings: revision.map { [.define("SLUICE_REVISION", to: "\"\($0)\"")] }),
    .target(name: "CSpawn"),
    .target(name: "CConfinement"),
    .target(name: "CInterruption"),
    .target(name: "CZygote", dependencies: ["CSpawn"]),
    .target(name: "CSharedMemory"),
    .target(name: "SharedMemory", dependencies: ["CSharedMemory"]),
    .testTarget(name: "SharedMemoryTests", dependencies: ["SharedMemory", "TestSupport"]),
    .target(name: "EventLoop", dependencies: ["CSpawn", "CUV", "CZygote"]),
    .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "TestSupport"]),
    .target(name: "OutputFiles"),
    .testTarget(name: "OutputFilesTests", dependencies: ["OutputFiles", "TestSupport"]),
    .target(name: "SystemCalls", dependencies: ["CSeccomp"]),
    .testTarget(
      name: "SystemCallsTests", dependencies: ["EventLoop", "SystemCalls", "TestSupport"]),
    .target(name: "Cryptography", dependencies: ["CCrypto"]),
    .testTarget(
      name: "CryptographyTests", dependencies: ["CCrypto", "Cryptography", "TestSupport"]),
    .target(name: "SignedMessages", dependencies: ["CCrypto"]),
    .testTarget(name: "SignedMessagesTests", dependencies: ["SignedMessages"]),

    // MARK: Model
    .target(name: "Model", dependencies: ["Encodings", "JSON"]),
    .testTarget(
      name: "ModelTests", dependencies: ["JSON", "Model", "TestSupport"], exclude: ["Golden"]),
    .target(name: "UniformTypes"),
    .testTarget(name: "UniformTypesTests", dependencies: ["UniformTypes"]),
    .target(name: "Wire", dependencies: ["CMessages", "CProtobufC", "JSON", "Model"]),
    .testTarget(name: "WireTests", dependencies: ["Model", "TestSupport", "Wire"]),
    .target(name: "UserActs", dependencies: ["CMessages", "CProtobufC", "Model", "Wire"]),
    .testTarget(name: "UserActsTests", dependencies: ["Model", "UserActs", "Wire"]),
    .target(name: "FileProtection", dependencies: ["Cryptography", "Model"]),
    .testTarget(
      name: "FileProtectionTests",
      dependencies: ["Cryptography", "FileProtection", "Model", "TestSupport"]),
    .target(name: "Secrets", dependencies: ["CCrypto", "Cryptography", "Model"]),
    .testTarget(
      name: "SecretsTests", dependencies: ["Model", "Secrets", "TestSupport"]),

    // MARK: Rules
    .target(name: "GraphDocuments", dependencies: ["Diagnostics", "JSON"]),
    .testTarget(
      name: "GraphDocumentsTests", dependencies: ["Diagnostics", "GraphDocuments", "JSON"]),
    .target(
      name: "Policy",
      dependencies: ["Diagnostics", "Encodings", "GraphDocuments", "JSON", "Model"]),
    .testTarget(
      name: "PolicyTests",
      dependencies: ["GraphDocuments", "JSON", "Model", "Policy", "Simulation", "TestSupport"]),
    .target(
      name: "AppConfiguration",
      dependencies: ["Diagnostics", "Encodings", "GraphDocuments", "JSON", "Model"]),
    .testTarget(
      name: "AppConfigurationTests",
      dependencies: ["AppConfiguration", "GraphDocuments", "JSON", "Model", "Simulation"]),
    .target(
      name: "Enrollment",
      dependencies: ["Diagnostics", "Encodings", "GraphDocuments", "JSON", "Model"]),
    .testTarget(
      name: "EnrollmentTests",
      dependencies: [
        "Encodings", "Enrollment", "GraphDocuments", "JSON", "Model", "TestSupport",
      ]),
    .target(name: "Activation", dependencies: ["Diagnostics", "Predicates", "UniformTypes"]),
    .testTarget(
      name: "ActivationTests",
      dependencies: ["Activation", "Predicates", "TestSupport", "UniformTypes"]),
    .target(
      name: "Bundle",
      dependencies: [
        "Activation", "CExpat", "Diagnostics", "Encodings", "JSON", "OutputFiles", "Predicates",
        "SignedMessages", "UniformTypes",
      ]),
    .testTarget(
      name: "BundleTests",
      dependencies: [
        "Activation", "Bundle", "Diagnostics", "JSON", "Predicates", "TestSupport", "UniformTypes",
      ],
      exclude: ["Golden"]),
    .target(
      name: "Declarations",
      dependencies: ["Bundle", "Cryptography", "Diagnostics", "Encodings", "JSON", "Predicates"]),
    .testTarget(
      name: "DeclarationsTests",
      dependencies: ["Bundle", "Cryptography", "Declarations", "JSON", "Predicates", "TestSupport"]),

    // MARK: Device
    .target(
      name: "Host",
      dependencies: [
        "Activation", "AppConfiguration", "Bundle", "CConfinement", "Cryptography", "Declarations",
        "Encodings", "Enrollment", "EventLoop", "FileProtection", "GraphDocuments", "JSON", "Model",
        "Policy", "Predicates", "Secrets", "SharedMemory", "SystemCalls", "UniformTypes",
        "UserActs", "Wire",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "HostTests",
      dependencies: [
        "AppConfiguration", "Cryptography", "Declarations", "Enrollment", "EventLoop",
        "FileProtection", "GraphDocuments", "Host", "JSON", "Model", "Policy", "Secrets",
        "SharedMemory", "SystemCalls", "TestSupport", "Wire",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),

    // MARK: Guest
    .target(
      name: "SluiceKit",
      dependencies: [
        "Encodings", "EventLoop", "FileProtection", "Model", "SharedMemory", "UniformTypes", "Wire",
      ]),
    .testTarget(
      name: "SluiceKitTests",
      dependencies: ["SluiceInteraction", "SluiceKit", "TestSupport", "UserActs", "Wire"]),
    .target(name: "SluiceInteraction", dependencies: ["SluiceKit", "UserActs", "Wire"]),
    .target(name: "SluiceDispatch", dependencies: ["SluiceKit"]),
    .testTarget(
      name: "SluiceDispatchTests", dependencies: ["SluiceDispatch", "SluiceKit", "TestSupport"]),
    .target(name: "ManagedApp", dependencies: ["Model", "SluiceKit"]),
    .target(
      name: "ManagedAppTLS",
      dependencies: [
        "ManagedApp", "Model", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .testTarget(
      name: "ManagedAppTLSTests",
      dependencies: [
        "ManagedAppTLS", "TestSupport", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .target(name: "Scripting", dependencies: ["CScript", "Model", "SluiceKit", "Wire"]),
    .testTarget(name: "ScriptingTests", dependencies: ["Scripting", "SluiceKit", "Wire"]),

    // MARK: Tools
    .target(
      name: "Scenario",
      dependencies: [
        "Activation", "Diagnostics", "Encodings", "JSON", "Model",
        .product(name: "Yams", package: "Yams"),
      ]),
    .testTarget(
      name: "ScenarioTests", dependencies: ["Activation", "JSON", "Model", "Scenario"],
      exclude: ["Golden"]),
    .target(
      name: "Analysis",
      dependencies: ["Encodings", "GraphDocuments", "HTML", "JSON", "Model", "Policy"]),
    .testTarget(
      name: "AnalysisTests",
      dependencies: ["Analysis", "GraphDocuments", "JSON", "Model", "Policy", "TestSupport"],
      exclude: ["Golden"]),
    .target(
      name: "Inspection",
      dependencies: ["Diagnostics", "Encodings", "GraphDocuments", "JSON", "Model", "Policy"]),
    .testTarget(
      name: "InspectionTests",
      dependencies: [
        "Diagnostics", "Encodings", "GraphDocuments", "Inspection", "JSON", "Model", "Policy",
        "TestSupport",
      ],
      exclude: ["Golden"]),
    .target(
      name: "Leaks",
      dependencies: ["Diagnostics", "Encodings", "JSON", "Model", "Policy", "Scenario"]),
    .testTarget(name: "LeaksTests", dependencies: ["Leaks", "Model", "Policy", "TestSupport"]),
    .target(name: "Export", dependencies: ["Cryptography", "JSON", "Model", "Scenario"]),
    .target(
      name: "Picture",
      dependencies: [
        "Compression", "Cryptography", "Encodings", "HTML", "JSON", "Lineage", "Model", "Scenario",
      ],
      resources: [
        "page.css", "data.js", "page.js", "map.js", "live.js", "leaks.js", "views.js",
      ].map { .embedInCode("Page/\($0)") }),
    .testTarget(
      name: "PictureTests", dependencies: ["JSON", "Model", "Picture", "Scenario", "TestSupport"]),
    .target(name: "Lineage", dependencies: ["Diagnostics", "Encodings", "JSON", "Model"]),
    .testTarget(name: "LineageTests", dependencies: ["JSON", "Lineage", "Model", "TestSupport"]),
    .target(
      name: "ShareSheet",
      dependencies: [
        "Activation", "Analysis", "HTML", "JSON", "Model", "Policy", "UniformTypes",
      ]),
    .testTarget(
      name: "ShareSheetTests",
      dependencies: ["Activation", "JSON", "Model", "Policy", "ShareSheet", "UniformTypes"]),
    .target(
      name: "Specification",
      dependencies: ["Bundle", "Diagnostics", "Encodings", "HTML", "JSON", "Predicates"]),
    .testTarget(
      name: "SpecificationTests",
      dependencies: ["Bundle", "Diagnostics", "JSON", "Specification", "TestSupport"],
      exclude: ["Golden"]),
    .target(
      name: "Simulation",
      dependencies: [
        "Activation", "Analysis", "AppConfiguration", "Bundle", "Declarations", "Diagnostics",
        "Encodings",
        "Enrollment", "EventLoop", "GraphDocuments", "Host", "JSON", "Leaks", "Lineage", "Model",
        "Policy", "Scenario", "Secrets", "ShareSheet", "SystemCalls", "UniformTypes", "UserActs",
        "Wire",
      ]),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Analysis", "Host", "JSON", "Model", "Policy", "Scenario", "ShareSheet", "Simulation",
        "TestSupport",
      ]),
    .target(
      name: "Sharding",
      dependencies: [
        "Cryptography", "Diagnostics", "Encodings", "JSON", "Model", "Scenario", "Simulation",
      ]),
    .testTarget(
      name: "ShardingTests",
      dependencies: [
        "Cryptography", "Diagnostics", "JSON", "Model", "Scenario", "Sharding", "Simulation",
        "TestSupport",
      ]),
    .target(
      name: "Clusters",
      dependencies: ["Diagnostics", "Encodings", "JSON", "Sharding", "Simulation"]),
    .testTarget(
      name: "ClustersTests", dependencies: ["Clusters", "Simulation", "TestSupport"]),

    .target(
      name: "Fleets",
      dependencies: [
        "CMessages", "CProtobufC", "Diagnostics", "Encodings", "EventLoop", "Host", "Model",
        "Scenario", "Secrets", "Simulation", "Wire",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
      ]),
    .testTarget(
      name: "FleetsTests",
      dependencies: ["EventLoop", "Fleets", "Host", "Model", "Simulation", "TestSupport"]),

    .target(
      name: "LiveView",
      dependencies: [
        "Diagnostics", "Encodings", "JSON", "Picture", "Scenario", "Simulation",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),

    // MARK: Programs
    .executableTarget(
      name: "sluice",
      dependencies: [
        "Activation", "Analysis", "AppConfiguration", "Bundle", "CEdit", "CInterruption",
        "CRevision", "Clusters", "Diagnostics", "Encodings", "EventLoop", "Export", "Fleets",
        "GraphDocuments", "Host", "Inspection",
        "JSON", "Leaks", "Lineage", "LiveView", "Model", "OutputFiles", "Picture", "Policy",
        "Scenario",
        "Sharding", "ShareSheet", "Simulation", "Specification", "SystemCalls", "UniformTypes",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Rainbow", package: "Rainbow"),
      ],
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--icf=safe"], .when(configuration: .release))
      ]),
    .guest(
      name: "sluice-guest",
      dependencies: [
        "CConfinement", "CZygote", "FileProtection", "Model", "Scripting", "SluiceKit", "Wire",
      ]),
    .executableTarget(name: "sluice-launch", dependencies: ["CConfinement", "CZygote"]),
    .executableTarget(
      name: "sluice-server",
      dependencies: [
        "CConfinement", "Encodings", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),

    .executableTarget(
      name: "sluice-link",
      dependencies: [
        "Encodings", "SharedMemory", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),

    // MARK: Examples and plugins
    .guest(
      name: "note-keeper", dependencies: ["SluiceKit"], path: "examples/NoteKeeper.app",
      exclude: ["Info.plist", "entitlements.plist"]),
    .executableTarget(
      name: "landmarks",
      dependencies: [
        "ManagedApp", "ManagedAppTLS", "SluiceKit", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      path: "examples/Landmarks.app", exclude: ["Info.plist"]),
    .guest(
      name: "save-note", dependencies: ["SluiceKit"], path: "plugins/SaveNote.appex",
      exclude: ["Info.plist", "entitlements.plist"]),
    .guest(
      name: "shout", dependencies: ["SluiceKit"], path: "plugins/Shout.appex",
      exclude: ["Info.plist", "entitlements.plist"]),

    // MARK: Programs that tests run
    .guest(
      name: "policy-probe", dependencies: ["Model", "SluiceKit"],
      path: "Tests/PolicyProbe"),
    .guest(name: "file-probe", dependencies: ["SluiceKit"], path: "Tests/FileProbe"),
    .guest(
      name: "program-runner", path: "Tests/ProgramRunner"),
    .guest(
      name: "sharing-probe", dependencies: ["SluiceKit"], path: "Tests/SharingProbe"),
    .executableTarget(
      name: "file-writer", dependencies: ["FileProtection"], path: "Tests/FileWriter"),
    .executableTarget(
      name: "dispatch-guest", dependencies: ["SluiceDispatch", "SluiceKit"],
      path: "Tests/DispatchGuest"),
    .executableTarget(name: "hostile-guest", path: "Tests/HostileGuests"),
    .executableTarget(
      name: "escape-attempts", dependencies: ["CConfinement"], path: "Tests/EscapeAttempts"),
    .executableTarget(
      name: "fuzz-guest-messages", dependencies: ["Model", "Wire"], path: "Tests/Fuzz"),

    // MARK: Benchmarks
    .executableTarget(
      name: "file-bench", dependencies: ["Cryptography", "FileProtection", "Model"],
      path: "Benchmarks/Sources/file-bench"),
    .executableTarget(
      name: "sluice-bench",
      dependencies: [
        "Analysis", "AppConfiguration", "EventLoop", "GraphDocuments", "Host", "JSON", "Model",
        "Policy", "Wire", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Benchmarks/Sources/sluice-bench"),
    .executableTarget(
      name: "activation-bench", dependencies: ["Activation", "UniformTypes"],
      path: "Benchmarks/Sources/activation-bench"),
    .executableTarget(
      name: "sheet-bench", dependencies: ["Activation", "Model", "Policy", "ShareSheet"],
      path: "Benchmarks/Sources/sheet-bench"),
    .executableTarget(
      name: "managed-bench",
      dependencies: ["Declarations", "Host", "Model", "Policy", "Secrets", "Wire"],
      path: "Benchmarks/Sources/managed-bench"),

    .executableTarget(
      name: "link-bench",
      dependencies: [
        "Encodings", "EventLoop", "Fleets", "Host", "Model", "SharedMemory", "Simulation",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      path: "Benchmarks/Sources/link-bench"),

    // MARK: Tests
    .testTarget(
      name: "CommandTests", dependencies: ["Host", "JSON", "Model", "TestSupport", "Wire"]),
    .target(name: "TestSupport", dependencies: ["CSpawn"], path: "Tests/Support"),
  ],
  swiftLanguageModes: [.v6]
)

// Floors, from the ground up: a target imports what is below its floor, or beside it (`scripts/lint.sh`).
let floors = [
  "Foundations": ["JSON", "Encodings", "Diagnostics", "HTML", "Predicates"],
  "System": [
    "CUV", "CProtobufC", "COpenSSL", "CCrypto", "CExpat", "CZlib", "CEdit", "CLua", "CMessages",
    "CScript",
    "CRevision", "CSpawn",
    "CConfinement", "CInterruption", "CSeccomp", "CSharedMemory", "CZygote", "EventLoop",
    "SharedMemory", "SystemCalls", "Compression", "Cryptography", "OutputFiles", "SignedMessages",
  ],
  "Model": ["Model", "UniformTypes", "Wire", "UserActs", "FileProtection", "Secrets"],
  "Rules": [
    "GraphDocuments", "Policy", "AppConfiguration", "Enrollment", "Activation", "Bundle",
    "Declarations",
  ],
  "Device": ["Host"],
  "Guest": [
    "SluiceKit", "SluiceInteraction", "SluiceDispatch", "ManagedApp", "ManagedAppTLS", "Scripting",
  ],
  "Tools": [
    "Scenario", "Analysis", "Clusters", "Export", "Fleets", "Inspection", "Leaks", "Lineage",
    "LiveView",
    "Picture",
    "Sharding", "ShareSheet", "Specification", "Simulation",
  ],
  "Programs": ["sluice", "sluice-guest", "sluice-launch", "sluice-link", "sluice-server"],
]

for (floor, names) in floors {
  for target in package.targets where names.contains(target.name) {
    target.path = "Sources/\(floor)/\(target.name)"
  }
}

// CI takes no warning; a toolchain that warns of more than ours does not keep anybody from building. Static programs are
// built for release, of modules that are all built for tests, too.
let strictness: [SwiftSetting] =
  Context.environment["SLUICE_STRICT"] == nil
  ? [] : [.unsafeFlags(["-warnings-as-errors"], .when(configuration: .debug))]

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + strictness
}

// What decides and routes is built for speed, what reads, draws and prints for size.
let compact = Set(floors["Tools"] ?? []).union([
  "sluice", "AppConfiguration", "Bundle", "Declarations", "Enrollment",
])

for target in package.targets where compact.contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
}

// Tests draw requests, rules and worlds by the thousand, so the modules that decide them are optimised in every build.
let deciding: Set = [
  "Encodings", "JSON", "Predicates", "Model", "Wire", "GraphDocuments", "Policy", "Activation",
  "Leaks",
]

for target in package.targets where deciding.contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
}

// Parts that a build can leave out: `SLUICE_WITHOUT=tls,benchmarks,tests`. BoringSSL takes minutes to compile.
let parts = [
  "tls": [
    "ManagedAppTLS", "ManagedAppTLSTests", "sluice-server", "sluice-link", "landmarks",
    "link-bench",
  ],
  "benchmarks": [
    "file-bench", "sluice-bench", "activation-bench", "sheet-bench", "managed-bench", "link-bench",
  ],
  "tests": package.targets.filter { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
    .map(\.name),
]
let without = (Context.environment["SLUICE_WITHOUT"] ?? "").split(separator: ",").map(String.init)

for part in without {
  guard let names = parts[part] else { fatalError("SLUICE_WITHOUT: there is no part `\(part)`") }
  package.targets.removeAll { names.contains($0.name) }
  package.products.removeAll { names.contains($0.name) }
}
if !without.contains("tls") {
  package.dependencies.append(
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"))
}
