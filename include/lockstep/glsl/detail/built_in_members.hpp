#pragma once

/// \file
/// Gives a kernel a member for each pure built-in. LOCKSTEP_MEMBER(name, arguments, call, features) is a member
/// `name` of that many arguments, which calls call(name), a function of (active mask, arguments), with the lanes that
/// are active at the call; a device needs the features. There is one overload per number of arguments, so that the
/// source location can follow them.

#include <lockstep/dispatch/detail/needs.hpp>

#define LOCKSTEP_MEMBER_0(name, call, features)                                       \
  LOCKSTEP_INLINE auto name(SourceLocation where = SourceLocation::current()) const { \
    return this->template built_in<(features).bits>(call(name), #name, where);        \
  }
#define LOCKSTEP_MEMBER_1(name, call, features)                                              \
  template <class A>                                                                         \
  LOCKSTEP_INLINE auto name(A&& a, SourceLocation where = SourceLocation::current()) const { \
    return this->template built_in<(features).bits>(                                         \
        call(name), #name, where, ::lockstep::detail::argument(std::forward<A>(a)));         \
  }
#define LOCKSTEP_MEMBER_2(name, call, features)                                             \
  template <class A, class B>                                                               \
  LOCKSTEP_INLINE auto name(A&& a, B&& b, SourceLocation where = SourceLocation::current()) \
      const {                                                                               \
    return this->template built_in<(features).bits>(                                        \
        call(name), #name, where, ::lockstep::detail::argument(std::forward<A>(a)),         \
        ::lockstep::detail::argument(std::forward<B>(b)));                                  \
  }
#define LOCKSTEP_MEMBER_3(name, call, features)                                                    \
  template <class A, class B, class C>                                                             \
  LOCKSTEP_INLINE auto name(A&& a, B&& b, C&& c, SourceLocation where = SourceLocation::current()) \
      const {                                                                                      \
    return this->template built_in<(features).bits>(                                               \
        call(name), #name, where, ::lockstep::detail::argument(std::forward<A>(a)),                \
        ::lockstep::detail::argument(std::forward<B>(b)),                                          \
        ::lockstep::detail::argument(std::forward<C>(c)));                                         \
  }
#define LOCKSTEP_MEMBER_4(name, call, features)                                       \
  template <class A, class B, class C, class D>                                       \
  LOCKSTEP_INLINE auto name(A&& a, B&& b, C&& c, D&& d,                               \
                            SourceLocation where = SourceLocation::current()) const { \
    return this->template built_in<(features).bits>(                                  \
        call(name), #name, where, ::lockstep::detail::argument(std::forward<A>(a)),   \
        ::lockstep::detail::argument(std::forward<B>(b)),                             \
        ::lockstep::detail::argument(std::forward<C>(c)),                             \
        ::lockstep::detail::argument(std::forward<D>(d)));                            \
  }
#define LOCKSTEP_MEMBER_OF(name, arguments, call, features) \
  LOCKSTEP_MEMBER_##arguments(name, call, features)
#define LOCKSTEP_MEMBER(name, arguments, call, features) \
  LOCKSTEP_MEMBER_OF(name, arguments, call, features)
/// A member of another vocabulary, which needs the features of the GLSL built-in `like`.
#define LOCKSTEP_MEMBER_LIKE(name, arguments, like, call) \
  LOCKSTEP_MEMBER(name, arguments, call,                  \
                  ::lockstep::detail::features_of_built_in(::lockstep::spec::Name::like))
