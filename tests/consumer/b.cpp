#include "consumer.hpp"

bool doubles_in_b() { return doubles_even_numbers<32>(); }
