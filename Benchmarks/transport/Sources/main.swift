import Foundation

// Servers that send the same frames, and the client that takes them; each a process of its own, so
// that what one costs can be told. `Benchmarks/transport/run` plays them against one another.

signal(SIGPIPE, SIG_IGN)
var limit = rlimit()
getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
limit.rlim_cur = limit.rlim_max
setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)

let arguments = Arguments(CommandLine.arguments.dropFirst())
switch arguments.command {
case "raw": RawServer(arguments).run()
case "echo": try EchoServer(arguments).run()
case "ours": try OurServer(arguments).run()
case "drain": DrainClient(arguments).run()
default:
    FileHandle.standardError.write(
        Data("transport-bench raw|ours|drain|echo [--name value]…\n".utf8))
    exit(64)
}
