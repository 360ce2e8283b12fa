// See map_body.glsl.
#include "map_body.glsl"
