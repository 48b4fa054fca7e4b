// swift-tools-version: 6.2
import PackageDescription

// The engine and the scenario runner alone, built from a copy of the sources in which one fault was
// put. It has none of the product's dependencies, so that a fault is built and tried in seconds;
// `run` copies this file beside the sources.
let package = Package(
    name: "Faults",
    targets: [
        .target(name: "Cassowary"),
        .target(name: "ConstraintLanguage", dependencies: ["Bytes", "LayoutValues"]),
        .target(name: "CharacterWidth"),
        .target(name: "LineBreaking"),
        .target(name: "LayoutValues"),
        .target(
            name: "AutoLayout",
            dependencies: [
                "Cassowary", "ConstraintLanguage", "CharacterWidth", "LayoutValues", "LineBreaking",
            ]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
        .target(name: "Deflate", dependencies: ["CZlib"]),
        .target(name: "Bytes"),
        .target(name: "JSON", dependencies: ["Bytes"]),
        .target(
            name: "SceneDocument",
            dependencies: ["Bytes", "ConstraintLanguage", "JSON", "LayoutValues"]),
        .target(
            name: "SceneWire",
            dependencies: [
                "Bytes", "ConstraintLanguage", "Deflate", "JSON", "LayoutValues", "SceneDocument",
            ]),
        .target(
            name: "SceneModel",
            dependencies: [
                "AutoLayout", "ConstraintLanguage", "JSON", "SceneDocument", "SceneWire",
            ]),
        .executableTarget(
            name: "ScenarioCheck",
            dependencies: ["JSON", "SceneDocument", "SceneModel", "SceneWire"]),
    ]
)
