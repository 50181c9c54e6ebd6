// Operations of ggml's Vulkan backend, compared with plain loops.
// usage: ggml NAME: the device's name must contain NAME

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

// What is used of ggml's interface in C; npm's packages have its libraries without headers.
extern "C" {
struct ggml_context;
struct ggml_tensor;
struct ggml_cgraph;
struct ggml_backend;
struct ggml_backend_buffer;
struct ggml_init_params {
  std::size_t mem_size;
  void* mem_buffer;
  bool no_alloc;
};
ggml_context* ggml_init(ggml_init_params);
void ggml_free(ggml_context*);
ggml_tensor* ggml_new_tensor_2d(ggml_context*, int type, std::int64_t, std::int64_t);
ggml_tensor* ggml_add(ggml_context*, ggml_tensor*, ggml_tensor*);
ggml_tensor* ggml_mul_mat(ggml_context*, ggml_tensor*, ggml_tensor*);
ggml_tensor* ggml_soft_max(ggml_context*, ggml_tensor*);
ggml_tensor* ggml_sum_rows(ggml_context*, ggml_tensor*);
ggml_tensor* ggml_rms_norm(ggml_context*, ggml_tensor*, float);
ggml_tensor* ggml_argmax(ggml_context*, ggml_tensor*);
ggml_tensor* ggml_cumsum(ggml_context*, ggml_tensor*);
ggml_cgraph* ggml_new_graph(ggml_context*);
void ggml_build_forward_expand(ggml_cgraph*, ggml_tensor*);
std::size_t ggml_nbytes(const ggml_tensor*);
ggml_backend* ggml_backend_vk_init(std::size_t);
int ggml_backend_vk_get_device_count();
void ggml_backend_vk_get_device_description(int, char*, std::size_t);
ggml_backend_buffer* ggml_backend_alloc_ctx_tensors(ggml_context*, ggml_backend*);
void ggml_backend_buffer_free(ggml_backend_buffer*);
void ggml_backend_tensor_set(ggml_tensor*, const void*, std::size_t, std::size_t);
void ggml_backend_tensor_get(const ggml_tensor*, void*, std::size_t, std::size_t);
int ggml_backend_graph_compute(ggml_backend*, ggml_cgraph*);
void ggml_backend_free(ggml_backend*);
}

namespace {

constexpr int f32 = 0;  // GGML_TYPE_F32
constexpr std::size_t columns = 300, rows = 7;

using Values = std::vector<float>;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "ggml: %s\n", what);
  std::exit(1);
}

struct Operation {
  const char* name;
  std::function<ggml_tensor*(ggml_context*, ggml_tensor*, ggml_tensor*)> apply;
  /// Of a row of each of the two tensors, and all of the second.
  std::function<void(const float* a, const float* b, const Values& all_b, Values& result)> expected;
  bool integers = false;
};

Values run(ggml_backend* backend, const Operation& operation, const Values& a, const Values& b) {
  ggml_context* const context = ggml_init({std::size_t{1} << 20, nullptr, true});
  ggml_tensor* const first = ggml_new_tensor_2d(context, f32, columns, rows);
  ggml_tensor* const second = ggml_new_tensor_2d(context, f32, columns, rows);
  ggml_tensor* const result = operation.apply(context, first, second);
  ggml_cgraph* const graph = ggml_new_graph(context);
  ggml_build_forward_expand(graph, result);
  ggml_backend_buffer* const buffer = ggml_backend_alloc_ctx_tensors(context, backend);
  ggml_backend_tensor_set(first, a.data(), 0, a.size() * sizeof(float));
  ggml_backend_tensor_set(second, b.data(), 0, b.size() * sizeof(float));
  require(ggml_backend_graph_compute(backend, graph) == 0, "the graph was not computed");
  Values values(ggml_nbytes(result) / sizeof(float));
  ggml_backend_tensor_get(result, values.data(), 0, ggml_nbytes(result));
  if (operation.integers)
    for (float& value : values) {
      std::int32_t integer;
      std::memcpy(&integer, &value, sizeof value);
      value = static_cast<float>(integer);
    }
  ggml_backend_buffer_free(buffer);
  ggml_free(context);
  return values;
}

