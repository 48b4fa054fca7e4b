#include "CThreadSignal.h"
