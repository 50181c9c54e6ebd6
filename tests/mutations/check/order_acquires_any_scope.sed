# src/runtime/check/order.cpp
# An acquire learns from releases of a scope without it.
s/if (in_scope(narrower(r.scope, scope), r.who, who, size_))/if (in_scope(Scope::device, r.who, who, size_))/
