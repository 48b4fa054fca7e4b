"""Labels in faces, for tests that hold the widths of a browser against those of the server."""

from __future__ import annotations

import random

WORDS = """Settings AVATAR Te Yo office fi 1,234 ms 12:34 99% x2 (a) Größe naïve Łódź Ελληνικά Русский e\u0301 the quick brown fox
    Donau\u00addampfschiff read/write co-op -- … “quoted” end.""".split()
STYLES = ["largeTitle", "title1", "title2", "title3", "headline", "body", "callout", "subheadline", "footnote", "caption1", "caption2"]


def scene(scale: float, seed: int) -> dict[str, object]:
    """60 labels in random styles and widths, at so many pixels a point."""
    rng = random.Random(seed)
    views: list[dict[str, object]] = []
    constraints: list[str] = []
    for at in range(60):
        text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 9)))
        views.append({"id": f"v{at}", "kind": "label", "text": text, "lines": 0, "textStyle": rng.choice(STYLES)})
        constraints += [f"v{at}.leading == root.leading + {rng.uniform(0, 9):.3f}", f"v{at}.width <= {rng.randint(60, 380)}"]
        constraints.append(f"v{at}.top == v{at - 1}.bottom" if at else "v0.top == root.top")
    viewport = {"width": 400, "height": 4000, "scale": scale, "typography": "faces"}
    return {"scene": 1, "viewport": viewport, "views": views, "constraints": constraints}
