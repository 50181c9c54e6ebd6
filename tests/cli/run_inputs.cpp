#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_fixture.hpp"
#include "io/npy.hpp"

/// \file
/// Buffers, images, constants and macros that a shader is given.

TEST_CASE_METHOD(RunFixture, "members of push constants are named with or without their block") {
  const std::string rest =
      "layout(binding = 0) buffer R { uint r[]; };\n"
      "void main() { r[0] = PC.count * 10 + PC.more.x; }\n";
  const std::string head =
      "#version 450\nstruct More { uint x; };\nlayout(local_size_x = 1) in;\n"
      "layout(push_constant) uniform P { uint count; More more; } ";
  write(directory / "named.comp", head + "pc;\n#define PC pc\n" + rest);
  write(directory / "same.comp", head + "more;\n#define PC more\n" + rest);
  const std::string buffer = " --groups 1 --buffer 0=zeros:u32:1 ";
  for (const char* push :
       {"'pc.count=4 pc.more.x=2'", "'count=4 more.x=2'", "'pc.count=4 more.x=2'"})
    CHECK(contains(run("@named.comp" + buffer + "--push " + push).out, "42 to 42: 42\n"));
  // As --buffer, it may be repeated.
  CHECK(contains(run("@named.comp" + buffer + "--push pc.count=4 --push more.x=2").out,
                 "42 to 42: 42\n"));
  CHECK(contains(run("@named.comp" + buffer + "--push u32:4 --push u32:2").out, "42 to 42: 42\n"));
  // A member's name comes before the block's.
  CHECK(contains(run("@same.comp" + buffer + "--push 'count=4 more.x=2'").out, "42 to 42: 42\n"));
  refused("@named.comp" + buffer + "--push P.count=4",
          "--push: there is no member 'P.count'; there are count, more.x");
}

TEST_CASE_METHOD(RunFixture, "a binding is named by each of its declarations") {
  write(directory / "alias.comp",
        "#version 450\nlayout(local_size_x = 4) in;\n"
        "layout(binding = 0) readonly buffer A { uint a[]; };\n"
        "layout(binding = 0) buffer B { uvec2 b[]; };\n"
        "void main() { b[gl_LocalInvocationIndex].y = a[gl_LocalInvocationIndex * 2u] + 5u; }\n");
  for (const std::string name : {"0", "A", "B"}) {
    const Outcome outcome =
        run("@alias.comp --groups 1 --buffer " + name + "=iota:u32:8 --save " + name + "=@o.npy");
    INFO(name << outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(lockstep::npy::read<std::uint32_t>(directory / "o.npy") ==
          std::vector<std::uint32_t>{0, 5, 2, 7, 4, 9, 6, 11});
  }
  refused("@alias.comp --groups 1 --buffer A=iota:u32:8 --buffer B[0]=iota:u32:8",
          "--buffer 0 is given twice; remove one");
}

TEST_CASE_METHOD(RunFixture, "macros, includes, constants and push constants reach the shader") {
  std::filesystem::create_directory(directory / "inc");
  write(directory / "inc/add.h", "uint add(uint a, uint b) { return a + b + EXTRA; }\n");
  write(directory / "all.comp",
        "#version 450\n#include \"add.h\"\nlayout(constant_id = 5) const uint c = 1;\n"
        "layout(push_constant) uniform P { uint p; };\n"
        "layout(binding = 0) buffer B { uint data[]; };\n"
        "#ifdef ON\nvoid main() { data[0] = add(c, p); }\n#endif\n");
  const Outcome outcome =
      run("@all.comp --groups 1 -D EXTRA=1000 -D ON -I @inc --spec 5=20 --push fill:u32:1:300 "
          "--buffer 0=zeros:u32:1");
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, ": u32 x 1, 1320 to 1320: 1320\n"));
}

