# src/runtime/check/order.cpp
# An atomic store does not end the release sequence.
s/if (store) locations.erase(at);/if (store \&\& at == nullptr) locations.erase(at);/
