// Replays a script (see Script.swift) on kiwi, its first COUNT sections if that is given, and prints for each section its
// name, seconds, checksum, bytes of memory and the values of all variables. The constraints' data are in memory before a section's clock starts; making kiwi's own constraint
// objects is part of the work, as making ours is.
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <kiwi/kiwi.h>

struct Constraint {
    int level = 0, relation = 0;
    double constant = 0;
    std::vector<std::pair<int, double>> terms;
    bool isEdit = false;
};
struct Operation {
    char kind;
    int index;
    double value;
};
struct Section {
    std::string name;
    std::vector<Operation> operations;
};

// Seconds of processor time that this process has used; other processes' work does not count.
static double processorTime() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

// Bytes of memory that this process has in use, as the kernel counts them (resident, anonymous).
static double residentBytes() {
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line))
        if (line.rfind("RssAnon:", 0) == 0) return std::stod(line.substr(8)) * 1024;
    return 0;
}

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) { std::cerr << "usage: kiwi_driver SCRIPT [COUNT]\n"; return 64; }
    std::ifstream file(argv[1]);
    if (!file) { std::cerr << "cannot read " << argv[1] << "\n"; return 66; }
    int variableCount = 0;
    std::vector<int> nonNegative;
    std::vector<Constraint> constraints;
    std::vector<Section> sections;
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream in(line);
        char kind;
        in >> kind;
        if (kind == 'v') in >> variableCount;
        else if (kind == 'n') { int v; in >> v; nonNegative.push_back(v); }
        else if (kind == 'c') {
            Constraint c;
            in >> c.level >> c.relation >> c.constant;
            int v; double k;
            while (in >> v >> k) c.terms.push_back({v, k});
            constraints.push_back(c);
        } else if (kind == 'e') {
            Constraint c;
            int v; double value;
            in >> c.level >> v >> value;
            c.isEdit = true; c.constant = -value; c.terms.push_back({v, 1});
            constraints.push_back(c);
        } else if (kind == 's') {
            Section s; in >> s.name; sections.push_back(s);
        } else {
            Operation o{kind, 0, 0};
            in >> o.index >> o.value;
            sections.back().operations.push_back(o);
        }
    }
    if (argc == 3 && std::stoul(argv[2]) < sections.size()) sections.resize(std::stoul(argv[2]));
    const double emptyBytes = residentBytes();
    const double strengths[] = {kiwi::strength::required, 1e6, 1e3, 1};
    kiwi::Solver solver;
    std::vector<kiwi::Variable> variables;
    std::vector<kiwi::Constraint> made(constraints.size(), kiwi::Constraint());
    for (const Section& section : sections) {
        double checksum = 0;
        double start = processorTime();
        if (variables.empty()) {
            variables.reserve(variableCount);
            for (int i = 0; i < variableCount; ++i) variables.emplace_back();
            for (int v : nonNegative)
                solver.addConstraint(kiwi::Constraint(
                    kiwi::Expression(kiwi::Term(variables[v], 1)), kiwi::OP_GE));
        }
        for (const Operation& o : section.operations) {
            switch (o.kind) {
            case 'a': {
                const Constraint& c = constraints[o.index];
                if (c.isEdit) {
                    solver.addEditVariable(variables[c.terms[0].first], strengths[c.level]);
                    solver.suggestValue(variables[c.terms[0].first], -c.constant);
                    break;
                }
                std::vector<kiwi::Term> terms;
                terms.reserve(c.terms.size());
                for (auto& t : c.terms) terms.emplace_back(variables[t.first], t.second);
                made[o.index] = kiwi::Constraint(
                    kiwi::Expression(std::move(terms), c.constant),
                    c.relation < 0 ? kiwi::OP_LE : c.relation > 0 ? kiwi::OP_GE : kiwi::OP_EQ,
                    strengths[c.level]);
                solver.addConstraint(made[o.index]);
                break;
            }
            case 'r': solver.removeConstraint(made[o.index]); break;
            case 'k': solver.suggestValue(variables[constraints[o.index].terms[0].first], o.value); break;
            case 'u': solver.updateVariables(); break;
            case 'g': checksum += variables[o.index].value(); break;
            case 'G': for (auto& v : variables) checksum += v.value(); break;
            }
        }
        double seconds = processorTime() - start;
        std::printf("%s %.9f %.17g %.0f", section.name.c_str(), seconds, checksum, residentBytes() - emptyBytes);
        for (auto& v : variables) std::printf(" %.17g", v.value());
        std::printf("\n");
        std::fflush(stdout);
    }
}