TEST_CASE_METHOD(RunFixture, "one option is for all elements of an array, others stay unbound") {
  write(directory / "array.comp",
        "#version 450\nlayout(local_size_x = 4) in;\n"
        "layout(binding = 0) buffer U { uint data[]; } b[4];\n"
        "void main() { uint i = gl_LocalInvocationID.x; b[i].data[i] += i; }\n");
  const Outcome all =
      run("@array.comp --groups 1 --buffer '0=fill:u32:4:10*' --save '0[3]=@d.npy'");
  INFO(all.err);
  CHECK(all.exit_code == 0);
  CHECK(lockstep::npy::read<std::uint32_t>(directory / "d.npy") ==
        std::vector<std::uint32_t>{10, 10, 10, 13});
  CHECK(contains(all.out, "buffer 0 (b): u32 x 4, 10 to 10: 10 10 10 10\n"));
  CHECK(contains(all.out, "buffer 0[2] (b): u32 x 4, 10 to 12: 10 10 12 10\n"));
  const Outcome some =
      run("@array.comp --groups 1 --buffer '0=zeros:u32:4*2' --buffer '0[3]=iota:u32:4'");
  CHECK(some.exit_code == 1);  // lane 2 has no memory
  CHECK(contains(some.err, "[out-of-bounds]\n"));
  CHECK(contains(some.out, "buffer 0[3] (b): u32 x 4, 0 to 6: 0 1 2 6\n"));
  refused("@array.comp --groups 1 --buffer '0=zeros:u32:4*2' --save '0[2]=@d.npy'",
          "--save 0[2]: it has no contents; give --buffer 0[2]=SPEC");
  refused("@array.comp --groups 1 --buffer '0[1]=zeros:u32:4' --buffer '0[1]=zeros:u32:4'",
          "--buffer 0[1] is given twice; remove one");
  refused("@array.comp --groups 1 --buffer '0=zeros:u32:4*0'",
          "--buffer 0=zeros:u32:4*0: '0' is not a number of elements from 1 to 4096");
}

TEST_CASE_METHOD(RunFixture, "a constant takes values of its type") {
  write(directory / "constant.comp",
        "#version 450\nlayout(constant_id = 5) const uint c = 1;\n"
        "layout(binding = 0) buffer B { uint data; };\nvoid main() { data = c; }\n");
  const std::string command = "@constant.comp --groups 1 --buffer 0=zeros:u32:1 --spec ";
  CHECK(contains(run(command + "5=4294967295").out, ": 4294967295\n"));
  refused(command + "7=1",
          "--spec 7=1: the shader has no specialization constant 7; it has 5 (uint c)");
  for (const std::string value : {"64.7", "5000000000", "-1"})
    refused(command + "5=" + value, "--spec 5=" + value +
                                        ": constant 5 (uint c) takes an integer from 0 to "
                                        "4294967295");
}

TEST_CASE_METHOD(RunFixture,
                 "a file of another type than the buffer's is refused unless bits count") {
  lockstep::npy::write<double>(directory / "f64.npy", std::vector<double>(32, 1.0));
  lockstep::npy::write<std::int64_t>(directory / "i64.npy", std::vector<std::int64_t>(32, 3));
  const std::string rest = " --groups 1 --buffer 1=zeros:u32:64 --save 1=@o.npy";
  for (const std::string type : {"f64", "i64"})
    refused("@scan.comp --buffer 0=@" + type + ".npy" + rest,
            "@" + type + ".npy: holds " + type +
                ", but buffer 0 (source) holds uint data[]; save it as u32, or give --bits to copy "
                "its bytes");
  const Outcome bits = run("@scan.comp --subgroup-size 1 --bits --buffer 0=@i64.npy" + rest);
  INFO(bits.err);
  CHECK(bits.exit_code == 0);
  CHECK(lockstep::npy::read<std::uint32_t>(directory / "o.npy")[0] == 3);
  // A structure's block has several types; its bytes have none.
  write(directory / "mixed.comp",
        "#version 450\nstruct P { float m; uint n; };\n"
        "layout(binding = 0) buffer B { P p[]; };\nvoid main() { p[1].n = p[0].n; }\n");
  for (const char* type : {"u8", "u32", "f32"}) {
    if (type == std::string("u8"))
      lockstep::npy::write<std::uint8_t>(directory / "m.npy", std::vector<std::uint8_t>(16, 1));
    else if (type == std::string("u32"))
      lockstep::npy::write<std::uint32_t>(directory / "m.npy", std::vector<std::uint32_t>(4, 1));
    else
      lockstep::npy::write<float>(directory / "m.npy", std::vector<float>(4, 1));
    CHECK(run("@mixed.comp --groups 1 --buffer 0=@m.npy").exit_code == 0);
  }
  refused("@mixed.comp --groups 1 --buffer 0=@f64.npy",
          "@f64.npy: holds f64, but buffer 0 (B) holds P p[]; save it as u8 or u32 or f32, or give "
          "--bits to copy its bytes");
}

