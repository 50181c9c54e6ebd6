#include "consumer.hpp"

int main() { return doubles_even_numbers<32>() && reverses_numbers<8>() && doubles_in_b() ? 0 : 1; }
