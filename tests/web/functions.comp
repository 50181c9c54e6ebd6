#version 450

// What shaders compute with floats: each lane stores the sum of the bits of its results.

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Numbers { float numbers[]; };
layout(binding = 1) buffer Sums { uint sums[]; };

uint sum = 0;
void add(float x) { sum = sum * 31u + floatBitsToUint(x); }

void main() {
  uint i = gl_GlobalInvocationID.x;
  float a = numbers[i], b = numbers[i + 256];
  add(a + b), add(a - b), add(a * b), add(a / b), add(mod(a, b)), add(fma(a, b, a));
  add(sin(a)), add(cos(a)), add(tan(a)), add(asin(a)), add(acos(a)), add(atan(a)), add(atan(a, b));
  add(sinh(a)), add(cosh(a)), add(tanh(a)), add(asinh(a)), add(acosh(a)), add(atanh(a));
  add(pow(a, b)), add(exp(a)), add(log(a)), add(exp2(a)), add(log2(a)), add(sqrt(a)), add(inversesqrt(a));
  add(floor(a)), add(ceil(a)), add(trunc(a)), add(round(a)), add(roundEven(a)), add(fract(a)), add(sign(a));
  add(min(a, b)), add(max(a, b)), add(clamp(a, 0.0, 1.0)), add(mix(a, b, 0.25)), add(step(a, b)), add(smoothstep(0.0, 2.0, a));
  int exponent;
  add(frexp(a, exponent)), add(ldexp(a, exponent)), add(length(vec3(a, b, 1))), add(dot(vec4(a), vec4(b)));
  add(determinant(mat3(a, b, 1, b, a, 2, 3, a, b))), add(float(int(a))), add(float(uint(abs(b))));
  add(uintBitsToFloat(packHalf2x16(vec2(a, b)))), add(unpackHalf2x16(floatBitsToUint(a)).x);
  add(uintBitsToFloat(packUnorm4x8(vec4(a, b, 0, 1)))), add(uintBitsToFloat(packSnorm2x16(vec2(a, b))));
  double d = double(a) / double(b);
  add(float(sqrt(abs(d)) * d)), add(float(floor(d))), add(float(fma(d, d, -d)));
  uvec2 bits = unpackDouble2x32(d);
  sums[i] = sum ^ bits.x ^ bits.y;
}