TEST_CASE_METHOD(RunFixture, "two results in one file are refused, by any spelling") {
  std::filesystem::create_directory(directory / "sub");
  refused(scan + "--save 0=@x.npy --save 1=@sub/../x.npy",
          "--save: buffer 0 (source) and buffer 1 (result) would both be written to @sub/../x.npy; "
          "name two files");
  std::filesystem::create_symlink("x.npy", directory / "link.npy");
  refused(scan + "--save 0=@x.npy --save 1=@link.npy",
          "--save: buffer 0 (source) and buffer 1 (result) would both be written to @link.npy; "
          "name two files");
}

TEST_CASE_METHOD(RunFixture, "a macro may have parameters, and a buffer its name") {
  write(directory / "macro.comp",
        "#version 450\nlayout(binding = 3) buffer B { uint data; } result;\n"
        "void main() { result.data = TWICE(21u) + f(); }\n");
  const Outcome outcome =
      run("@macro.comp --groups 1 -D 'TWICE(x)=((x)*2u)' -D 'f()=1u' --buffer result=zeros:u32:1");
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, ": 43\n"));
}

TEST_CASE_METHOD(RunFixture, "shaders with addresses run unmodified") {
  // A list in memory that only addresses reach: each node has the next one's address and a number.
  write(directory / "list.comp",
        "#version 460\n#extension GL_EXT_buffer_reference : require\n"
        "layout(local_size_x = 1) in;\nlayout(buffer_reference) buffer Node;\n"
        "layout(buffer_reference) buffer Node { Node next; uint value; uint pad; };\n"
        "layout(binding = 2) buffer Result { uint sum; uint more; Node last; } result;\n"
        "layout(push_constant) uniform P { uint count; float scale; Node first; };\n"
        "void main() {\n  Node node = first;\n  uint sum = 0u;\n"
        "  for (uint k = 0u; k < count; ++k) { sum += node.value; node = node.next; }\n"
        "  node.value = 77u;\n  result.sum = uint(float(sum) * scale) + result.last.value;\n}\n");
  std::vector<std::uint32_t> nodes(3 * 4);
  for (std::uint32_t k = 0; k < 3; ++k) nodes[k * 4 + 2] = 10 * (k + 1);
  lockstep::npy::write<std::uint32_t>(directory / "nodes.npy", nodes);
  const std::string command =
      "@list.comp --groups 1 --buffer nodes=@nodes.npy --buffer 2=zeros:u32:4 "
      "--push 'u32:2 f32:1.5 addr:nodes+32' --address nodes+32=nodes --address nodes+0=nodes+16 "
      "--address result+8=nodes+16 ";
  const Outcome outcome = run(command + "--save nodes=@out.npy");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "buffer 2 (result): 16 bytes\n"));
  // (30 + 10) * 1.5, and 77 in the node after them.
  CHECK(contains(outcome.out, "  sum: u32 x 1, 137 to 137: 137\n"));
  CHECK(lockstep::npy::read<std::uint32_t>(directory / "out.npy")[4 + 2] == 77);
  refused("@list.comp --groups 1 --buffer 2=zeros:u32:4 --push 'count=1 scales=2'",
          "--push: there is no member 'scales'; there are count, scale, first");
  refused(command + "--address nodes+48=2",
          "--address nodes+48=2: byte 48 is outside memory nodes, which has 48");
  refused(command + "--address 2+0=gone",
          "--address 2+0=gone: gone has no contents; give --buffer gone=SPEC");
  refused("@list.comp --groups 1 --buffer 2=zeros:u32:4 --push 'u32:2 f32:1.5 addr:nodes'",
          "--push: nodes has no contents; give --buffer nodes=SPEC");
  refused("@list.comp --groups 1 --buffer 2=zeros:u32:4",
          "the shader has push constants; give --push SPEC; they are uint count, float scale, Node "
          "first (16 bytes)");
  refused("@list.comp --groups 1 --buffer 2=zeros:u32:4 --push 'u32:2 f32:1.5 u64:0 u32:1'",
          "--push: has 20 bytes, but the push constants have 16: uint count, float scale, Node "
          "first");
}

