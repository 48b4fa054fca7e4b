import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

#if canImport(Glibc)
import Glibc
#endif

// SwiftNIO's WebSocket: any message sends a round to everybody.
//
//   nio-server FRAMES BYTES [each]    prints the port that it listens on
//
// One event loop has the listener and all connections, so that a round is written without going
// from one thread to another. A frame is framed once, into one buffer that all connections share,
// and is written below the encoder, which would write each connection a header of its own beside
// the shared bytes. With `each` it does that, which is what is usually written.

/// Who is connected. Only the event loop touches it.
final class Room: @unchecked Sendable {
    let round: [ByteBuffer]
    let payload: ByteBuffer
    let isFramedByEach: Bool
    private var members: [ObjectIdentifier: ChannelHandlerContext] = [:]

    init(frames: Int, bytes: Int, isFramedByEach: Bool) {
        payload = ByteBuffer(repeating: 0x4E, count: bytes)
        var framed = ByteBuffer(bytes: [0x82])
        if bytes < 126 {
            framed.writeInteger(UInt8(bytes))
        } else {
            framed.writeInteger(UInt8(126))
            framed.writeInteger(UInt16(bytes))
        }
        framed.writeImmutableBuffer(payload)
        round = Array(repeating: framed, count: frames)
        self.isFramedByEach = isFramedByEach
    }

    func join(_ channel: any Channel, _ context: ChannelHandlerContext) {
        members[ObjectIdentifier(channel)] = context
    }

    func leave(_ channel: any Channel) { members[ObjectIdentifier(channel)] = nil }

    func publish() {
        for context in members.values {
            for buffer in round {
                if isFramedByEach {
                    let frame = WebSocketFrame(fin: true, opcode: .binary, data: payload)
                    context.write(NIOAny(frame), promise: nil)
                } else {
                    context.write(NIOAny(buffer), promise: nil)
                }
            }
            context.flush()
        }
    }
}

final class Member: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    private let room: Room

    init(_ room: Room) { self.room = room }

    func handlerAdded(context: ChannelHandlerContext) {
        do {
            // What is written in the encoder's place does not pass the encoder.
            let encoder = try context.pipeline.syncOperations.context(
                handlerType: WebSocketFrameEncoder.self)
            room.join(context.channel, room.isFramedByEach ? context : encoder)
        } catch {
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { room.leave(context.channel) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data).opcode {
        case .binary, .text: room.publish()
        case .connectionClose: context.close(promise: nil)
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

let words = CommandLine.arguments
guard (3...4).contains(words.count), let frames = Int(words[1]), let bytes = Int(words[2]),
    bytes < 1 << 16
else { fatalError("usage: nio-server FRAMES BYTES [each]") }

let room = Room(frames: frames, bytes: bytes, isFramedByEach: words.count == 4)
let upgrader = NIOWebSocketServerUpgrader(
    shouldUpgrade: { channel, head in
        var answer = HTTPHeaders()
        if let name = head.headers.first(name: "Sec-WebSocket-Protocol") {
            answer.add(name: "Sec-WebSocket-Protocol", value: name)
        }
        return channel.eventLoop.makeSucceededFuture(answer)
    },
    upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(Member(room))
        }
    })
let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
let listener = try ServerBootstrap(group: group)
    .serverChannelOption(.backlog, value: 4096)
    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    .childChannelInitializer { channel in
        channel.pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
    }
    .bind(host: "127.0.0.1", port: 0).wait()
print("listening on \(listener.localAddress?.port ?? 0)")
// The output is a pipe, which is not written to by lines.
fflush(nil)
try listener.closeFuture.wait()
