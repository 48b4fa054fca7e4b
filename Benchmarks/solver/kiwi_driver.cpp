// Replays a script on kiwi.
#include <kiwi/kiwi.h>

#include "script.hpp"

// Levels as kiwi weighs them: far enough apart that no sum of weaker violations in these layouts outweighs a stronger one.
// Behind the first four stand those that ratatui's layout has.
static const double strengths[] = {kiwi::strength::required, 1e6, 1e3, 1, 1001000999, 100100100, 1e8, 1e3, 100, 1};

struct KiwiReplayer {
    kiwi::Solver solver;
    std::vector<kiwi::Variable> variables;
    std::vector<kiwi::Constraint> made;

    void makeVariables(const Script& script) {
        made.resize(script.constraints.size());
        variables.reserve(script.variableCount);
        for (int i = 0; i < script.variableCount; ++i) variables.emplace_back();
        for (int v : script.nonNegative)
            solver.addConstraint(
                kiwi::Constraint(kiwi::Expression(kiwi::Term(variables[v], 1)), kiwi::OP_GE));
    }
    void add(const Script& script, int index) {
        const Constraint& c = script.constraints[index];
        if (c.isEdit) {
            solver.addEditVariable(variables[c.terms[0].first], strengths[c.level]);
            solver.suggestValue(variables[c.terms[0].first], -c.constant);
            return;
        }
        std::vector<kiwi::Term> terms;
        terms.reserve(c.terms.size());
        for (auto& t : c.terms) terms.emplace_back(variables[t.first], t.second);
        made[index] = kiwi::Constraint(
            kiwi::Expression(std::move(terms), c.constant),
            c.relation < 0 ? kiwi::OP_LE : c.relation > 0 ? kiwi::OP_GE : kiwi::OP_EQ,
            strengths[c.level]);
        solver.addConstraint(made[index]);
    }
    void remove(int index) { solver.removeConstraint(made[index]); }
    void suggest(const Script& script, int index, double value) {
        solver.suggestValue(variables[script.constraints[index].terms[0].first], value);
    }
    void update() { solver.updateVariables(); }
    double value(int v) { return variables[v].value(); }
};

int main(int argc, char** argv) {
    Script script = readScript(argc, argv);
    replay<KiwiReplayer>(script);
}