TEST_CASE_METHOD(RunFixture, "images and samplers come from the command line") {
  write(directory / "image.comp",
        "#version 450\nlayout(local_size_x = 4, local_size_y = 4) in;\n"
        "layout(binding = 0, rgba8) uniform readonly image2D source;\n"
        "layout(binding = 1, r32f) uniform image2D target;\n"
        "layout(binding = 2) uniform sampler2D ramp;\n"
        "layout(binding = 3) uniform texture2D plain;\nlayout(binding = 4) uniform sampler how;\n"
        "void main() {\n  ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
        "  float x = textureLod(ramp, vec2(float(p.x) / 4.0 + 0.25, 0.5), 0.0).x;\n"
        "  float y = textureLod(sampler2D(plain, how), vec2(-1.0), 0.0).x;\n"
        "  imageStore(target, p, vec4(imageLoad(source, p).y + x + y));\n}\n");
  // Of each texel green is 51 * (x + 1) / 255; the ramp is 0, 8 and linear between; the border is 1.
  std::vector<std::uint8_t> texels(4 * 4 * 4);
  for (std::size_t k = 0; k < 16; ++k)
    texels[4 * k + 1] = static_cast<std::uint8_t>(51 * (k % 4 + 1));
  lockstep::npy::write<std::uint8_t>(directory / "texels.npy", texels);
  const std::string command =
      "@image.comp --groups 1 --image 0=rgba8:4x4:@texels.npy --image target=r32f:4x4:zeros "
      "--image 2=r32f:2x1:@ramp.npy --sampler 2=linear,clamp_to_edge --image 3=r8:1x1:zeros "
      "--sampler 4=nearest,clamp_to_border,opaque_white ";
  lockstep::npy::write<float>(directory / "ramp.npy", std::vector<float>{0, 8});
  const Outcome outcome = run(command + "--save 1=@out.npy --save 0=@in.png");
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const lockstep::npy::Array out = lockstep::npy::read(directory / "out.npy");
  CHECK(out.shape == std::vector<std::size_t>{1, 4, 4, 1});
  const float ramp[] = {0, 4, 8, 8};
  for (std::size_t k = 0; k < 16; ++k)
    CHECK(out.values<float>()[k] == Approx(0.2f * static_cast<float>(k % 4 + 1) + ramp[k % 4] + 1));
  // The PNG has the texels that were given.
  const Outcome again =
      run("@image.comp --groups 1 --image 0=rgba8:@in.png --image target=r32f:4x4:zeros "
          "--image 2=r32f:2x1:@ramp.npy --sampler 2=linear,clamp_to_edge --image 3=r8:1x1:zeros "
          "--sampler 4=nearest,clamp_to_border,opaque_white --against target=@out.npy");
  CHECK(again.exit_code == 0);
  CHECK(contains(again.out, "image 1 (target): 16 elements agree with "));
  refused("@image.comp --groups 1",
          "image 0 (source) has no texels; give --image 0=FORMAT:WxH:SPEC; it is image2D, rgba8");
  refused(
      "@image.comp --groups 1 --image '0=rgba8:1x1:zeros' --image 1=r32f:1x1:zeros "
      "--image 2=r8:1x1:zeros --image 3=r8:1x1:zeros",
      "sampler 2 (ramp) is missing; give --sampler 2=linear,repeat or other properties");
  refused(scan + "--save 1=@x.png",
          "--save @x.png: buffer 1 (result) is not an image; write a .npy file");
}

