// swift-tools-version: 6.1
import PackageDescription

// Every file implicitly imports the parts of iOS's Foundation that are missing on Linux.
let prelude = ["FoundationExtensions"].flatMap {
  ["-Xfrontend", "-import-module", "-Xfrontend", $0]
}
let modules = ["IntuneMAMSwift", "MSAL", "UIKit"].map {
  Target.Dependency.product(name: $0, package: "ios-modules")
}

let package = Package(
  name: "Mail",
  dependencies: [
    .package(path: "../../ios-modules"),
    .package(name: "sluice", path: "../.."),
  ],
  targets: [
    .executableTarget(
      name: "Mail", dependencies: modules,
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(prelude)]),
    .executableTarget(
      name: "MailShare", dependencies: modules,
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(prelude)]),
    .testTarget(
      name: "MailTests", dependencies: [.product(name: "SluiceTesting", package: "sluice")]),
  ]
)
