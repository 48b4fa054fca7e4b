#include <hb-ot.h>
#include <hb.h>
#include <hb-subset.h>