TEST_CASE_METHOD(RunFixture, "images have levels, and a level can be an image of its own") {
  // Each level after the first gets the means of the level before it, through a sampler in the middle of four texels.
  write(directory / "levels.comp",
        "#version 450\nlayout(local_size_x = 4, local_size_y = 4) in;\n"
        "layout(binding = 0) uniform sampler2D source;\n"
        "layout(binding = 1, r32f) uniform image2D levels[2];\n"
        "layout(binding = 2) uniform samplerCube sky;\n"
        "layout(binding = 3) buffer Out { float o[]; };\n"
        "void main() {\n  ivec2 p = ivec2(gl_LocalInvocationID.xy);\n"
        "  if (p.x < 2 && p.y < 2)\n"
        "    imageStore(levels[0], p, textureLod(source, (vec2(p) + 0.5) / 2.0, 0.0));\n"
        "  if (p == ivec2(0)) imageStore(levels[1], p, texelFetch(source, ivec2(3, 2), 0) * 2.0);\n"
        "  if (p == ivec2(0)) o[0] = textureQueryLevels(source);\n"
        "  if (p == ivec2(0)) o[1] = textureLod(sky, vec3(0, -1, 0), 0.0).x;\n}\n");
  std::vector<float> texels(4 * 4 + 4 + 1, -1.0f);
  for (std::size_t k = 0; k < 16; ++k) texels[k] = static_cast<float>(k * k);
  lockstep::npy::write<float>(directory / "texels.npy", texels);
  const std::string command =
      "@levels.comp --groups 1 --sampler 0=linear,clamp_to_edge --sampler 2=nearest "
      "--image 2=r32f:1x1x6:iota:f32:6 --buffer 3=zeros:f32:2 --save 3=@o.npy "
      "--image 0=r32f:4x4,levels=3:@texels.npy ";
  const Outcome outcome =
      run(command +
          "--image 1=level:1:0 --image 1[1]=level:2:source --save 0=@out.npy --save 1=@one.npy");
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(lockstep::npy::read(directory / "o.npy").values<float>()[0] == 3);
  CHECK(lockstep::npy::read(directory / "o.npy").values<float>()[1] == 3);
  const auto out = lockstep::npy::read(directory / "out.npy");
  CHECK(out.shape == std::vector<std::size_t>{21, 1});
  const auto one = lockstep::npy::read(directory / "one.npy");
  CHECK(one.shape == std::vector<std::size_t>{1, 2, 2, 1});
  for (std::size_t k = 0; k < 16; ++k) CHECK(out.values<float>()[k] == texels[k]);
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t corner = k / 2 * 8 + k % 2 * 2;
    const float mean =
        (texels[corner] + texels[corner + 1] + texels[corner + 4] + texels[corner + 5]) / 4;
    CHECK(out.values<float>()[16 + k] == mean);
    CHECK(one.values<float>()[k] == mean);
  }
  CHECK(out.values<float>()[20] == 242);
  refused(command + "--image 1=level:3:0",
          "--image 1=level:3:0: there is no level 3; the image has 3");
  refused(command + "--image 1=level:0:2[1]",
          "--image 1=level:0:2[1]: there is no image 2[1] with texels of its own");
  refused(command + "--image 1=level:0:1",
          "--image 1=level:0:1: there is no image 1 with texels of its own");
}

namespace {

const std::string particles = R"(#version 450
layout(local_size_x = 4) in;
struct Particle { vec3 position; float mass; uint hits; };
layout(binding = 0) buffer B { uint count; Particle particles[]; };
layout(binding = 1) buffer C { Particle more[]; };
layout(binding = 2) buffer D { uint plain[]; };
void main() {
  const uint i = gl_GlobalInvocationID.x;
  particles[i].position.y += particles[i].mass;
  particles[i].hits += count;
  more[i].mass = float(i);
  plain[i] += i;
}
)";

// The array of particles starts at byte 16, each has 32.
const std::string particle_buffers =
    "@particles.comp --groups 1 --buffer 0=zeros:u8:144 --buffer 1=zeros:u8:128 --buffer "
    "2=zeros:f32:4 ";

}  // namespace

