#include "consumer.hpp"

int main() { return doubles_even_numbers<32>() && doubles_in_b() ? 0 : 1; }
