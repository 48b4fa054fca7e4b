// Replays a script on amoeba.
#define AM_IMPLEMENTATION
#include <amoeba.h>

#include "script.hpp"

// As kiwi's driver weighs them.
static const double strengths[] = {AM_REQUIRED, 1e6, 1e3, 1, 0.999 * AM_REQUIRED, 100100100, 1e8, 1e3, 100, 1};

struct AmoebaReplayer {
    am_Solver* solver = am_newsolver(nullptr, nullptr);
    std::vector<am_Num> values;
    std::vector<am_Id> variables;
    std::vector<am_Constraint*> made;

    void makeVariables(const Script& script) {
        made.assign(script.constraints.size(), nullptr);
        values.assign(script.variableCount, 0);
        for (int i = 0; i < script.variableCount; ++i) variables.push_back(am_newvariable(solver, &values[i]));
        for (int v : script.nonNegative) {
            am_Constraint* c = am_newconstraint(solver, AM_REQUIRED);
            am_addterm(c, variables[v], 1);
            am_setrelation(c, AM_GREATEQUAL);
            am_add(c);
        }
    }
    void add(const Script& script, int index) {
        const Constraint& c = script.constraints[index];
        if (c.isEdit) {
            am_addedit(solver, variables[c.terms[0].first], strengths[c.level]);
            am_suggest(solver, variables[c.terms[0].first], -c.constant);
            return;
        }
        if (!made[index]) {
            am_Constraint* made = am_newconstraint(solver, strengths[c.level]);
            for (auto& t : c.terms) am_addterm(made, variables[t.first], t.second);
            am_setrelation(made, c.relation < 0 ? AM_LESSEQUAL : c.relation > 0 ? AM_GREATEQUAL : AM_EQUAL);
            am_addconstant(made, -c.constant);
            this->made[index] = made;
        }
        am_add(made[index]);
    }
    void remove(int index) { am_remove(made[index]); }
    void suggest(const Script& script, int index, double value) {
        am_suggest(solver, variables[script.constraints[index].terms[0].first], value);
    }
    void update() { am_updatevars(solver); }
    double value(int v) { return values[v]; }
};

int main(int argc, char** argv) {
    Script script = readScript(argc, argv);
    replay<AmoebaReplayer>(script);
}
