/// The commands of kitty's graphics protocol that the viewer uses.
///
/// Of all that succeed the terminal says nothing (`q=1`); it reports the others.
enum KittyCommand {
    /// Bytes of base64 in a piece.
    private static let pieceBytes = 4096
    /// Below the text, above the background colours of cells.
    static let depth = -1

    /// Sends a PNG file under a number, in pieces.
    static func send(_ file: [UInt8], number: UInt32) -> [UInt8] {
        let text = Base64.encode(file)
        var output: [UInt8] = []
        output.reserveCapacity(text.count + text.count / pieceBytes * 16 + 64)
        for start in stride(from: 0, to: max(1, text.count), by: pieceBytes) {
            let end = min(start + pieceBytes, text.count)
            let isLast = end == text.count
            var head = start == 0 ? "a=t,f=100,i=\(number),q=1" : "q=1"
            // A picture in one piece needs no mark.
            if start > 0 || !isLast { head += isLast ? ",m=0" : ",m=1" }
            output += Array("\u{1B}_G\(head);".utf8) + text[start..<end] + Array("\u{1B}\\".utf8)
        }
        return output
    }

    /// Shows a part of a picture in some cells from the cursor on, which stays.
    ///
    /// - Parameters:
    ///   - source: In pixels of the picture.
    static func place(
        number: UInt32, placement: UInt32, source: CellRect, columns: Int, rows: Int
    ) -> [UInt8] {
        Array(
            ("\u{1B}_Ga=p,i=\(number),p=\(placement),x=\(source.left),y=\(source.top),"
                + "w=\(source.columns),h=\(source.rows),c=\(columns),r=\(rows),"
                + "C=1,z=\(depth),q=1\u{1B}\\").utf8)
    }

    /// Removes a part from the screen.
    static func remove(number: UInt32, placement: UInt32) -> [UInt8] {
        Array("\u{1B}_Ga=d,d=i,i=\(number),p=\(placement),q=1\u{1B}\\".utf8)
    }

    /// Has the terminal forget a picture.
    static func forget(number: UInt32) -> [UInt8] {
        Array("\u{1B}_Ga=d,d=I,i=\(number),q=1\u{1B}\\".utf8)
    }

    /// Removes all pictures of the screen, and has the terminal forget them.
    static let forgetAll: StaticString = "\u{1B}_Ga=d,d=A,q=2\u{1B}\\"
}

/// iTerm2's inline images.
enum InlineImage {
    /// A file, scaled to some cells from the cursor on, which stays where terminals know how.
    static func show(_ file: [UInt8], columns: Int, rows: Int) -> [UInt8] {
        Array(
            ("\u{1B}]1337;File=inline=1;size=\(file.count);width=\(columns);height=\(rows);"
                + "preserveAspectRatio=0;doNotMoveCursor=1:").utf8)
            + Base64.encode(file) + [0x07]
    }
}
