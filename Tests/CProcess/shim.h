#pragma once
#include <spawn.h>

// Shown to GNU programs only.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
