import LayoutValues
import Testing

@testable import JSON
@testable import SceneDocument
@testable import SceneWire

/// Numbers from outside end at the range of the type that holds them, whatever the width of `Int`.
struct NearestNumberTests {
    @Test func numbersEndAtTheRangeOfTheType() {
        #expect(Int32(nearest: 2_147_483_646.9) == 2_147_483_646)
        #expect(Int32(nearest: 4e9) == .max)
        #expect(Int32(nearest: -4e9) == .min)
        #expect(Int32(nearest: .infinity) == .max)
        #expect(Int32(nearest: -.infinity) == .min)
        #expect(Int32(nearest: .nan) == 0)
        #expect(Int32(nearest: -1.9) == -1)
        #expect(Int64(nearest: 9.3e18) == .max)
        #expect(Int64(nearest: -9.3e18) == .min)
        #expect(UInt8(nearest: 255.4) == 255)
        #expect(UInt8(nearest: -0.5) == 0)
        #expect(UInt8(nearest: 256) == 255)
    }

    @Test func sumsAndProductsEndAtTheRange() {
        #expect(Int32.max.saturatingAdd(1) == .max)
        #expect(Int32.min.saturatingAdd(-1) == .min)
        #expect(Int32.min.saturatingSubtract(1) == .min)
        #expect(Int32.max.saturatingSubtract(-1) == .max)
        #expect(Int32(10_000).saturatingMultiply(by: 1_000_000) == .max)
        #expect(Int32(-10_000).saturatingMultiply(by: 1_000_000) == .min)
        #expect(Int32(7).saturatingMultiply(by: -6) == -42)
    }

    /// A range is one of the type that keeps the number, not of `Int`: 2^53 is no `Int32`.
    @Test func rangesAreOfTheTypeThatKeepsTheNumber() throws {
        let most: UInt64 = try JSONFieldDecoder.integer(
            "n", .number(9_007_199_254_740_992), in: 0...UInt64(1) << 53)
        #expect(most == 9_007_199_254_740_992)
        let wide: UInt32 = try JSONFieldDecoder.integer(
            "n", .number(4_294_967_295), in: 0...UInt32.max)
        #expect(wide == .max)
        #expect(throws: DecodeError.self) {
            let _: Int32 = try JSONFieldDecoder.integer(
                "n", .number(4_294_967_295), in: Int32.min...Int32.max)
        }
        let cursor = JSONCursor(.number(3e9), path: "")
        let tick: UInt64 = try cursor.integer(in: 0...UInt64(1) << 53)
        #expect(tick == 3_000_000_000)
        #expect(throws: DocumentError.self) {
            let _: Int32 = try cursor.integer(in: 0...Int32.max)
        }
    }

    /// An offset of many animations leads further than a frame's numbers go.
    @Test func movedFramesEndAtTheRange() {
        var running = RunningAnimations()
        var begun = AnimationStart()
        begun.durationTicks = 10
        let delta = SIMD4<Int32>(.min, .max, 0, 0)
        running.start(begun, tick: 1, deltas: [ViewNumber(1): delta])
        begun.id = 1
        running.start(begun, tick: 1, deltas: [ViewNumber(1): delta])
        let frame = QuantisedFrame(x: .max, y: .min, width: 5, height: 6)
        let shown = running.shown(frame, of: ViewNumber(1), at: 1)
        #expect(shown == QuantisedFrame(x: .max, y: .min, width: 5, height: 6))
    }
}
