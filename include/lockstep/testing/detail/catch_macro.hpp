#pragma once

// As in Catch2's own headers: g++ warns about missing parentheses in what the macro makes of a CHECK.
#pragma GCC system_header

/// \file
/// INTERNAL_CATCH_TEST, to which CHECK, REQUIRE and their kin expand. Catch2's own also converts the expression
/// to bool, in code that never runs, for the compiler's warnings. Lanes do not convert to bool.

#ifdef INTERNAL_CATCH_TEST
#undef INTERNAL_CATCH_TEST
#define INTERNAL_CATCH_TEST(macroName, resultDisposition, ...)                                   \
  do {                                                                                           \
    CATCH_INTERNAL_IGNORE_BUT_WARN(__VA_ARGS__);                                                 \
    Catch::AssertionHandler catchAssertionHandler(macroName##_catch_sr, CATCH_INTERNAL_LINEINFO, \
                                                  CATCH_INTERNAL_STRINGIFY(__VA_ARGS__),         \
                                                  resultDisposition);                            \
    INTERNAL_CATCH_TRY {                                                                         \
      CATCH_INTERNAL_START_WARNINGS_SUPPRESSION                                                  \
      CATCH_INTERNAL_SUPPRESS_PARENTHESES_WARNINGS                                               \
      catchAssertionHandler.handleExpr(Catch::Decomposer() <= __VA_ARGS__);                      \
      CATCH_INTERNAL_STOP_WARNINGS_SUPPRESSION                                                   \
    }                                                                                            \
    INTERNAL_CATCH_CATCH(catchAssertionHandler)                                                  \
    catchAssertionHandler.complete();                                                            \
  } while (false)
#endif
