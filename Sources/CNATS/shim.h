#pragma once
// No shim is needed: every call that is used is a plain function, and every constant an enumeration.
#include <nats/nats.h>
