# src/runtime/check/races.cpp
# The bytes before a number count as its own.
s/if (word < begin) bytes \&= 0xfu << (begin - word);//
