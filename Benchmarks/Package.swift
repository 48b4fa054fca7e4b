// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A module of SceneSync.
func module(_ name: String) -> Target.Dependency { .product(name: name, package: "SceneSync") }

/// The programs that `./dev bench` runs; what else a group needs (`run`, `measure.py`, peers'
/// drivers) lies beside them.
let package = Package(
    name: "SceneSyncBenchmarks",
    dependencies: [.package(name: "SceneSync", path: "..")],
    targets: [
        // What the programs measure with.
        .target(name: "Measuring", path: "measuring", swiftSettings: strict),
        // A room that they drive by hand.
        .target(
            name: "MeasuredRoom",
            dependencies: ["JSON", "SceneDocument", "SceneModel", "SceneSession", "SceneWire"].map(
                module),
            path: "room", swiftSettings: strict),
        .executableTarget(
            name: "solver-bench",
            dependencies: ["Measuring", module("Cassowary"), module("SeededRandom")],
            path: "solver",
            exclude: [
                "run", "fetch_kiwi", "script.hpp", "kiwi_driver.cpp", "amoeba_driver.cpp",
                "kasuari_driver",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "engine-bench",
            dependencies: ["Measuring", module("AutoLayout"), module("CMalloc")],
            path: "engine",
            exclude: [
                "run", "measure.py", "yoga_contents.hpp", "yoga_driver.cpp", "taffy_driver",
                "captures",
            ], swiftSettings: strict),
        .executableTarget(
            name: "session-bench",
            dependencies: ["Measuring"]
                + [
                    "CMalloc", "JSON", "SceneDocument", "SceneModel", "SceneSession", "SceneStore",
                    "SceneWire",
                ].map(module),
            path: "session", exclude: ["run", "measure.py"], swiftSettings: strict),
        .executableTarget(
            name: "devices-bench",
            dependencies: ["Measuring", "MeasuredRoom"] + ["CMalloc", "SceneSession"].map(module),
            path: "devices", exclude: ["run", "measure.py"], swiftSettings: strict),
        // Text in faces beside the same on the grid.
        .executableTarget(
            name: "text-bench",
            dependencies: ["Measuring", "MeasuredRoom"]
                + ["CMalloc", "SceneDocument", "SceneFaces", "SceneModel"].map(module),
            path: "text", exclude: ["run", "measure.py"], swiftSettings: strict),
        // Looks for messages whose price is wrong; `./dev soak bombs` runs it.
        .executableTarget(
            name: "bombs-bench",
            dependencies: [
                "CMalloc", "JSON", "SceneDocument", "SceneFaces", "SceneModel", "SceneSession",
                "SceneWire", "SeededRandom",
            ].map(module),
            path: "bombs", exclude: ["measure.py", "found.txt"], swiftSettings: strict),
        .executableTarget(
            name: "terminal-bench",
            dependencies: ["SceneDocument", "SceneModel", "SceneWire", "TerminalViewer"].map(
                module),
            path: "terminal",
            exclude: ["run", "measure.py", "notcurses_driver.c", "ratatui_driver"],
            swiftSettings: strict),
        .executableTarget(
            name: "events-bench", dependencies: ["SceneClient"].map(module),
            path: "events/Sources", swiftSettings: strict),
        .executableTarget(
            name: "wire-bench",
            dependencies: ["JSON", "SceneDocument", "SceneModel", "SceneSession", "SceneWire"].map(
                module),
            path: "wire/Sources", swiftSettings: strict),
        .executableTarget(
            name: "transport-bench",
            dependencies: ["CEpoll", "LoadGenerator", "WebSocketTransport"].map(module),
            path: "transport/Sources", swiftSettings: strict),
    ]
)