TEST_CASE_METHOD(RunFixture, "members of blocks are set, shown and saved by their layout") {
  write(directory / "particles.comp", particles);
  const Outcome good =
      run(particle_buffers +
          "--buffer B.count=3 --buffer '0.particles[3].mass=2.5' "
          "--buffer '0.particles[1].position=1,2,-3' --buffer '2.plain[2]=4000000000'");
  INFO(good.err);
  CHECK(good.exit_code == 0);
  CHECK(good.out ==
        "buffer 0 (B): 144 bytes\n"
        "  count: u32 x 1, 3 to 3: 3\n"
        "  particles[].position.xyz: f32 x 12, -3 to 2.5: 0 0 0 1 2 -3 0 0 ...\n"
        "  particles[].mass: f32 x 4, 0 to 2.5: 0 0 0 2.5\n"
        "  particles[].hits: u32 x 4, 3 to 3: 3 3 3 3\n"
        "buffer 1 (C): 128 bytes\n"
        "  more[].position.xyz: f32 x 12, 0 to 0: 0 0 0 0 0 0 0 0 ...\n"
        "  more[].mass: f32 x 4, 0 to 3: 0 1 2 3\n"
        "  more[].hits: u32 x 4, 0 to 0: 0 0 0 0\n"
        "buffer 2 (D): u32 x 4, 0 to 4000000002: 0 1 4000000002 3\n");

  refused(particle_buffers + "--buffer 0.mass=1",
          "--buffer 0.mass=1: there is no member 'mass'; there are count, "
          "particles[].position.xyz, particles[].mass, particles[].hits");
  refused(particle_buffers + "--buffer '0.particles[4].mass=1'",
          "--buffer 0.particles[4].mass=1: 'particles[4].mass' is outside: the last one is "
          "particles[3].mass");
  refused(particle_buffers + "--buffer 7.mass=1",
          "--buffer 7.mass=1: there is no block with contents; give --buffer BINDING=SPEC as well");
}

TEST_CASE_METHOD(RunFixture, "blocks are saved as records and compared member by member") {
  write(directory / "particles.comp", particles);
  const Outcome saved = run(particle_buffers + "--save 0=@b.npy --save 1=@c.npy");
  INFO(saved.err);
  REQUIRE(saved.exit_code == 0);
  const std::string particle =
      "[('position', '<f4', (3,)), ('mass', '<f4'), ('hits', '<u4'), ('', '|V12')]";
  using lockstep::npy::Records;
  const auto b = lockstep::npy::read(directory / "b.npy", Records::accepted);
  CHECK(b.record == "[('count', '<u4'), ('', '|V12'), ('particles', " + particle + ", (4,))]");
  CHECK(b.shape.empty());
  auto c = lockstep::npy::read(directory / "c.npy", Records::accepted);
  CHECK(c.record == particle);
  CHECK(c.shape == std::vector<std::size_t>{4});

  // What was saved is taken as contents, and compared: padding does not matter, members do.
  const std::string again =
      "@particles.comp --groups 1 --buffer 0=@b.npy --buffer 1=@c.npy "
      "--buffer 2=zeros:u32:4 ";
  c.bytes[127] = std::byte{5};
  lockstep::npy::write(directory / "c.npy", c);
  CHECK(run(again + "--against 0=@b.npy --against 1=@c.npy").exit_code == 0);
  c.bytes[32 + 16] = std::byte{5};
  lockstep::npy::write(directory / "d.npy", c);
  const Outcome differs = run(again + "--against 1=@d.npy --json");
  CHECK(differs.exit_code == 1);
  const auto told = nlohmann::json::parse(differs.out).at("against").at(0);
  CHECK(told.at("elements") == 20);
  CHECK(told.at("differing") == 1);
  CHECK(told.at("first").at(0).at("member") == "more[1].hits");
  CHECK(told.at("first").at(0).at("reference") == "0");
  CHECK(told.at("first").at(0).at("device") == "5");
  CHECK(told.at("first").at(0).at("writer").is_null());
  refused(again + "--against 1=@b.npy", "@b.npy: holds records of " + b.record +
                                            ", but buffer 1 (C) holds " + particle +
                                            "; save it as that");
}
