import Testing

/// A picture file, and its pixels as Pillow 13 decodes them, colours not multiplied by alpha.
struct SampleFile: Sendable, CustomTestStringConvertible {
    let name: String
    let width: Int
    let height: Int
    /// By how much a byte may differ: decoders round differently.
    let tolerance: Int
    let file: [UInt8]
    let pixels: [UInt8]

    var testDescription: String { name }
}

/// Small files made by Pillow.
enum SampleFiles {
    static let all = [
        SampleFile(
            name: "png", width: 6, height: 4, tolerance: 1,
            file: base64(
                """
                iVBORw0KGgoAAAANSUhEUgAAAAYAAAAECAYAAACtBE5DAAAAKUlEQVR4nGP8z8DQoMkgUq/BIMKAjFkY\
                bSCCDGiYhcEGUxCnhIVPCSMAr7sG4n7RJmAAAAAASUVORK5CYII=
                """),
            pixels: base64(
                """
                /wAAgCgAFP9QACj/eAA8/6AAUP/IAGT/ADwU/yg8KP9QPDz/eDxQ/6A8ZP/IPHj/AHgo/yh4PP9QeFD/\
                eHhk/6B4eP/IeIz/ALQ8/yi0UP9QtGT/eLR4/6C0jP8AAAAA
                """)),
        SampleFile(
            name: "pngPalette", width: 6, height: 4, tolerance: 0,
            file: base64(
                """
                iVBORw0KGgoAAAANSUhEUgAAAAYAAAAEBAMAAABfKlNwAAAAGFBMVEWgtIygeHhQlloUljyMPFoUPB6M\
                AEYUAAr8JZDqAAAAGUlEQVR4nGMsf8/Acu89A8u9dx+YGP6/BwA6pgfpMqNnAgAAAABJRU5ErkJggg==
                """),
            pixels: base64(
                """
                FAAK/xQACv+MAEb/jABG/4wARv+MAEb/FDwe/xQ8Hv+MPFr/jDxa/4w8Wv+MPFr/FJY8/xSWPP9Qllr/\
                oHh4/6B4eP+geHj/FJY8/xSWPP9Qllr/oLSM/6C0jP+gtIz/
                """)),
        SampleFile(
            name: "pngGrey16", width: 3, height: 1, tolerance: 1,
            file: base64(
                """
                iVBORw0KGgoAAAANSUhEUgAAAAMAAAABEAAAAABuG5crAAAAD0lEQVR4nGNgYGhg+P8fAAUEAn/jgEvg\
                AAAAAElFTkSuQmCC
                """),
            pixels: base64(
                """
                AAAA/4CAgP//////
                """)),
        SampleFile(
            name: "jpeg", width: 16, height: 8, tolerance: 3,
            file: base64(
                """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYG\
                BwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoK\
                CgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wAARCAAIABADAREAAhEBAxEB/8QA\
                HwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIh\
                MUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW\
                V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXG\
                x8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQF\
                BgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAV\
                YnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOE\
                hYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq\
                8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD4M+H37FP3P+JT6fwV+75lx5v7x+bcEeJnw++e5/D79in7n/Eo\
                /wDHK/Psy49398/sHgjxM+H3z//Z
                """),
            pixels: base64(
                """
                AAF3/woDd/8WAXb/IwB2/y8Cd/87Anf/RwB2/1IBd/9gAXn/agF4/3cBef+EAHj/jwF5/5sAeP+oAHn/\
                sgB4/wETef8MFHn/GBN5/yQSeP8wFHr/PRN5/0kSeP9UE3n/YRN5/2sTef95E3n/hhN6/5ESef+eE3r/\
                qxJ6/7QTev8BJ3j/Cil5/xcodv8jKHn/MCl5/zsoef9IJ3j/Uyh4/2IpeP9rKHf/dyh3/4UoeP+PKHf/\
                nCl3/6koeP+zKXf/ADx4/ws9eP8WPXj/Izt3/y49eP88PHj/Rzx4/1I9eP9gPXf/aj12/3g9d/+DPHb/\
                kDx3/5s7eP+pPHb/sjx2/wFQef8MUXr/GVB3/yRQd/8xUXr/PVB6/0pPd/9VUHn/YlB6/2tQef95UHj/\
                hE95/5FQev+cT3n/qk96/7RPef8AY3j/DGR4/xdkdv8kY3X/MGR5/ztkeP9IY3j/U2R4/2FjeP9rY3j/\
                eWN4/4Vkef+PZHj/nWN5/6lkef+yY3j/AHl2/wl6eP8WeXb/I3l2/y95eP87eXj/SHl2/1F6dv9geXb/\
                aXl2/3d5dv+DeXf/jnl2/5t5d/+peXf/s3l3/wKLef8MjXv/GIx5/ySLeP8wi3r/PYt7/0qKef9VjHn/\
                Yox4/2yMd/95jHj/hot3/5GMeP+di3f/qot3/7SLd/8=
                """)),
        SampleFile(
            name: "jpegTurn2", width: 16, height: 8, tolerance: 3,
            file: base64(
                """
                /9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAIAAAAAAAD/2wBD\
                AAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsK\
                DAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK\
                CgoKCgoKCgoKCgoKCgr/wAARCAAIABADAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQF\
                BgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAk\
                M2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWG\
                h4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx\
                8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQA\
                AQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5\
                OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmq\
                srO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD4\
                M+H37FP3P+JT6fwV+75lx5v7x+bcEeJnw++e5/D79in7n/Eo/wDHK/Psy49398/sHgjxM+H3z//Z
                """),
            pixels: base64(
                """
                sgB4/6gAef+bAHj/jwF5/4QAeP93AXn/agF4/2ABef9SAXf/RwB2/zsCd/8vAnf/IwB2/xYBdv8KA3f/\
                AAF3/7QTev+rEnr/nhN6/5ESef+GE3r/eRN5/2sTef9hE3n/VBN5/0kSeP89E3n/MBR6/yQSeP8YE3n/\
                DBR5/wETef+zKXf/qSh4/5wpd/+PKHf/hSh4/3cod/9rKHf/Yil4/1MoeP9IJ3j/Oyh5/zApef8jKHn/\
                Fyh2/wopef8BJ3j/sjx2/6k8dv+bO3j/kDx3/4M8dv94PXf/aj12/2A9d/9SPXj/Rzx4/zw8eP8uPXj/\
                Izt3/xY9eP8LPXj/ADx4/7RPef+qT3r/nE95/5FQev+ET3n/eVB4/2tQef9iUHr/VVB5/0pPd/89UHr/\
                MVF6/yRQd/8ZUHf/DFF6/wFQef+yY3j/qWR5/51jef+PZHj/hWR5/3ljeP9rY3j/YWN4/1NkeP9IY3j/\
                O2R4/zBkef8kY3X/F2R2/wxkeP8AY3j/s3l3/6l5d/+beXf/jnl2/4N5d/93eXb/aXl2/2B5dv9Renb/\
                SHl2/zt5eP8veXj/I3l2/xZ5dv8Jenj/AHl2/7SLd/+qi3f/nYt3/5GMeP+Gi3f/eYx4/2yMd/9ijHj/\
                VYx5/0qKef89i3v/MIt6/ySLeP8YjHn/DI17/wKLef8=
                """)),
        SampleFile(
            name: "jpegTurn3", width: 16, height: 8, tolerance: 3,
            file: base64(
                """
                /9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAMAAAAAAAD/2wBD\
                AAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsK\
                DAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK\
                CgoKCgoKCgoKCgoKCgr/wAARCAAIABADAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQF\
                BgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAk\
                M2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWG\
                h4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx\
                8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQA\
                AQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5\
                OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmq\
                srO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD4\
                M+H37FP3P+JT6fwV+75lx5v7x+bcEeJnw++e5/D79in7n/Eo/wDHK/Psy49398/sHgjxM+H3z//Z
                """),
            pixels: base64(
                """
                tIt3/6qLd/+di3f/kYx4/4aLd/95jHj/bIx3/2KMeP9VjHn/Sop5/z2Le/8wi3r/JIt4/xiMef8MjXv/\
                Aot5/7N5d/+peXf/m3l3/455dv+DeXf/d3l2/2l5dv9geXb/UXp2/0h5dv87eXj/L3l4/yN5dv8WeXb/\
                CXp4/wB5dv+yY3j/qWR5/51jef+PZHj/hWR5/3ljeP9rY3j/YWN4/1NkeP9IY3j/O2R4/zBkef8kY3X/\
                F2R2/wxkeP8AY3j/tE95/6pPev+cT3n/kVB6/4RPef95UHj/a1B5/2JQev9VUHn/Sk93/z1Qev8xUXr/\
                JFB3/xlQd/8MUXr/AVB5/7I8dv+pPHb/mzt4/5A8d/+DPHb/eD13/2o9dv9gPXf/Uj14/0c8eP88PHj/\
                Lj14/yM7d/8WPXj/Cz14/wA8eP+zKXf/qSh4/5wpd/+PKHf/hSh4/3cod/9rKHf/Yil4/1MoeP9IJ3j/\
                Oyh5/zApef8jKHn/Fyh2/wopef8BJ3j/tBN6/6sSev+eE3r/kRJ5/4YTev95E3n/axN5/2ETef9UE3n/\
                SRJ4/z0Tef8wFHr/JBJ4/xgTef8MFHn/ARN5/7IAeP+oAHn/mwB4/48Bef+EAHj/dwF5/2oBeP9gAXn/\
                UgF3/0cAdv87Anf/LwJ3/yMAdv8WAXb/CgN3/wABd/8=
                """)),
        SampleFile(
            name: "jpegTurn4", width: 16, height: 8, tolerance: 3,
            file: base64(
                """
                /9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAQAAAAAAAD/2wBD\
                AAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsK\
                DAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK\
                CgoKCgoKCgoKCgoKCgr/wAARCAAIABADAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQF\
                BgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAk\
                M2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWG\
                h4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx\
                8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQA\
                AQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5\
                OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmq\
                srO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD4\
                M+H37FP3P+JT6fwV+75lx5v7x+bcEeJnw++e5/D79in7n/Eo/wDHK/Psy49398/sHgjxM+H3z//Z
                """),
            pixels: base64(
                """
                Aot5/wyNe/8YjHn/JIt4/zCLev89i3v/Sop5/1WMef9ijHj/bIx3/3mMeP+Gi3f/kYx4/52Ld/+qi3f/\
                tIt3/wB5dv8Jenj/Fnl2/yN5dv8veXj/O3l4/0h5dv9Renb/YHl2/2l5dv93eXb/g3l3/455dv+beXf/\
                qXl3/7N5d/8AY3j/DGR4/xdkdv8kY3X/MGR5/ztkeP9IY3j/U2R4/2FjeP9rY3j/eWN4/4Vkef+PZHj/\
                nWN5/6lkef+yY3j/AVB5/wxRev8ZUHf/JFB3/zFRev89UHr/Sk93/1VQef9iUHr/a1B5/3lQeP+ET3n/\
                kVB6/5xPef+qT3r/tE95/wA8eP8LPXj/Fj14/yM7d/8uPXj/PDx4/0c8eP9SPXj/YD13/2o9dv94PXf/\
                gzx2/5A8d/+bO3j/qTx2/7I8dv8BJ3j/Cil5/xcodv8jKHn/MCl5/zsoef9IJ3j/Uyh4/2IpeP9rKHf/\
                dyh3/4UoeP+PKHf/nCl3/6koeP+zKXf/ARN5/wwUef8YE3n/JBJ4/zAUev89E3n/SRJ4/1QTef9hE3n/\
                axN5/3kTef+GE3r/kRJ5/54Tev+rEnr/tBN6/wABd/8KA3f/FgF2/yMAdv8vAnf/OwJ3/0cAdv9SAXf/\
                YAF5/2oBeP93AXn/hAB4/48Bef+bAHj/qAB5/7IAeP8=
                """)),
        SampleFile(
            name: "jpegTurn5", width: 8, height: 16, tolerance: 3,
            file: base64(
                """
                /9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAUAAAAAAAD/2wBD\
                AAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsK\
                DAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK\
                CgoKCgoKCgoKCgoKCgr/wAARCAAIABADAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQF\
                BgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAk\
                M2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWG\
                h4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx\
                8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQA\
                AQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5\
                OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmq\
                srO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD4\
                M+H37FP3P+JT6fwV+75lx5v7x+bcEeJnw++e5/D79in7n/Eo/wDHK/Psy49398/sHgjxM+H3z//Z
                """),
            pixels: base64(
                """
                AAF3/wETef8BJ3j/ADx4/wFQef8AY3j/AHl2/wKLef8KA3f/DBR5/wopef8LPXj/DFF6/wxkeP8Jenj/\
                DI17/xYBdv8YE3n/Fyh2/xY9eP8ZUHf/F2R2/xZ5dv8YjHn/IwB2/yQSeP8jKHn/Izt3/yRQd/8kY3X/\
                I3l2/ySLeP8vAnf/MBR6/zApef8uPXj/MVF6/zBkef8veXj/MIt6/zsCd/89E3n/Oyh5/zw8eP89UHr/\
                O2R4/zt5eP89i3v/RwB2/0kSeP9IJ3j/Rzx4/0pPd/9IY3j/SHl2/0qKef9SAXf/VBN5/1MoeP9SPXj/\
                VVB5/1NkeP9Renb/VYx5/2ABef9hE3n/Yil4/2A9d/9iUHr/YWN4/2B5dv9ijHj/agF4/2sTef9rKHf/\
                aj12/2tQef9rY3j/aXl2/2yMd/93AXn/eRN5/3cod/94PXf/eVB4/3ljeP93eXb/eYx4/4QAeP+GE3r/\
                hSh4/4M8dv+ET3n/hWR5/4N5d/+Gi3f/jwF5/5ESef+PKHf/kDx3/5FQev+PZHj/jnl2/5GMeP+bAHj/\
                nhN6/5wpd/+bO3j/nE95/51jef+beXf/nYt3/6gAef+rEnr/qSh4/6k8dv+qT3r/qWR5/6l5d/+qi3f/\
                sgB4/7QTev+zKXf/sjx2/7RPef+yY3j/s3l3/7SLd/8=
                """)),
        SampleFile(
            name: "jpegTurn6", width: 8, height: 16, tolerance: 3,
            file: base64(
                """
                /9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBD\
                AAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsK\
                DAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK\
                CgoKCgoKCgoKCgoKCgr/wAARCAAIABADAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQF\
                BgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAk\
                M2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWG\
                h4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx\
                8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQA\
                AQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5\
                OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmq\
                srO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD4\
                M+H37FP3P+JT6fwV+75lx5v7x+bcEeJnw++e5/D79in7n/Eo/wDHK/Psy49398/sHgjxM+H3z//Z
                """),
            pixels: base64(
                """
                Aot5/wB5dv8AY3j/AVB5/wA8eP8BJ3j/ARN5/wABd/8MjXv/CXp4/wxkeP8MUXr/Cz14/wopef8MFHn/\
                CgN3/xiMef8WeXb/F2R2/xlQd/8WPXj/Fyh2/xgTef8WAXb/JIt4/yN5dv8kY3X/JFB3/yM7d/8jKHn/\
                JBJ4/yMAdv8wi3r/L3l4/zBkef8xUXr/Lj14/zApef8wFHr/LwJ3/z2Le/87eXj/O2R4/z1Qev88PHj/\
                Oyh5/z0Tef87Anf/Sop5/0h5dv9IY3j/Sk93/0c8eP9IJ3j/SRJ4/0cAdv9VjHn/UXp2/1NkeP9VUHn/\
                Uj14/1MoeP9UE3n/UgF3/2KMeP9geXb/YWN4/2JQev9gPXf/Yil4/2ETef9gAXn/bIx3/2l5dv9rY3j/\
                a1B5/2o9dv9rKHf/axN5/2oBeP95jHj/d3l2/3ljeP95UHj/eD13/3cod/95E3n/dwF5/4aLd/+DeXf/\
                hWR5/4RPef+DPHb/hSh4/4YTev+EAHj/kYx4/455dv+PZHj/kVB6/5A8d/+PKHf/kRJ5/48Bef+di3f/\
                m3l3/51jef+cT3n/mzt4/5wpd/+eE3r/mwB4/6qLd/+peXf/qWR5/6pPev+pPHb/qSh4/6sSev+oAHn/\
                tIt3/7N5d/+yY3j/tE95/7I8dv+zKXf/tBN6/7IAeP8=
                """)),
        SampleFile(
            name: "jpegTurn7", width: 8, height: 16, tolerance: 3,
            file: base64(
                """
                /9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAcAAAAAAAD/2wBD\
                AAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsK\
                DAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK\
                CgoKCgoKCgoKCgoKCgr/wAARCAAIABADAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQF\
                BgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAk\
                M2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWG\
                h4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx\
                8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQA\
                AQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5\
                OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmq\
                srO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD4\
                M+H37FP3P+JT6fwV+75lx5v7x+bcEeJnw++e5/D79in7n/Eo/wDHK/Psy49398/sHgjxM+H3z//Z
                """),
            pixels: base64(
                """
                tIt3/7N5d/+yY3j/tE95/7I8dv+zKXf/tBN6/7IAeP+qi3f/qXl3/6lkef+qT3r/qTx2/6koeP+rEnr/\
                qAB5/52Ld/+beXf/nWN5/5xPef+bO3j/nCl3/54Tev+bAHj/kYx4/455dv+PZHj/kVB6/5A8d/+PKHf/\
                kRJ5/48Bef+Gi3f/g3l3/4Vkef+ET3n/gzx2/4UoeP+GE3r/hAB4/3mMeP93eXb/eWN4/3lQeP94PXf/\
                dyh3/3kTef93AXn/bIx3/2l5dv9rY3j/a1B5/2o9dv9rKHf/axN5/2oBeP9ijHj/YHl2/2FjeP9iUHr/\
                YD13/2IpeP9hE3n/YAF5/1WMef9Renb/U2R4/1VQef9SPXj/Uyh4/1QTef9SAXf/Sop5/0h5dv9IY3j/\
                Sk93/0c8eP9IJ3j/SRJ4/0cAdv89i3v/O3l4/ztkeP89UHr/PDx4/zsoef89E3n/OwJ3/zCLev8veXj/\
                MGR5/zFRev8uPXj/MCl5/zAUev8vAnf/JIt4/yN5dv8kY3X/JFB3/yM7d/8jKHn/JBJ4/yMAdv8YjHn/\
                Fnl2/xdkdv8ZUHf/Fj14/xcodv8YE3n/FgF2/wyNe/8Jenj/DGR4/wxRev8LPXj/Cil5/wwUef8KA3f/\
                Aot5/wB5dv8AY3j/AVB5/wA8eP8BJ3j/ARN5/wABd/8=
                """)),
        SampleFile(
            name: "jpegTurn8", width: 8, height: 16, tolerance: 3,
            file: base64(
                """
                /9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAgAAAAAAAD/2wBD\
                AAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsK\
                DAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK\
                CgoKCgoKCgoKCgoKCgr/wAARCAAIABADAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQF\
                BgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAk\
                M2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWG\
                h4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx\
                8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQA\
                AQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5\
                OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmq\
                srO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD4\
                M+H37FP3P+JT6fwV+75lx5v7x+bcEeJnw++e5/D79in7n/Eo/wDHK/Psy49398/sHgjxM+H3z//Z
                """),
            pixels: base64(
                """
                sgB4/7QTev+zKXf/sjx2/7RPef+yY3j/s3l3/7SLd/+oAHn/qxJ6/6koeP+pPHb/qk96/6lkef+peXf/\
                qot3/5sAeP+eE3r/nCl3/5s7eP+cT3n/nWN5/5t5d/+di3f/jwF5/5ESef+PKHf/kDx3/5FQev+PZHj/\
                jnl2/5GMeP+EAHj/hhN6/4UoeP+DPHb/hE95/4Vkef+DeXf/hot3/3cBef95E3n/dyh3/3g9d/95UHj/\
                eWN4/3d5dv95jHj/agF4/2sTef9rKHf/aj12/2tQef9rY3j/aXl2/2yMd/9gAXn/YRN5/2IpeP9gPXf/\
                YlB6/2FjeP9geXb/Yox4/1IBd/9UE3n/Uyh4/1I9eP9VUHn/U2R4/1F6dv9VjHn/RwB2/0kSeP9IJ3j/\
                Rzx4/0pPd/9IY3j/SHl2/0qKef87Anf/PRN5/zsoef88PHj/PVB6/ztkeP87eXj/PYt7/y8Cd/8wFHr/\
                MCl5/y49eP8xUXr/MGR5/y95eP8wi3r/IwB2/yQSeP8jKHn/Izt3/yRQd/8kY3X/I3l2/ySLeP8WAXb/\
                GBN5/xcodv8WPXj/GVB3/xdkdv8WeXb/GIx5/woDd/8MFHn/Cil5/ws9eP8MUXr/DGR4/wl6eP8MjXv/\
                AAF3/wETef8BJ3j/ADx4/wFQef8AY3j/AHl2/wKLef8=
                """)),
        SampleFile(
            name: "jpegInks", width: 16, height: 8, tolerance: 6,
            file: base64(
                """
                /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJ\
                CAYHCQcGBggLCAkKCgoKCgYICwwLCgwJCgoK/8AAFAgACAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEB\
                AQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQci\
                cRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm\
                Z2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV\
                1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD8p/2JP+XT/gNfC/8Aw6S/6ln/\
                AMg1z9fv5X7AfsSf8un/AAGj/h0l/wBSz/5Boor/2Q==
                """),
            pixels: base64(
                """
                AAB4/wwAeP8YAHj/IwB4/zEAeP88AHj/SAB4/1QAeP9gAHj/bAB4/3gAeP+DAHj/kQB4/5wAeP+oAHj/\
                tAB4/wAUeP8MFHj/GBR4/yMUeP8xFHj/PBR4/0gUeP9UFHj/YBR4/2wUeP94FHj/gxR4/5EUeP+cFHj/\
                qBR4/7QUeP8AKHj/DCh4/xgoeP8jKHj/MSh4/zwoeP9IKHj/VCh4/2AoeP9sKHj/eCh4/4MoeP+RKHj/\
                nCh4/6goeP+0KHj/ADt4/ww7eP8YO3j/Izt4/zE7eP88O3j/SDt4/1Q7eP9gO3j/bDt4/3g7eP+DO3j/\
                kTt4/5w7eP+oO3j/tDt4/wBReP8MUXj/GFF4/yNReP8xUXj/PFF4/0hReP9UUXj/YFF4/2xReP94UXj/\
                g1F4/5FReP+cUXj/qFF4/7RReP8AZHj/DGR4/xhkeP8jZHj/MWR4/zxkeP9IZHj/VGR4/2BkeP9sZHj/\
                eGR4/4NkeP+RZHj/nGR4/6hkeP+0ZHj/AHh4/wx4eP8YeHj/I3h4/zF4eP88eHj/SHh4/1R4eP9geHj/\
                bHh4/3h4eP+DeHj/kXh4/5x4eP+oeHj/tHh4/wCMeP8MjHj/GIx4/yOMeP8xjHj/PIx4/0iMeP9UjHj/\
                YIx4/2yMeP94jHj/g4x4/5GMeP+cjHj/qIx4/7SMeP8=
                """)),
        SampleFile(
            name: "jpegGrey", width: 16, height: 8, tolerance: 3,
            file: base64(
                """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYG\
                BwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/wAALCAAIABABAREA/8QAHwAAAQUBAQEBAQEAAAAA\
                AAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEI\
                I0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1\
                dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi\
                4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/APgz4ffsU/c/4lPp/BXufw+/Yp+5/wASj/xyv//Z
                """),
            pixels: base64(
                """
                Dg4O/xISEv8VFRX/GBgY/x0dHf8gICD/IyMj/ycnJ/8rKyv/Li4u/zIyMv81NTX/OTk5/zw8PP9AQED/\
                Q0ND/xkZGf8dHR3/ICAg/yMjI/8oKCj/Kysr/y4uLv8yMjL/NjY2/zk5Of89PT3/QUFB/0RERP9ISEj/\
                TExM/09PT/8lJSX/KSkp/ywsLP8wMDD/NDQ0/zc3N/86Ojr/Pj4+/0NDQ/9FRUX/SUlJ/01NTf9QUFD/\
                VFRU/1hYWP9bW1v/MTEx/zU1Nf84ODj/Ozs7/z8/P/9DQ0P/RkZG/0pKSv9OTk7/UVFR/1VVVf9YWFj/\
                XFxc/19fX/9jY2P/ZmZm/z09Pf9BQUH/RERE/0dHR/9MTEz/T09P/1JSUv9WVlb/Wlpa/11dXf9hYWH/\
                ZGRk/2hoaP9ra2v/b29v/3Jycv9ISEj/TExM/09PT/9SUlL/V1dX/1paWv9dXV3/YWFh/2VlZf9oaGj/\
                bGxs/3BwcP9zc3P/d3d3/3t7e/99fX3/VFRU/1hYWP9bW1v/X19f/2NjY/9mZmb/ampq/21tbf9xcXH/\
                dHR0/3h4eP98fHz/f39//4ODg/+Hh4f/ioqK/2BgYP9kZGT/Z2dn/2pqav9ubm7/cnJy/3V1df95eXn/\
                fX19/4CAgP+EhIT/h4eH/4uLi/+Ojo7/kpKS/5WVlf8=
                """)),
        SampleFile(
            name: "gif", width: 6, height: 4, tolerance: 0,
            file: base64(
                """
                R0lGODdhBgAEAIMAALS0lni0eLR4gnh4ZFCWWii0UAC0PBR4MrQ8bng8UFA8PBQ8HrQAWngAPFAAKBQA\
                CiwAAAAABgAEAAAIHgAfPHDQgAGDBQsUJECA4MABAgMECDBQgEAAAAACAgA7
                """),
            pixels: base64(
                """
                FAAK/xQACv9QACj/eAA8/7QAWv+0AFr/FDwe/xQ8Hv9QPDz/eDxQ/7Q8bv+0PG7/FHgy/xR4Mv9Qllr/\
                eHhk/7R4gv+0eIL/ALQ8/yi0UP9Qllr/eLR4/7S0lv+0tJb/
                """)),
        SampleFile(
            name: "gifInterlaced", width: 6, height: 4, tolerance: 0,
            file: base64(
                """
                R0lGODdhBgAEAIMAALS0lni0eLR4gnh4ZFCWWii0UAC0PBR4MrQ8bng8UFA8PBQ8HrQAWngAPFAAKBQA\
                CiwAAAAABgAEAAAIHgAfPHDQgAGDBQsUJECA4MABAgMECDBQgEAAAAACAgA7
                """),
            pixels: base64(
                """
                FAAK/xQACv9QACj/eAA8/7QAWv+0AFr/FDwe/xQ8Hv9QPDz/eDxQ/7Q8bv+0PG7/FHgy/xR4Mv9Qllr/\
                eHhk/7R4gv+0eIL/ALQ8/yi0UP9Qllr/eLR4/7S0lv+0tJb/
                """)),
        SampleFile(
            name: "gifMoving", width: 6, height: 4, tolerance: 0,
            file: base64(
                """
                R0lGODlhBgAEAIQAAAAAAAA8FAB4KAC0PCgAFCg8KCh4PCi0UFAAKFA8PFB4UFC0ZHgAPHg8UHh4ZHi0\
                eKAAUKA8ZKB4eKC0jMgAZMg8eMh4jP8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACH5BAkKAAAALAAA\
                AAAGAAQAAAgeAC8QQMAAAoUABRI0iFBBgAEFDiRYGHBgwYMJAAICACH5BAgKAAAALAAAAAAGAAQAgQD/\
                AAAAAAAAAAAAAAgLAAEIHEiwoMGBAQEAOw==
                """),
            pixels: base64(
                """
                /wAA/ygAFP9QACj/eAA8/6AAUP/IAGT/ADwU/yg8KP9QPDz/eDxQ/6A8ZP/IPHj/AHgo/yh4PP9QeFD/\
                eHhk/6B4eP/IeIz/ALQ8/yi0UP9QtGT/eLR4/6C0jP8AAAAA
                """)),
        SampleFile(
            name: "webpLossless", width: 6, height: 4, tolerance: 1,
            file: base64(
                """
                UklGRkYAAABXRUJQVlA4TDkAAAAvBcAAELmM6H/sIqL/YVDIRhI0YIuw/kL3OAyBAEW94ZX/JwhkkyCO\
                mv8EJATL5XnwpiJQo5yAr1sA
                """),
            pixels: base64(
                """
                /wAAgCgAFP9QACj/eAA8/6AAUP/IAGT/ADwU/yg8KP9QPDz/eDxQ/6A8ZP/IPHj/AHgo/yh4PP9QeFD/\
                eHhk/6B4eP/IeIz/ALQ8/yi0UP9QtGT/eLR4/6C0jP8AAAAA
                """)),
        SampleFile(
            name: "webp", width: 16, height: 8, tolerance: 6,
            file: base64(
                """
                UklGRmwAAABXRUJQVlA4IGAAAADQAgCdASoQAAgAAIAIJbACdLoBRAPkA3QADOdhOUIAAP7//nh5c6l/\
                jSn4Xad+QXhRWyYn9SnnzTpuD2P/9/AYh/L8f3eba7d/+tPccLmQ/76vNNMG6/9grO6d7ljgAAA=
                """),
            pixels: base64(
                """
                AARy/wUFdP8RBnf/HQR1/y0Edv83A3T/RAR3/04Ddf9bBXT/ZwNy/3QEdf9+A3P/jgN0/5oBcv+mAnT/\
                rAN1/wQUev8NFXv/FxZ9/yMUe/8yFHv/PhJ8/0kUfP9UE3v/YBV5/2sUeP93FXr/gxN5/5MTef+dEXn/\
                qhN6/7ETfP8FJ3v/Cih7/xYoe/8hKHz/MSh9/z0me/9KJ37/Uid8/18pe/9pKHn/dil6/4Inev+SJ3v/\
                nCZ5/6knfP+uKH7/BTt5/ws8e/8YPXz/Ijx6/zI8e/8+Onv/Sjt9/1M7fP9gPHr/ajx5/3U+ef+BPHj/\
                kTx4/506ef+oO3v/rzx7/wZPdv8NT3b/GlB5/yRQd/80T3j/QE52/0tPef9VTnf/YFF2/2pQdP91Unf/\
                gVB1/5FSd/+dUHX/qVF4/7BRev8GY3T/D2R3/xpld/8kZHX/NGN2/0Bhdv9LY3n/VGN3/2Fldf9pZHT/\
                dmZ0/4Blc/+RZnT/m2R1/6hld/+vZnj/B3d1/wx4dv8Yd3f/I3h3/zN3d/8/dnX/THd4/1R3dv9eenX/\
                aHlz/3N7dv9/eXT/kHp2/5p5dP+nenf/rXt5/wyHe/8SiHv/Hol+/yqHfP86h33/RIV9/1GGgP9ahn7/\
                Y4p9/2yKef94i3z/hIl6/5WKfP+giXz/rIp//7KLf/8=
                """)),
        SampleFile(
            name: "webpAlpha", width: 16, height: 8, tolerance: 8,
            file: base64(
                """
                UklGRq4AAABXRUJQVlA4WAoAAAAQAAAADwAABwAAQUxQSCcAAAABP0CQbRtSuMH6iIh1CKYhWUkhhRRS\
                SCGFFPL/WIeI/meQFM2wHA8AVlA4IGAAAADQAgCdASoQAAgAAIAIJbACdLoBRAPkA3QADOdhOUIAAP7/\
                /nh5c6l/jSn4Xad+QXhRWyYn9SnnzTpuD2P/99NOH+xlwW7Q1lH/9fjC5TJr/7tqaUTQf/7HiqBOFmHA\
                AAA=
                """),
            pixels: base64(
                """
                AAZsEAMHbhAQCHEQHAZvECsGcBA2BW4QQgZxEEsGbxBYB24QYgZsEG8HbxB5Bm0QiQZwEJUEbhChBXAQ\
                pwZxEAMWdC8LF3UvFRh2LyEWdy8xFXcvPRR2L0gVeC9SFHcvXRd1L2cWdC90F3YvgBV0L44WdS+aFHUv\
                pxV2L6wWeC8DKXVQCSp3UBQqd1AgKnhQMCp5UDwneVBIKXpQUSl4UF0qeVBmKndQcyt4UH8pdlCPKXdQ\
                mSh3UKYpelCrKnpQBDx3cAk9d3AWPnpwID14cDA9eXA8O3lwSTx5cFE8eHBePnhwZz53cHM/d3B/PXhw\
                jzx4cJk8d3CmPXlwrD17cARQdJALUHaQGFJ3kCJRdZAyUHaQPk52kEtPeZBTT3eQYFF2kGlRdJB1UneQ\
                gVB1kJJRd5CdUHeQqVF4kK9SepAFZHawDWV3sBhld7AkY3ewM2R4sD9idrBLY3mwVWJ3sGFldbBrZHSw\
                dmV2sIJjd7CTZHiwnWN3sKpkebCvZXqwBXd30At4eNAWeHnQI3d50DN3edA9dnnQSnd60FR2eNBheHnQ\
                and30HZ5eNCBd3jQknh60Jx3etCpeHvQsHl70AqHfe8Sh3/vHoiC7ymHgO84h4HvRIV/71GGgu9ahoDv\
                Zoh/72+Hfe98iIDvhod+75eIgu+jhoDvr4eD77WIg+8=
                """)),
        SampleFile(
            name: "webpMoving", width: 8, height: 6, tolerance: 1,
            file: base64(
                """
                UklGRoYAAABXRUJQVlA4WAoAAAACAAAABwAABQAAQU5JTQYAAAAAAAAAAABBTk1GKgAAAAAAAAAAAAcA\
                AAUAAGQAAAJWUDhMEQAAAC8HQAEAB1CFIpei/4GI6H8AAEFOTUYoAAAAAAAAAAAABwAABQAAZAAAAFZQ\
                OEwPAAAALwdAAQAHUOSI/gciov8BAA==
                """),
            pixels: base64(
                """
                yAoU/8gKFP/IChT/yAoU/8gKFP/IChT/yAoU/8gKFP/IChT/yAoU/8gKFP/IChT/yAoU/8gKFP/IChT/\
                yAoU/8gKFP/IChT/yAoU/8gKFP/IChT/yAoU/8gKFP/IChT/yAoU/8gKFP/IChT/yAoU/8gKFP/IChT/\
                yAoU/8gKFP/IChT/yAoU/8gKFP/IChT/yAoU/8gKFP/IChT/yAoU/8gKFP/IChT/yAoU/8gKFP/IChT/\
                yAoU/8gKFP/IChT/
                """)),
        SampleFile(
            name: "webpMovingAlpha", width: 16, height: 8, tolerance: 8,
            file: base64(
                """
                UklGRjIBAABXRUJQVlA4WAoAAAASAAAADwAABwAAQU5JTQYAAAAAAAAAAABBTk1GvgAAAAAAAAAAAA8A\
                AAcAAGQAAANBTFBINQAAAAE/QJBtG1K4wfqIiHUIBAGQaQsWLFiwYMGCiP4HAAAASZKkJEmSbdt2kiRJ\
                27bttm3b//8/AFZQOCBoAAAAsAEAnQEqEAAIAACACCWwAANi9rqW5AD+//5xGXOpPZzlT8NZi2e7DP4U\
                VsmNs8g4kJh3xehT/ZBv//v49nQ//pY/kx/b/tCfP//9af/y59ZD0f/38n/q59ZD0f/66z/p1Y//HZLQ\
                AABBTk1GQAAAAAAAAAAAAAAAAAAAAGQAAABBTFBIAgAAAAAAVlA4IB4AAAC0AQCdASoBAAEAAAAIJaQA\
                A18UFpcAAP7//xNYAAA=
                """),
            pixels: base64(
                """
                AAZsEAMHbBAQCG8QHAZtECsGcBA3Bm8QQQVwEE0FbxBZB24QYwhtEG4GbRB7Bm0QjAdvEJcGcBCjBnIQ\
                qQhzEAMWdC8LF3UvFRh2LyEWdS8uE3MvPRR2L0gWdi9SFXUvXBRzL2kVdC90F3QvgBV0L40Tcy+cE3Mv\
                pxV2L60Xei8DKXVQCSp3UBQqd1AgKnZQMCp3UD4qelBJKntQUSl4UF0qd1BqLHdQdix5UH8pdlCPKXdQ\
                nSl5UKgqeVCtKXpQBDx3cAk9d3AWP3hwID14cDE+enA9PXhwSTx5cFE8eHBfP3hwaT52cHU+d3B/PXhw\
                jzx4cJs7d3CmO3hwrDx4cARQdJALUXSQGFJ3kCJRdZAyUHaQPk52kEpSeJBVUXaQYFF2kGpQdJB4UniQ\
                glF2kJFQdpCdTnaQqVF4kK9SeJAFZHSwDWZ1sBhld7AjZHewM2R4sD9idrBLZXqwVWR4sGFldbBrZHSw\
                eWZ4sINkeLCSY3ewnmF2sKpld7CvZXqwBXd10At4eNAWeHfQInh50DJ4edA9dnnQS3h70FR4etBfeHnQ\
                and30Hh6edCCeXnQkHd50Jx1d9CqeHvQsHl70AqHfe8QiH3vHYmA7ymHfu84h4HvQ4Z/71CIg+9bh4Hv\
                Zoh/72+Hfe99ioHviYh/75eGfu+ihX/vr4eD77WIg+8=
                """)),
    ]

    private static func base64(_ text: String) -> [UInt8] {
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
        var values: [UInt8: Int] = [:]
        for (value, digit) in digits.enumerated() { values[digit] = value }
        var (bytes, group, bits): ([UInt8], Int, Int) = ([], 0, 0)
        for digit in text.utf8 {
            guard let value = values[digit] else { break }
            group = group << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> bits))
            }
        }
        return bytes
    }
}
