/// A view of a xib with a box of 50 × 40 at (10, 20).
enum LintSample {
    static func xib(
        boxFrame: String = "x=\"10\" y=\"20\" width=\"50\" height=\"40\"",
        boxConstraints: String = """
        <constraints>
                                    <constraint firstAttribute="width" constant="50" id="bw"/>
                                    <constraint firstAttribute="height" constant="40" id="bh"/>
                                </constraints>
        """,
        boxAttributes: String = "", constraints: String = "", connections: String = ""
    ) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" version="3.0" useAutolayout="YES" useSafeAreas="YES">
            <device id="retina4_7" orientation="portrait"/>
            <objects>
                <view contentMode="scaleToFill" id="root">
                    <rect key="frame" x="0.0" y="0.0" width="200" height="100"/>
                    <subviews>
                        <view contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="box" userLabel="Box"\(boxAttributes)>
                            <rect key="frame" \(boxFrame)/>
                            \(boxConstraints)
                        </view>
                    </subviews>
                    <constraints>
                        <constraint firstItem="box" firstAttribute="leading" secondItem="root" secondAttribute="leading" constant="10" id="bx"/>
                        <constraint firstItem="box" firstAttribute="top" secondItem="root" secondAttribute="top" constant="20" id="by"/>
        \(constraints)            </constraints>
                    \(connections)
                </view>
            </objects>
        </document>

        """
    }
}
