// swift-format-ignore-file
import SnapKit
import UIKit

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
    header.snp.makeConstraints { make in
        make.leading.equalTo(root.snp.leading)
        make.top.equalTo(root.snp.top)
        make.height.equalTo(64)
    }
    switchView.snp.makeConstraints { make in
        make.top.equalTo(header.snp.bottom).offset(16)
        make.width.equalTo(root.snp.width).multipliedBy(0.25).offset(10).priority(750)
        make.height.equalTo(switchView.snp.width)
        make.leading.equalTo(root.safeAreaLayoutGuide.snp.leading).offset(8)
    }
    title.snp.makeConstraints { make in
        make.leading.equalTo(header.layoutMarginsGuide.snp.leading)
        make.top.equalTo(header.layoutMarginsGuide.snp.top).offset(2)
    }
    note.snp.makeConstraints { make in
        make.leading.greaterThanOrEqualTo(title.snp.trailing).offset(8)
        make.trailing.equalTo(header.layoutMarginsGuide.snp.trailing)
        make.firstBaseline.equalTo(title.snp.lastBaseline).offset(3)
    }
    column.snp.makeConstraints { make in
        make.leading.equalTo(switchView.snp.trailing).offset(8)
        make.trailing.equalTo(root.snp.trailing).offset(-8)
        make.top.equalTo(header.snp.bottom)
        make.bottom.equalTo(root.snp.bottom)
    }
    rows.snp.makeConstraints { make in
        make.leading.equalTo(column.snp.leading)
        make.trailing.lessThanOrEqualTo(column.snp.centerX)
        make.top.equalTo(column.snp.top).offset(8)
        make.width.equalTo(200).priority(750)
    }
    third.snp.makeConstraints { make in
        make.width.equalTo(50)
        make.height.greaterThanOrEqualTo(30)
        make.height.lessThanOrEqualTo(30.5)
    }
    loose.snp.makeConstraints { make in
        make.left.equalTo(rows.snp.left).offset(3)
        make.top.equalTo(rows.snp.top)
        make.width.equalTo(5)
        make.height.equalTo(third.snp.height).multipliedBy(2).offset(-1)
    }
    bar.snp.makeConstraints { make in
        make.leading.equalTo(rows.snp.leading)
        make.top.equalTo(rows.snp.bottom).offset(12)
        make.width.equalTo(210)
        make.height.equalTo(21)
    }
    list.snp.makeConstraints { make in
        make.leading.equalTo(bar.snp.trailing).offset(8)
        make.trailing.equalTo(column.snp.trailing)
        make.top.equalTo(header.snp.bottom)
        make.height.equalTo(200)
    }
    content.snp.makeConstraints { make in
        make.leading.equalTo(list.contentLayoutGuide.snp.leading)
        make.trailing.equalTo(list.contentLayoutGuide.snp.trailing)
        make.top.equalTo(list.contentLayoutGuide.snp.top)
        make.bottom.equalTo(list.contentLayoutGuide.snp.bottom)
        make.width.equalTo(list.frameLayoutGuide.snp.width)
        make.height.equalTo(500)
    }
    odd.snp.makeConstraints { make in
        make.centerX.equalTo(root.snp.centerX).multipliedBy(1.5)
        make.centerY.equalTo(bar.snp.bottom).offset(30)
        make.width.equalTo(40)
        make.height.equalTo(20)
    }
    go.snp.makeConstraints { make in
        make.leading.equalTo(root.snp.leading).offset(8)
        make.bottom.equalTo(root.snp.bottom).offset(-8)
    }
    on.snp.makeConstraints { make in
        make.leading.equalTo(go.snp.trailing).offset(8)
        make.bottom.equalTo(go.snp.bottom)
    }
    level.snp.makeConstraints { make in
        make.leading.equalTo(on.snp.trailing).offset(8)
        make.bottom.equalTo(go.snp.bottom)
        make.width.equalTo(80)
    }
    field.snp.makeConstraints { make in
        make.leading.equalTo(go.snp.leading)
        make.bottom.equalTo(go.snp.top).offset(-8)
        make.width.equalTo(60)
    }
    choice.snp.makeConstraints { make in
        make.leading.equalTo(field.snp.trailing).offset(8)
        make.bottom.equalTo(field.snp.bottom)
    }
    done.snp.makeConstraints { make in
        make.leading.equalTo(choice.snp.trailing).offset(8)
        make.bottom.equalTo(field.snp.bottom)
        make.width.equalTo(90)
    }
    root.trailingAnchor.constraint(equalTo: header.trailingAnchor).isActive = true
    root.bottomAnchor.constraint(greaterThanOrEqualTo: switchView.bottomAnchor, constant: 8).isActive = true
    // Inactive: odd.width == 400
    // Set compact: rows.width == 100
    // Set compact: bar.width == 100
}
