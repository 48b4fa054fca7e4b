import InterfaceBuilder

/// Files written by hand, as Xcode would write them.
enum SampleFiles {
    /// A form on an iPhone SE of 375 × 667: a title at the margins, a stack with two buttons of
    /// equal width, and a footer above the bottom of the safe area.
    static func form(
        titleFrame: String = "x=\"16\" y=\"40\" width=\"343\" height=\"21\"",
        extraConstraints: String = "", attributes: String = ""
    ) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" useAutolayout="YES" useTraitCollections="YES" useSafeAreas="YES" initialViewController="c-form">
            <device id="retina4_7" orientation="portrait" appearance="light"/>
            <scenes>
                <scene sceneID="s1">
                    <objects>
                        <viewController storyboardIdentifier="form" id="c-form" customClass="FormController" sceneMemberID="viewController">
                            <view key="view" contentMode="scaleToFill" id="root-1">
                                <rect key="frame" x="0.0" y="0.0" width="375" height="667"/>
                                <autoresizingMask key="autoresizingMask" widthSizable="YES" heightSizable="YES"/>
                                <subviews>
                                    <label contentMode="left" horizontalHuggingPriority="251" verticalHuggingPriority="251" text="Sign in" textAlignment="natural" adjustsFontSizeToFit="NO" translatesAutoresizingMaskIntoConstraints="NO" id="title"\(attributes)>
                                        <rect key="frame" \(titleFrame)/>
                                        <fontDescription key="fontDescription" type="boldSystem" pointSize="17"/>
                                        <color key="textColor" red="1" green="0.0" blue="0.0" alpha="1" colorSpace="custom" customColorSpace="sRGB"/>
                                    </label>
                                    <stackView contentMode="scaleToFill" distribution="fillEqually" spacing="8" translatesAutoresizingMaskIntoConstraints="NO" id="9ab-Cd-efg" userLabel="Buttons">
                                        <rect key="frame" x="16" y="81" width="343" height="30"/>
                                        <subviews>
                                            <button contentMode="scaleToFill" buttonType="system" translatesAutoresizingMaskIntoConstraints="NO" id="ok">
                                                <rect key="frame" x="0.0" y="0.0" width="167.5" height="30"/>
                                                <state key="normal" title="OK"/>
                                            </button>
                                            <button contentMode="scaleToFill" buttonType="system" translatesAutoresizingMaskIntoConstraints="NO" id="skip">
                                                <rect key="frame" x="175.5" y="0.0" width="167.5" height="30"/>
                                                <state key="normal" title="Skip"/>
                                            </button>
                                        </subviews>
                                    </stackView>
                                    <view contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="footer">
                                        <rect key="frame" x="0.0" y="607" width="375" height="60"/>
                                        <userDefinedRuntimeAttributes>
                                            <userDefinedRuntimeAttribute type="number" keyPath="layer.cornerRadius">
                                                <integer key="value" value="8"/>
                                            </userDefinedRuntimeAttribute>
                                            <userDefinedRuntimeAttribute type="number" keyPath="layer.borderWidth">
                                                <integer key="value" value="1"/>
                                            </userDefinedRuntimeAttribute>
                                        </userDefinedRuntimeAttributes>
                                        <constraints>
                                            <constraint firstAttribute="height" constant="60" id="footer-height"/>
                                        </constraints>
                                    </view>
                                </subviews>
                                <viewLayoutGuide key="safeArea" id="safe"/>
                                <color key="backgroundColor" white="1" alpha="1" colorSpace="calibratedWhite"/>
                                <constraints>
                                    <constraint firstItem="title" firstAttribute="top" secondItem="safe" secondAttribute="top" constant="20" id="k1"/>
                                    <constraint firstItem="title" firstAttribute="leading" secondItem="root-1" secondAttribute="leadingMargin" id="k2"/>
                                    <constraint firstAttribute="trailingMargin" secondItem="title" secondAttribute="trailing" id="k3"/>
                                    <constraint firstItem="9ab-Cd-efg" firstAttribute="top" secondItem="title" secondAttribute="bottom" constant="20" id="k4"/>
                                    <constraint firstItem="9ab-Cd-efg" firstAttribute="leading" secondItem="title" secondAttribute="leading" id="k5"/>
                                    <constraint firstItem="9ab-Cd-efg" firstAttribute="trailing" secondItem="title" secondAttribute="trailing" id="k6"/>
                                    <constraint firstItem="footer" firstAttribute="leading" secondItem="root-1" secondAttribute="leading" id="k7"/>
                                    <constraint firstItem="footer" firstAttribute="width" secondItem="root-1" secondAttribute="width" multiplier="1:1" id="k8"/>
                                    <constraint firstItem="safe" firstAttribute="bottom" secondItem="footer" secondAttribute="bottom" id="k9"/>
        \(extraConstraints)                        </constraints>
                            </view>
                            <connections>
                                <outlet property="titleLabel" destination="title" id="o1"/>
                            </connections>
                        </viewController>
                    </objects>
                </scene>
            </scenes>
        </document>

        """
    }

    static func file(
        _ text: String, path: String = "Main.storyboard"
    ) throws -> InterfaceFile {
        try InterfaceFile(Array(text.utf8), path: path)
    }

    /// The only scene of a file, as its canvas has it.
    static func canvas(_ text: String) throws -> InterfaceConversion {
        var options = ConversionOptions()
        options.contentSizes = .stored
        let file = try file(text)
        guard let scene = file.initialScene else { throw InterfaceError("no scene") }
        return try InterfaceConversion(scene, options: options)
    }
}
