# src/runtime/check/shadow.hpp
# A read replaces the write that it is ordered after: later reads cannot race with it.
s/if (now.kind == AccessKind::read) return !old.changes .. old.kind == AccessKind::read;/if (now.kind == AccessKind::read) return true;/