const Operation operations[] = {
    {"ADD", [](auto* c, auto* a, auto* b) { return ggml_add(c, a, b); },
     [](const float* a, const float* b, const Values&, Values& r) {
       for (std::size_t k = 0; k < columns; ++k) r.push_back(a[k] + b[k]);
     }},
    {"SUM_ROWS", [](auto* c, auto* a, auto*) { return ggml_sum_rows(c, a); },
     [](const float* a, const float*, const Values&, Values& r) {
       double sum = 0;
       for (std::size_t k = 0; k < columns; ++k) sum += a[k];
       r.push_back(static_cast<float>(sum));
     }},
    {"CUMSUM", [](auto* c, auto* a, auto*) { return ggml_cumsum(c, a); },
     [](const float* a, const float*, const Values&, Values& r) {
       double sum = 0;
       for (std::size_t k = 0; k < columns; ++k) r.push_back(static_cast<float>(sum += a[k]));
     }},
    {"ARGMAX", [](auto* c, auto* a, auto*) { return ggml_argmax(c, a); },
     [](const float* a, const float*, const Values&, Values& r) {
       std::size_t best = 0;
       for (std::size_t k = 0; k < columns; ++k)
         if (a[k] > a[best]) best = k;
       r.push_back(static_cast<float>(best));
     },
     true},
    {"SOFT_MAX", [](auto* c, auto* a, auto*) { return ggml_soft_max(c, a); },
     [](const float* a, const float*, const Values&, Values& r) {
       double sum = 0;
       for (std::size_t k = 0; k < columns; ++k) sum += std::exp(double{a[k]});
       for (std::size_t k = 0; k < columns; ++k)
         r.push_back(static_cast<float>(std::exp(double{a[k]}) / sum));
     }},
    {"RMS_NORM", [](auto* c, auto* a, auto*) { return ggml_rms_norm(c, a, 1e-6F); },
     [](const float* a, const float*, const Values&, Values& r) {
       double sum = 0;
       for (std::size_t k = 0; k < columns; ++k) sum += double{a[k]} * a[k];
       const double scale = 1 / std::sqrt(sum / columns + 1e-6);
       for (std::size_t k = 0; k < columns; ++k) r.push_back(static_cast<float>(a[k] * scale));
     }},
    {"MUL_MAT", [](auto* c, auto* a, auto* b) { return ggml_mul_mat(c, b, a); },
     [](const float* a, const float*, const Values& all_b, Values& r) {
       for (std::size_t row = 0; row < rows; ++row) {
         double sum = 0;
         for (std::size_t k = 0; k < columns; ++k) sum += double{a[k]} * all_b[row * columns + k];
         r.push_back(static_cast<float>(sum));
       }
     }},
};

}  // namespace

int main(int argc, char** argv) {
  require(argc == 2, "give a part of the device's name");
  require(ggml_backend_vk_get_device_count() > 0, "no device");
  char name[256] = "";
  ggml_backend_vk_get_device_description(0, name, sizeof name);
  require(std::strstr(name, argv[1]) != nullptr, "another device");
  ggml_backend* const backend = ggml_backend_vk_init(0);
  require(backend != nullptr, "no backend");

  Values a(columns * rows), b(columns * rows);
  for (std::size_t k = 0; k < a.size(); ++k) {
    a[k] = static_cast<float>((k * 1237) % 2111) / 512 - 2;  // all of a row differ
    b[k] = static_cast<float>((k * 53) % 97) / 64 - 1;
  }
  for (const Operation& operation : operations) {
    const Values seen = run(backend, operation, a, b);
    Values expected;
    for (std::size_t row = 0; row < rows; ++row)
      operation.expected(&a[row * columns], &b[row * columns], b, expected);
    require(seen.size() == expected.size(), "a result of another size");
    double difference = 0, largest = 1;
    for (std::size_t k = 0; k < seen.size(); ++k) {
      difference = std::fmax(difference, std::fabs(double{seen[k]} - expected[k]));
      largest = std::fmax(largest, std::fabs(double{expected[k]}));
    }
    std::printf("ggml: %s: error %.1e\n", operation.name, difference / largest);
    // Matrices are multiplied in 16 bits where the backend likes to.
    require(difference <= 2e-3 * largest, "wrong");
  }
  ggml_backend_free(backend);
}
