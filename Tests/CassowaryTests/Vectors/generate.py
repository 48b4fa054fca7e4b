"""Systems of linear constraints with strengths, solved level by level with an independent solver (HiGHS through SciPy).

    python generate.py systems.json           writes the vectors
    python generate.py --check systems.json   derives them again and compares

Each level's violation is minimised while all stronger levels are held at their optimum, which is what lexicographic
strengths mean. The answer kept is the sum of violations at each strength; values need not be unique, sums are.
"""

import json
import random
import sys

import numpy as np
from scipy.optimize import linprog

SYSTEMS = 400
STRENGTHS = [1000, 1000, 999.5, 750, 750, 500, 250, 250, 1]
COEFFICIENTS = [1, 1, 1, -1, -1, 2, -2, 0.5, 3, 1.25, -0.75]


def system(generator):
    count = generator.randint(2, 12)
    constraints = []
    for _ in range(generator.randint(3, 3 * count)):
        coefficients = [0.0] * count
        for _ in range(generator.randint(1, 4)):
            coefficients[generator.randrange(count)] = generator.choice(COEFFICIENTS)
        constraints.append(
            {
                "coefficients": coefficients,
                "relation": generator.choice(["==", "<=", ">="]),
                "constant": generator.randint(-80, 80) / 4,
                "strength": generator.choice(STRENGTHS),
            }
        )
    return {
        "nonNegative": [generator.random() < 0.3 for _ in range(count)],
        "constraints": constraints,
    }


def solve(system):
    """The sums of violations by strength, strongest first, or None if the required constraints contradict."""
    count = len(system["nonNegative"])
    weak = [c for c in system["constraints"] if c["strength"] < 1000]
    width = count + len(weak)
    bounds = [(0 if bound else None, None) for bound in system["nonNegative"]]
    bounds += [(0, None)] * len(weak)
    upper, upper_right, equal, equal_right = [], [], [], []
    position = 0
    for constraint in system["constraints"]:
        row = np.zeros(width)
        row[:count] = constraint["coefficients"]
        constant, relation = constraint["constant"], constraint["relation"]
        if constraint["strength"] >= 1000:
            if relation == "==":
                equal.append(row)
                equal_right.append(-constant)
            else:
                sign = 1 if relation == "<=" else -1
                upper.append(sign * row)
                upper_right.append(-sign * constant)
            continue
        for sign in (1, -1):
            if relation == (">=" if sign == 1 else "<="):
                continue
            # sign * (row + constant) <= error
            bound = sign * row
            bound[count + position] = -1
            upper.append(bound)
            upper_right.append(-sign * constant)
        position += 1
    sums = []
    levels = sorted({c["strength"] for c in weak}, reverse=True)
    # The first solve is for feasibility alone.
    for level in [None, *levels]:
        cost = np.zeros(width)
        for index, constraint in enumerate(weak):
            if constraint["strength"] == level:
                cost[count + index] = 1
        result = linprog(
            cost,
            A_ub=np.array(upper) if upper else None,
            b_ub=upper_right or None,
            A_eq=np.array(equal) if equal else None,
            b_eq=equal_right or None,
            bounds=bounds,
            method="highs",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        if result.status == 2 and level is None:
            return None
        if result.status != 0:
            raise RuntimeError(result.message)
        if level is not None:
            sums.append([level, round(float(result.fun), 7)])
            upper.append(cost)
            upper_right.append(result.fun + 1e-9 * (1 + abs(result.fun)))
    return sums


def main():
    check = "--check" in sys.argv
    path = sys.argv[-1]
    generator = random.Random(20010827)
    systems = []
    for _ in range(SYSTEMS):
        made = system(generator)
        sums = solve(made)
        made["isFeasible"] = sums is not None
        made["violations"] = sums or []
        systems.append(made)
    if not check:
        with open(path, "w", encoding="utf-8") as file:
            file.write("[\n" + ",\n".join(json.dumps(made) for made in systems) + "\n]\n")
        return
    with open(path, encoding="utf-8") as file:
        kept = json.load(file)
    failed = 0
    for number, (left, right) in enumerate(zip(systems, kept, strict=True)):
        same = left["constraints"] == right["constraints"] and left["isFeasible"] == right["isFeasible"]
        same = same and len(left["violations"]) == len(right["violations"])
        same = same and all(abs(a[1] - b[1]) <= 1e-6 for a, b in zip(left["violations"], right["violations"]))
        if not same:
            print(f"system {number}: {left['violations']} not {right['violations']}")
            failed += 1
    print(f"{len(kept) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
