#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer Data { uint data[]; };
uint f0(uint x) { return x * 3u; }
uint f1(uint x) { return f0(x) ^ f0(x + 1u); }
uint f2(uint x) { return f1(x) ^ f1(x + 1u); }
uint f3(uint x) { return f2(x) ^ f2(x + 1u); }
uint f4(uint x) { return f3(x) ^ f3(x + 1u); }
uint f5(uint x) { return f4(x) ^ f4(x + 1u); }
uint f6(uint x) { return f5(x) ^ f5(x + 1u); }
uint f7(uint x) { return f6(x) ^ f6(x + 1u); }
uint f8(uint x) { return f7(x) ^ f7(x + 1u); }
uint f9(uint x) { return f8(x) ^ f8(x + 1u); }
uint f10(uint x) { return f9(x) ^ f9(x + 1u); }
uint f11(uint x) { return f10(x) ^ f10(x + 1u); }
uint f12(uint x) { return f11(x) ^ f11(x + 1u); }
uint f13(uint x) { return f12(x) ^ f12(x + 1u); }
uint f14(uint x) { return f13(x) ^ f13(x + 1u); }
uint f15(uint x) { return f14(x) ^ f14(x + 1u); }
uint f16(uint x) { return f15(x) ^ f15(x + 1u); }
uint f17(uint x) { return f16(x) ^ f16(x + 1u); }
uint f18(uint x) { return f17(x) ^ f17(x + 1u); }
uint f19(uint x) { return f18(x) ^ f18(x + 1u); }
uint f20(uint x) { return f19(x) ^ f19(x + 1u); }
uint f21(uint x) { return f20(x) ^ f20(x + 1u); }
uint f22(uint x) { return f21(x) ^ f21(x + 1u); }
uint f23(uint x) { return f22(x) ^ f22(x + 1u); }
uint f24(uint x) { return f23(x) ^ f23(x + 1u); }
uint f25(uint x) { return f24(x) ^ f24(x + 1u); }
uint f26(uint x) { return f25(x) ^ f25(x + 1u); }
uint f27(uint x) { return f26(x) ^ f26(x + 1u); }
uint f28(uint x) { return f27(x) ^ f27(x + 1u); }
uint f29(uint x) { return f28(x) ^ f28(x + 1u); }
uint f30(uint x) { return f29(x) ^ f29(x + 1u); }
void main() { data[0] = f30(data[0]); }
