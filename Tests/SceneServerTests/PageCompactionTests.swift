import Testing

@testable import SceneServer

/// What the page's files are served without. The expected texts are worked out by hand.
@Suite("Compaction of the page's files")
struct PageCompactionTests {
    private func compact(_ text: String, as path: String = "/page/a.js") -> String {
        String(decoding: PageCompaction(Array(text.utf8)).file(path), as: UTF8.self)
    }

    @Test(
        "spaces go where they separate nothing",
        arguments: [
            ("const a = b + c;", "const a=b+c;"),
            ("  return { a, b: [1, 2] };", "return{a,b:[1,2]};"),
            ("a + +b - -c", "a+ +b- -c"),
            ("x = y ? z : w in v", "x=y?z:w in v"),
            ("for (const [a] of b) if (a) return;", "for(const[a]of b)if(a)return;"),
            ("über = 1", "über=1"),
            ("a\n\n  b", "a\n\nb"),
        ])
    func spaces(source: String, expected: String) { #expect(compact(source) == expected) }

    @Test(
        "texts, templates and regular expressions stay as they are",
        arguments: [
            (#"a = "b  // c" ;"#, #"a="b  // c";"#),
            (#"a = 'it\'s  so' ;"#, #"a='it\'s  so';"#),
            ("a = `b  ${ c + { d: 1 }.d }  // e` ;", "a=`b  ${c+{d:1}.d}  // e`;"),
            ("a = `${ b ? `  ${ c }  ` : d }  `;", "a=`${b?`  ${c}  `:d}  `;"),
            (#"a.replace(/[/"] \/ x/g, b)"#, #"a.replace(/[/"] \/ x/g,b)"#),
            ("return /a  b/.test(c)", "return/a  b/.test(c)"),
            ("a = b / c / d;", "a=b/c/d;"),
            ("a = (b) / 2; // half", "a=(b)/2;"),
        ])
    func literals(source: String, expected: String) { #expect(compact(source) == expected) }

    @Test("comments go, their lines stay")
    func comments() {
        #expect(compact("/** a\n * b\n */\nc /* d */ + e // f\n// g\nh") == "\n\n\nc+e\n\nh")
    }

    @Test("a first line that tells browsers something stays")
    func hint() {
        #expect(compact("//# hint\n// more\na = 1;") == "//# hint\n\na=1;")
        #expect(compact("a = 1;\n//# late") == "a=1;\n")
        #expect(compact("//#") == "//#")
    }

    @Test("what is for other clients goes with its comment, and nothing else")
    func cut() {
        let source = """
            const a = {
              // Not for the page.
              /** Of b. */
              b(c) {
                if (c) {

                  d();
                }
              },
              e: 1,
            };
            // Not for the page.
            const f = 2;
            const g = 3;
            // Not for the page.
            function h() {
              i();
            }
            """
        let kept = "const a={\n\n\n\n\n\n\n\n\ne:1,\n};\n\n\nconst g=3;\n\n\n\n"
        #expect(compact(source, as: "/page/scenesync.js") == kept)
        #expect(compact(source, as: "/scenesync.js").contains("const f=2;"))
    }

    @Test("style sheets keep the spaces that mean something")
    func styles() {
        let source = """
            /* A
               comment. */
            a > b:hover, body.x > :not(#c) { content: "● :  "; margin: 0 -1px; }
            @media (min-width: 9px) and (max-width: 99px) { d { width: calc(1px + 2px); } }
            """
        #expect(
            compact(source, as: "/page/a.css")
                == "\n\na > b:hover,body.x > :not(#c){content:\"● :  \";margin:0 -1px;}\n"
                + "@media (min-width:9px) and (max-width:99px){d{width:calc(1px + 2px);}}")
    }

    @Test("what ends in the middle of something is taken to its end")
    func unfinished() {
        for text in [
            "\"a", "`a${", "`a", "/a", "/* a", "// a", "'\\", "a = /[", "}", "// Not for the page.",
        ] {
            #expect(compact(text).utf8.count <= text.utf8.count)
            #expect(compact(text, as: "/page/scenesync.js").utf8.count <= text.utf8.count)
            #expect(compact(text, as: "/page/a.css").utf8.count <= text.utf8.count)
        }
    }
}
