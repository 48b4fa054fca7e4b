// swift-format-ignore-file
import UIKit

extension NSLayoutConstraint {
    func at(_ priority: Float) -> NSLayoutConstraint { self.priority = UILayoutPriority(priority); return self }
    func named(_ identifier: String) -> NSLayoutConstraint { self.identifier = identifier; return self }
}

/// Fills a view with the scene.
func build(in root: UIView) {
    let header = UIView()
    header.translatesAutoresizingMaskIntoConstraints = false
    header.layer.borderWidth = 1
    header.layer.cornerRadius = 8
    header.layer.borderColor = UIColor(red: 0.231, green: 0.259, blue: 0.38, alpha: 1).cgColor
    header.backgroundColor = UIColor(red: 0.141, green: 0.157, blue: 0.231, alpha: 1)
    header.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 4, leading: 12, bottom: 4, trailing: 12)
    let title = UILabel()
    title.translatesAutoresizingMaskIntoConstraints = false
    title.text = "Tab\u{9}and \"quotes\" \\ é"
    title.numberOfLines = 1
    title.lineBreakMode = .byTruncatingMiddle
    title.adjustsFontSizeToFitWidth = true
    title.minimumScaleFactor = 0.5
    title.font = UIFontMetrics(forTextStyle: .title2).scaledFont(for: UIFont.systemFont(ofSize: 22, weight: .bold))
    title.adjustsFontForContentSizeCategory = true
    title.textColor = UIColor(red: 0.478, green: 0.635, blue: 0.969, alpha: 1)
    let note = UILabel()
    note.translatesAutoresizingMaskIntoConstraints = false
    note.text = "two lines of words that wrap"
    note.numberOfLines = 2
    note.textAlignment = .center
    note.preferredMaxLayoutWidth = 120
    note.setContentHuggingPriority(UILayoutPriority(260), for: .horizontal)
    note.setContentHuggingPriority(UILayoutPriority(251), for: .vertical)
    note.setContentCompressionResistancePriority(UILayoutPriority(740), for: .horizontal)
    note.setContentCompressionResistancePriority(UILayoutPriority(750), for: .vertical)
    let switchView = UIView()
    switchView.translatesAutoresizingMaskIntoConstraints = false
    switchView.layer.borderWidth = 3
    switchView.backgroundColor = UIColor(red: 0.118, green: 0.125, blue: 0.188, alpha: 0.8)
    switchView.clipsToBounds = true
    switchView.alpha = 0.5
    let badge = UIView()
    badge.contentMode = .redraw
    switchView.frame.size = CGSize(width: 170, height: 170)
    badge.autoresizingMask = [.flexibleLeftMargin, .flexibleHeight]
    badge.frame = CGRect(x: 10, y: 20, width: 60, height: 30)
    let rows = UIStackView()
    rows.translatesAutoresizingMaskIntoConstraints = false
    rows.axis = .vertical
    rows.alignment = .leading
    rows.spacing = 6
    let first = UILabel()
    first.translatesAutoresizingMaskIntoConstraints = false
    first.text = "first"
    first.numberOfLines = 1
    first.font = UIFont.preferredFont(forTextStyle: .headline)
    first.adjustsFontForContentSizeCategory = true
    first.textColor = UIColor.secondaryLabel
    let second = UILabel()
    second.translatesAutoresizingMaskIntoConstraints = false
    second.text = "hidden"
    second.numberOfLines = 1
    second.font = UIFont.systemFont(ofSize: 20.5, weight: .regular)
    second.adjustsFontForContentSizeCategory = false
    second.isHidden = true
    let third = UIImageView()
    third.translatesAutoresizingMaskIntoConstraints = false
    third.layer.borderWidth = 2
    third.layer.borderColor = UIColor(red: 1, green: 0, blue: 0, alpha: 1).cgColor
    let loose = UIView()
    loose.translatesAutoresizingMaskIntoConstraints = false
    loose.layer.cornerRadius = 2.5
    loose.layer.maskedCorners = [.layerMinXMinYCorner, .layerMaxXMaxYCorner]
    loose.layer.borderWidth = 1
    loose.layer.borderColor = UIColor.separator.cgColor
    loose.layer.shadowColor = UIColor.label.cgColor
    loose.layer.shadowOffset = CGSize(width: 0, height: -3)
    loose.layer.shadowRadius = 3
    loose.layer.shadowOpacity = 0.25
    loose.backgroundColor = UIColor.systemGreen
    // loose has no equal here of chart {"values":[1,2]}.
    let bar = UIStackView()
    bar.translatesAutoresizingMaskIntoConstraints = false
    bar.axis = .horizontal
    bar.distribution = .fillEqually
    bar.spacing = 4
    let barOne = UIView()
    barOne.translatesAutoresizingMaskIntoConstraints = false
    let barTwo = UIView()
    barTwo.translatesAutoresizingMaskIntoConstraints = false
    let barTwo2 = UIView()
    barTwo2.translatesAutoresizingMaskIntoConstraints = false
    let list = UIScrollView()
    list.translatesAutoresizingMaskIntoConstraints = false
    list.contentOffset = CGPoint(x: 0, y: 24)
    let content = UIView()
    content.translatesAutoresizingMaskIntoConstraints = false
    let corner = UIView()
    corner.tintColor = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    // corner is placed for a root of 640 by 400 points: let root have that size by now.
    corner.autoresizingMask = [.flexibleLeftMargin, .flexibleTopMargin]
    corner.frame = CGRect(x: 600, y: 380, width: 40, height: 20)
    corner.transform = CGAffineTransform(translationX: 0, y: 0).rotated(by: 30 * .pi / 180).scaledBy(x: 2, y: 1)
    let odd = UIView()
    odd.translatesAutoresizingMaskIntoConstraints = false
    // odd has no equal here of intrinsic [40,20], baseline [14,6].
    let go = UIButton(configuration: .plain())
    go.translatesAutoresizingMaskIntoConstraints = false
    go.setTitle("Go", for: .normal)
    go.configuration?.baseForegroundColor = UIColor.tintColor
    let on = UISwitch()
    on.translatesAutoresizingMaskIntoConstraints = false
    on.isOn = true
    let level = UISlider()
    level.translatesAutoresizingMaskIntoConstraints = false
    level.maximumValue = 10
    level.value = 3
    level.isEnabled = false
    let field = UITextField()
    field.translatesAutoresizingMaskIntoConstraints = false
    field.text = "Ada"
    field.placeholder = "Name"
    field.font = UIFontMetrics(forTextStyle: .body).scaledFont(for: UIFont.systemFont(ofSize: 15, weight: .regular))
    let choice = UISegmentedControl(items: ["One", "\"Two\""])
    choice.translatesAutoresizingMaskIntoConstraints = false
    choice.selectedSegmentIndex = 1
    let done = UIProgressView()
    done.translatesAutoresizingMaskIntoConstraints = false
    done.progress = 0.4
    let column = UILayoutGuide()
    root.addSubview(header)
    header.addSubview(title)
    header.addSubview(note)
    root.addSubview(switchView)
    switchView.addSubview(badge)
    root.addSubview(rows)
    rows.addArrangedSubview(first)
    rows.addArrangedSubview(second)
    rows.addArrangedSubview(third)
    rows.addSubview(loose)
    root.addSubview(bar)
    bar.addArrangedSubview(barOne)
    bar.addArrangedSubview(barTwo)
    bar.addArrangedSubview(barTwo2)
    root.addSubview(list)
    list.addSubview(content)
    root.addSubview(corner)
    root.addSubview(odd)
    root.addSubview(go)
    root.addSubview(on)
    root.addSubview(level)
    root.addSubview(field)
    root.addSubview(choice)
    root.addSubview(done)
    root.addLayoutGuide(column)
    rows.setCustomSpacing(20, after: first)
    NSLayoutConstraint.activate([
        header.leadingAnchor.constraint(equalTo: root.leadingAnchor),
        root.trailingAnchor.constraint(equalTo: header.trailingAnchor),
        header.topAnchor.constraint(equalTo: root.topAnchor),
        header.heightAnchor.constraint(equalToConstant: 64),
        switchView.topAnchor.constraint(equalTo: header.bottomAnchor, constant: 16),
        root.bottomAnchor.constraint(greaterThanOrEqualTo: switchView.bottomAnchor, constant: 8),
        title.leadingAnchor.constraint(equalTo: header.layoutMarginsGuide.leadingAnchor),
        title.topAnchor.constraint(equalTo: header.layoutMarginsGuide.topAnchor, constant: 2),
        note.leadingAnchor.constraint(greaterThanOrEqualTo: title.trailingAnchor, constant: 8),
        note.trailingAnchor.constraint(equalTo: header.layoutMarginsGuide.trailingAnchor),
        note.firstBaselineAnchor.constraint(equalTo: title.lastBaselineAnchor, constant: 3),
        switchView.widthAnchor.constraint(equalTo: root.widthAnchor, multiplier: 0.25, constant: 10).at(750).named("switch's width"),
        switchView.heightAnchor.constraint(equalTo: switchView.widthAnchor),
        switchView.leadingAnchor.constraint(equalTo: root.safeAreaLayoutGuide.leadingAnchor, constant: 8),
        column.leadingAnchor.constraint(equalTo: switchView.trailingAnchor, constant: 8),
        column.trailingAnchor.constraint(equalTo: root.trailingAnchor, constant: -8),
        column.topAnchor.constraint(equalTo: header.bottomAnchor),
        column.bottomAnchor.constraint(equalTo: root.bottomAnchor),
        rows.leadingAnchor.constraint(equalTo: column.leadingAnchor),
        rows.trailingAnchor.constraint(lessThanOrEqualTo: column.centerXAnchor),
        rows.topAnchor.constraint(equalTo: column.topAnchor, constant: 8),
        rows.widthAnchor.constraint(equalToConstant: 200).at(750),
        third.widthAnchor.constraint(equalToConstant: 50),
        third.heightAnchor.constraint(greaterThanOrEqualToConstant: 30),
        third.heightAnchor.constraint(lessThanOrEqualToConstant: 30.5),
        loose.leftAnchor.constraint(equalTo: rows.leftAnchor, constant: 3),
        loose.topAnchor.constraint(equalTo: rows.topAnchor),
        loose.widthAnchor.constraint(equalToConstant: 5),
        loose.heightAnchor.constraint(equalTo: third.heightAnchor, multiplier: 2, constant: -1),
        bar.leadingAnchor.constraint(equalTo: rows.leadingAnchor),
        bar.topAnchor.constraint(equalTo: rows.bottomAnchor, constant: 12),
        bar.widthAnchor.constraint(equalToConstant: 210),
        bar.heightAnchor.constraint(equalToConstant: 21),
        list.leadingAnchor.constraint(equalTo: bar.trailingAnchor, constant: 8),
        list.trailingAnchor.constraint(equalTo: column.trailingAnchor),
        list.topAnchor.constraint(equalTo: header.bottomAnchor),
        list.heightAnchor.constraint(equalToConstant: 200),
        content.leadingAnchor.constraint(equalTo: list.contentLayoutGuide.leadingAnchor),
        content.trailingAnchor.constraint(equalTo: list.contentLayoutGuide.trailingAnchor),
        content.topAnchor.constraint(equalTo: list.contentLayoutGuide.topAnchor),
        content.bottomAnchor.constraint(equalTo: list.contentLayoutGuide.bottomAnchor),
        content.widthAnchor.constraint(equalTo: list.frameLayoutGuide.widthAnchor),
        content.heightAnchor.constraint(equalToConstant: 500),
        NSLayoutConstraint(item: odd, attribute: .centerX, relatedBy: .equal, toItem: root, attribute: .centerX, multiplier: 1.5, constant: 0),
        odd.centerYAnchor.constraint(equalTo: bar.bottomAnchor, constant: 30),
        odd.widthAnchor.constraint(equalToConstant: 40),
        odd.heightAnchor.constraint(equalToConstant: 20),
        go.leadingAnchor.constraint(equalTo: root.leadingAnchor, constant: 8),
        go.bottomAnchor.constraint(equalTo: root.bottomAnchor, constant: -8),
        on.leadingAnchor.constraint(equalTo: go.trailingAnchor, constant: 8),
        on.bottomAnchor.constraint(equalTo: go.bottomAnchor),
        level.leadingAnchor.constraint(equalTo: on.trailingAnchor, constant: 8),
        level.bottomAnchor.constraint(equalTo: go.bottomAnchor),
        level.widthAnchor.constraint(equalToConstant: 80),
        field.leadingAnchor.constraint(equalTo: go.leadingAnchor),
        field.bottomAnchor.constraint(equalTo: go.topAnchor, constant: -8),
        field.widthAnchor.constraint(equalToConstant: 60),
        choice.leadingAnchor.constraint(equalTo: field.trailingAnchor, constant: 8),
        choice.bottomAnchor.constraint(equalTo: field.bottomAnchor),
        done.leadingAnchor.constraint(equalTo: choice.trailingAnchor, constant: 8),
        done.bottomAnchor.constraint(equalTo: field.bottomAnchor),
        done.widthAnchor.constraint(equalToConstant: 90),
    ])
    // Inactive: odd.width == 400
    // Set compact, when root.width < 300: activate these instead.
    let compactConstraints: [NSLayoutConstraint] = [
        rows.widthAnchor.constraint(equalToConstant: 100),
        bar.widthAnchor.constraint(equalToConstant: 100),
    ]
    _ = compactConstraints
}
