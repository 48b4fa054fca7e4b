private import CExpat

/// Reads XML with expat.
///
/// Document types, and with them entities, are refused; so are encodings other than UTF-8. The
/// whole file is handed over at once, so no token is scanned twice.
enum XMLParsing {
    static func tree(
        of bytes: [UInt8], limits: XMLLimits = XMLLimits()
    ) throws(InterfaceError) -> XMLTree {
        try limits.check(bytes)
        let run = ParserRun(limits: limits)
        return try run.parse(bytes)
    }
}

/// One run of a parser. Owns it and frees it; its callbacks come within `parse`.
private final class ParserRun {
    private let parser: XML_Parser?
    private let limits: XMLLimits
    private var nodes: [XMLTree.Node] = []
    private var open: [Int] = []
    private var fault: InterfaceError?

    init(limits: XMLLimits) {
        self.limits = limits
        parser = XML_ParserCreate("UTF-8")
    }

    deinit { XML_ParserFree(parser) }

    func parse(_ bytes: [UInt8]) throws(InterfaceError) -> XMLTree {
        guard let parser else { throw InterfaceError("there is no memory for a parser") }
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(parser, startElement, endElement)
        XML_SetCharacterDataHandler(parser, characters)
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            ParserRun.of(data)?.stop("the file declares a document type, which is refused")
        }
        XML_SetXmlDeclHandler(parser) { data, _, encoding, _ in
            guard let encoding else { return }
            let name = String(cString: encoding)
            guard name.uppercased() != "UTF-8", name.uppercased() != "US-ASCII" else { return }
            ParserRun.of(data)?.stop(
                "the file says that its encoding is \"\(name.prefix(40))\"; save it as UTF-8")
        }
        let status = bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                XML_Parse(parser, characters.baseAddress, CInt(characters.count), 1)
            }
        }
        if let fault { throw fault }
        guard status == XML_STATUS_OK else { throw error(of: parser) }
        guard !nodes.isEmpty else { throw InterfaceError("the file has no element") }
        return XMLTree(nodes: nodes)
    }

    private func error(of parser: XML_Parser) -> InterfaceError {
        let code = XML_GetErrorCode(parser)
        let line = Int(XML_GetCurrentLineNumber(parser))
        if code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN, !open.isEmpty {
            return InterfaceError(
                line: line, "the file ends within an element; it was cut off, get it again")
        }
        if code == XML_ERROR_INVALID_TOKEN {
            return InterfaceError(
                line: line, "the file is no XML in UTF-8 here; repair it, or get it again")
        }
        let text = XML_ErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
        return InterfaceError(line: line, "the file is no XML: \(text)")
    }

    static func of(_ data: UnsafeMutableRawPointer?) -> ParserRun? {
        data.map { Unmanaged<ParserRun>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stop(_ text: String) {
        guard let parser, fault == nil else { return }
        fault = InterfaceError(line: Int(XML_GetCurrentLineNumber(parser)), text)
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    func start(
        _ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        guard let parser, fault == nil else { return }
        guard open.count < limits.depthMaximum else {
            return stop("elements are nested more than \(limits.depthMaximum) deep")
        }
        guard nodes.count < limits.elementMaximum else {
            return stop("the file has more than \(limits.elementMaximum) elements; split it")
        }
        var list: [(name: String, value: String)] = []
        var index = 0
        while let attributes, let key = attributes[index], let value = attributes[index + 1] {
            list.append((String(cString: key), String(cString: value)))
            index += 2
        }
        let offset = Int(XML_GetCurrentByteIndex(parser))
        let tag = offset..<offset + Int(XML_GetCurrentByteCount(parser))
        nodes.append(
            XMLTree.Node(
                name: String(cString: name), attributes: list, text: "", parent: open.last ?? -1,
                end: nodes.count + 1, line: Int(XML_GetCurrentLineNumber(parser)), tag: tag,
                bytes: tag))
        open.append(nodes.count - 1)
    }

    func end() {
        guard let parser, fault == nil, let index = open.popLast() else { return }
        let offset = Int(XML_GetCurrentByteIndex(parser))
        let count = Int(XML_GetCurrentByteCount(parser))
        nodes[index].end = nodes.count
        // An empty-element tag ends where it starts, with a count of 0.
        let last = max(nodes[index].tag.upperBound, offset + count)
        nodes[index].bytes = nodes[index].tag.lowerBound..<last
    }

    func text(_ characters: UnsafePointer<CChar>, _ count: CInt) {
        guard fault == nil, let index = open.last else { return }
        let bytes = UnsafeRawBufferPointer(start: characters, count: Int(count))
        // Xcode indents its files; text is only in elements that hold nothing else.
        nodes[index].text += String(decoding: bytes, as: UTF8.self)
    }
}

private func startElement(
    _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
    guard let name else { return }
    ParserRun.of(data)?.start(name, attributes)
}

private func endElement(_ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?) {
    ParserRun.of(data)?.end()
}

private func characters(
    _ data: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ count: CInt
) {
    guard let text else { return }
    ParserRun.of(data)?.text(text, count)
}
