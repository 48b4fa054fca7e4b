// Reads a script (see Script.swift) and times a solver on it. Shared by the peers' drivers.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

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

struct Script {
    int variableCount = 0;
    std::vector<int> nonNegative;
    std::vector<Constraint> constraints;
    std::vector<Section> sections;
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

// Reads the script that the first argument names; the second, if there is one, says how many sections of it to run.
static Script readScript(int argc, char** argv) {
    if (argc < 2 || argc > 3) { std::cerr << "usage: " << argv[0] << " SCRIPT [COUNT]\n"; std::exit(64); }
    std::ifstream file(argv[1]);
    if (!file) { std::cerr << "cannot read " << argv[1] << "\n"; std::exit(66); }
    Script script;
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream in(line);
        char kind;
        in >> kind;
        if (kind == 'v') in >> script.variableCount;
        else if (kind == 'n') { int v; in >> v; script.nonNegative.push_back(v); }
        else if (kind == 'c') {
            Constraint c;
            in >> c.level >> c.relation >> c.constant;
            int v; double k;
            while (in >> v >> k) c.terms.push_back({v, k});
            script.constraints.push_back(c);
        } else if (kind == 'e') {
            Constraint c;
            int v; double value;
            in >> c.level >> v >> value;
            c.isEdit = true; c.constant = -value; c.terms.push_back({v, 1});
            script.constraints.push_back(c);
        } else if (kind == 's') {
            Section s; in >> s.name; script.sections.push_back(s);
        } else {
            Operation o{kind, 0, 0};
            in >> o.index >> o.value;
            script.sections.back().operations.push_back(o);
        }
    }
    if (argc == 3 && std::stoul(argv[2]) < script.sections.size()) script.sections.resize(std::stoul(argv[2]));
    return script;
}

// Runs every section on a solver and prints its name, seconds, checksum, bytes of memory and the values of all variables.
// The constraints' data are in memory before a section's clock starts; making the solver's own constraint objects is part
// of the work, as making ours is.
template <typename Replayer>
void replay(const Script& script) {
    const double emptyBytes = residentBytes();
    std::unique_ptr<Replayer> held;
    for (const Section& section : script.sections) {
        double checksum = 0;
        bool isNew = !held || (!section.operations.empty() && section.operations[0].kind == 'x');
        if (isNew) held = std::make_unique<Replayer>();
        Replayer& replayer = *held;
        double start = processorTime();
        if (isNew) replayer.makeVariables(script);
        for (const Operation& o : section.operations) {
            switch (o.kind) {
            case 'a': replayer.add(script, o.index); break;
            case 'r': replayer.remove(o.index); break;
            case 'k': replayer.suggest(script, o.index, o.value); break;
            case 'u': replayer.update(); break;
            case 'g': checksum += replayer.value(o.index); break;
            case 'G': for (int v = 0; v < script.variableCount; ++v) checksum += replayer.value(v); break;
            }
        }
        double seconds = processorTime() - start;
        std::printf("%s %.9f %.17g %.0f", section.name.c_str(), seconds, checksum, residentBytes() - emptyBytes);
        for (int v = 0; v < script.variableCount; ++v) std::printf(" %.17g", replayer.value(v));
        std::printf("\n");
        std::fflush(stdout);
    }
}
