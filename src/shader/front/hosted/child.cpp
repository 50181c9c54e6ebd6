#include "shader/front/child.hpp"

#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep::spirv {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool limits_memory = false;  // its shadow memory is larger than any limit
#else
constexpr bool limits_memory = true;
#endif

/// The first byte of an answer.
enum class Answer : char { binary, error, no_memory, crashed };

bool write_all(int to, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(to, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

std::vector<char> read_all(int from) {
  std::vector<char> bytes;
  char part[1 << 16];
  for (;;) {
    const ssize_t count = read(from, part, sizeof part);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.insert(bytes.end(), part, part + count);
  }
}

/// What runs in the child: compile, on a stack of the chosen size, and the answer.
struct Work {
  const std::function<Binary()>& compile;
  int to;
};

void answer(int to, Answer kind, std::span<const char> bytes) {
  const char first = static_cast<char>(kind);
  write_all(to, std::span(&first, 1));
  write_all(to, bytes);
}

/// The stack of the thread that compiles, and where it answers; for its signal handler.
struct Crash {
  std::uintptr_t lowest = 0;
  int to = -1;
};
Crash crash;

/// A fault at the end of the stack is left to the default, which ends the process; any other is the compiler's mistake.
void on_fault(int signal, siginfo_t* info, void*) {
  constexpr std::uintptr_t guard = 1 << 20;
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (at + guard >= crash.lowest && at < crash.lowest + guard) {
    std::signal(signal, SIG_DFL);
    return;
  }
  const char answer = static_cast<char>(Answer::crashed);
  _exit(write(crash.to, &answer, 1) == 1 ? 0 : 1);
}

/// Has faults of this thread handled on a stack of their own.
void tell_crashes(int to) {
  pthread_attr_t attributes;
  void* lowest = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  crash = {reinterpret_cast<std::uintptr_t>(lowest), to};
  static char other_stack[1 << 16];
  stack_t stack = {};
  stack.ss_sp = other_stack;
  stack.ss_size = sizeof other_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

void* run(void* argument) {
  const Work& work = *static_cast<const Work*>(argument);
  if (limits_memory) tell_crashes(work.to);  // AddressSanitizer has a handler of its own
  try {
    const Binary binary = work.compile();
    const char flags[2] = {static_cast<char>(binary.maximally_reconverges),
                           static_cast<char>(binary.subgroup_uniform_control_flow)};
    answer(work.to, Answer::binary, flags);
    const auto seconds = std::as_bytes(std::span(&binary.validator_seconds, 1));
    write_all(work.to, {reinterpret_cast<const char*>(seconds.data()), seconds.size()});
    const auto words = std::as_bytes(std::span(binary.words));
    write_all(work.to, {reinterpret_cast<const char*>(words.data()), words.size()});
  } catch (const std::bad_alloc&) {
    answer(work.to, Answer::no_memory, {});
  } catch (const std::exception& error) {
    answer(work.to, Answer::error, std::string_view(error.what()));
  }
  return nullptr;
}

template <class Resource>
void limit(Resource resource, std::uint64_t most) {
  const rlimit both{most, most};
  setrlimit(resource, &both);
}

/// Gives the child a heap that it need not ask for piece by piece: glslang fills tens of MiB with the symbols of its
/// built-ins, which otherwise take a system call for every other page and a fault for each.
void prepare_heap(const CompileLimits& limits) {
#if defined(__GLIBC__)
  constexpr std::size_t usual = std::size_t{32} << 20, huge_page = std::size_t{2} << 20;
  const auto bytes = static_cast<int>(std::min<std::uint64_t>(usual, limits.memory_bytes / 8));
  mallopt(M_ARENA_MAX, 1);  // the compiling thread's, too
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TOP_PAD, bytes);
  const auto place = [] { return reinterpret_cast<std::uintptr_t>(sbrk(0)); };
  const std::uintptr_t begin = place() / huge_page * huge_page + huge_page;
  void* volatile grown = std::malloc(static_cast<std::size_t>(bytes) / 2);  // not optimized away
  std::free(grown);
  if (const std::uintptr_t end = place(); end > begin)
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  static_cast<void>(limits);
#endif
}

[[noreturn]] void run_child(Work work, const CompileLimits& limits) {
  // A handler of the program must not run twice, and nothing needs the answer of a child whose parent has ended.
  struct sigaction before = {};
  if (sigaction(SIGINT, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
    std::signal(SIGINT, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.seconds);  // beyond it a signal ends the process
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, limits.stack_bytes);
  if (limits_memory) {
    limit(RLIMIT_DATA, limits.memory_bytes + limits.stack_bytes);
    prepare_heap(limits);
  }
  pthread_t thread;
  if (pthread_create(&thread, &attributes, run, &work) == 0)
    pthread_join(thread, nullptr);
  else
    answer(work.to, Answer::no_memory, {});
  _exit(0);
}

/// What precedes the words: two flags, and the validator's seconds.
constexpr std::size_t header_bytes = 2 + sizeof(float);

Binary binary_of(std::span<const char> bytes) {
  Binary binary;
  binary.maximally_reconverges = bytes[0] != 0;
  binary.subgroup_uniform_control_flow = bytes[1] != 0;
  std::memcpy(&binary.validator_seconds, bytes.data() + 2, sizeof binary.validator_seconds);
  const std::span words = bytes.subspan(header_bytes);
  binary.words.resize(words.size() / sizeof(std::uint32_t));
  std::memcpy(binary.words.data(), words.data(), words.size());
  return binary;
}

/// Why the child has ended without an answer.
std::string ended_because(int status, const CompileLimits& limits) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU || signal == SIGKILL)
    return fmt::format("compiling it takes more than {} s; make it smaller", limits.seconds);
  if (signal == SIGSEGV || signal == SIGBUS)
    return fmt::format(
        "compiling it needs more than {} MiB of stack; nest less, or split its longest expression",
        limits.stack_bytes >> 20);
  return fmt::format("its compiler has ended with signal {}", signal);
}

}  // namespace

Binary in_child(const std::string& name, const CompileLimits& limits,
                const std::function<Binary()>& compile) {
  int ends[2];
  if (pipe(ends) != 0) return compile();
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return compile();
  }
  if (child == 0) {
    close(ends[0]);
    run_child({compile, ends[1]}, limits);
  }
  close(ends[1]);
  const std::vector<char> bytes = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const bool whole = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !bytes.empty();
  if (!whole) throw Error(fmt::format("{}: {}", name, ended_because(status, limits)));
  const auto rest = std::span(bytes).subspan(1);
  switch (static_cast<Answer>(bytes[0])) {
    case Answer::binary:
      if (rest.size() >= header_bytes) return binary_of(rest);
      break;
    case Answer::error:
      throw Error(std::string(rest.begin(), rest.end()));
    case Answer::crashed:
      throw CompilerCrash(fmt::format(
          "{}: its compiler crashed, which is a bug of that compiler: simplify the shader, or name "
          "another one (--compiler)",
          name));
    case Answer::no_memory:
      break;
  }
  throw Error(fmt::format("{}: compiling it needs more than {} MiB of memory; make it smaller",
                          name, limits.memory_bytes >> 20));
}

}  // namespace lockstep::spirv
