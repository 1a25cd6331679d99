// swift-tools-version: 6.1
import PackageDescription

// Modules with the names of Apple's and Microsoft's frameworks. They form a separate package,
// because other packages check `canImport(Combine)` or `canImport(UIKit)`, and would mistake these
// modules for the real ones.

let kit = Target.Dependency.product(name: "SluiceKit", package: "sluice")
let types = Target.Dependency.product(name: "UniformTypes", package: "sluice")

let package = Package(
  name: "ios-modules",
  products: [
    .library(name: "IntuneMAMSwift", targets: ["IntuneMAMSwift"]),
    .library(name: "MSAL", targets: ["MSAL"]),
    .library(
      name: "UIKit",
      targets: [
        "UIKit", "UniformTypeIdentifiers", "UserNotifications", "MobileCoreServices",
        "CoreServices", "Social", "FoundationExtensions", "OSLog", "os",
      ]),
    // Apart from the rest, because OpenCombine takes a sixth of the time of a first build.
    .library(name: "Combine", targets: ["Combine", "SwiftUI"]),
  ],
  dependencies: [
    .package(name: "sluice", path: ".."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    // MARK: The process
    .target(name: "CMainBundle"),
    .target(name: "AppProcess", dependencies: ["CMainBundle", kit]),

    // MARK: Apple's modules
    .target(name: "UniformTypeIdentifiers", dependencies: [types]),
    .target(name: "MobileCoreServices", dependencies: ["UniformTypeIdentifiers"]),
    .target(name: "CoreServices", dependencies: ["MobileCoreServices"]),
    .target(name: "OSLog"),
    .target(name: "os", dependencies: ["OSLog"]),
    .target(name: "SwiftUI", dependencies: ["Combine", "UIKit"]),
    .target(
      name: "FoundationExtensions",
      dependencies: ["AppProcess", "UniformTypeIdentifiers", kit, types]),
    .target(
      name: "UIKit",
      dependencies: [
        "AppProcess", "FoundationExtensions", "UniformTypeIdentifiers", "UserNotifications", kit,
      ]),
    .testTarget(
      name: "UIKitTests",
      dependencies: [
        "CoreServices", "FoundationExtensions", "OSLog", "UIKit", "UniformTypeIdentifiers",
        "UserNotifications", kit,
      ],
      // Without this flag, the compiler searches for Testing's cross-import overlay of Apple's
      // UIKit.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
    .target(name: "UserNotifications", dependencies: ["AppProcess", kit]),
    .target(name: "Social", dependencies: ["AppProcess", "UIKit"]),
    .target(
      name: "Combine",
      dependencies: [
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "OpenCombineFoundation", package: "OpenCombine"),
      ]),

    // MARK: Microsoft's modules
    .target(
      name: "IntuneMAMSwift", dependencies: ["AppProcess", "FoundationExtensions", "UIKit", kit]),
    .target(name: "MSAL", dependencies: ["AppProcess", "UIKit", kit]),
    .testTarget(
      name: "MSALTests", dependencies: ["MSAL", "UIKit"],
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),

    // MARK: Tests on a device
    .executableTarget(
      name: "probe-app", dependencies: ["AppProcess", "IntuneMAMSwift", "UIKit"],
      path: "Tests/ProbeApp"),
    .executableTarget(
      name: "question-bench", dependencies: ["AppProcess", "IntuneMAMSwift", kit],
      path: "Benchmarks", exclude: ["questions.yaml"]),
    .testTarget(
      name: "DeviceTests", dependencies: ["probe-app"],
      path: "Tests/DeviceTests"),
  ]
)

// An app's first build compiles these modules without information for debuggers, which takes most of the time.
// Apps may call UIKit on other threads. The trace reports it; checks of the actor would end the app without a message.
for target in package.targets where target.type == .regular {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .unsafeFlags(["-Xfrontend", "-gnone"], .when(configuration: .debug)),
      .unsafeFlags(["-Xfrontend", "-disable-dynamic-actor-isolation"]),
    ]
}
