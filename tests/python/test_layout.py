"""Blocks as types of NumPy."""

import numpy as np
import pytest

import lockstep as ls

PARTICLES = """#version 460
layout(local_size_x = 4) in;
struct Particle { vec3 position; float mass; vec3 velocity; uint id; };
layout(std430, binding = 0) buffer Particles { Particle particles[]; };
layout(std430, binding = 1) buffer Counted { uint count; vec2 rest[]; };
layout(std430, binding = 2) buffer Matrices { mat3 turn; mat2x4 wide[2]; layout(row_major) mat2x3 rows; };
layout(std430, binding = 3) buffer Vectors { vec3 vectors[]; };
layout(std140, binding = 4) uniform Uniforms { float factors[3]; int shift; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  particles[i].velocity += particles[i].position * particles[i].mass;
  particles[i].id = i + uint(shift);
  if (i < count) rest[i] += vec2(1, 2);
  if (i == 0u) { turn[1][2] = 5; wide[1][0][3] = 6; rows[1][2] = 7; }
  vectors[i] += vec3(factors[0], factors[1], factors[2]);
}
"""


@pytest.fixture(scope="module")
def shader():
    return ls.Shader(PARTICLES, name="particles.comp")


def arrays(shader):
    made = {
        "Particles": shader.layout("Particles").zeros(4),
        "Counted": shader.layout("Counted").zeros(4),
        "Matrices": shader.layout("Matrices").zeros(),
        "Vectors": np.zeros((4, 4), np.float32),
        "Uniforms": shader.layout("Uniforms").zeros(),
    }
    particles = made["Particles"]
    particles["position"] = np.arange(12).reshape(4, 3)
    particles["mass"] = [1, 2, 3, 4]
    made["Counted"]["count"] = 3
    made["Uniforms"]["factors"]["value"] = [0.5, 1.5, 2.5]
    made["Uniforms"]["shift"] = 100
    return made


def test_records_lie_as_the_shader_says(shader):
    made = arrays(shader)
    shader.run(1, made)
    for i in range(4):
        particle = made["Particles"][i]
        assert particle["velocity"].tolist() == [(3 * i + k) * (i + 1) for k in range(3)]
        assert particle["id"] == i + 100
        assert made["Vectors"][i].tolist() == [0.5, 1.5, 2.5, 0]
        assert made["Counted"]["rest"][i].tolist() == ([1, 2] if i < 3 else [0, 0])
    matrices = made["Matrices"]
    assert matrices["turn"]["value"][1][2] == 5 and matrices["turn"]["value"].sum() == 5
    assert matrices["wide"][1][0][3] == 6 and matrices["wide"].sum() == 6
    assert matrices["rows"][2][1] == 7 and matrices["rows"].sum() == 7


def test_types_have_the_bytes_of_std430(shader):
    element = shader.layout("Particles").element
    assert element.itemsize == 32
    assert [element.fields[name][1] for name in ("position", "mass", "velocity", "id")] == [0, 12, 16, 28]
    counted = shader.layout("Counted").dtype(4)
    assert counted.itemsize == 8 + 4 * 8 and counted.fields["rest"][1] == 8
    assert shader.layout("Uniforms").dtype().fields["shift"][1] == 48
    assert str(shader.layout("Particles")) == "Layout(Particle particles[])"


def packed(**changes):
    fields = {"position": (0, "3f4"), "mass": (12, "f4"), "velocity": (16, "3f4"), "id": (28, "u4")}
    fields.update(changes)
    fields = {name: value for name, value in fields.items() if value is not None}
    return np.dtype(
        {
            "names": list(fields),
            "offsets": [offset for offset, _ in fields.values()],
            "formats": [format for _, format in fields.values()],
            "itemsize": 32,
        }
    )


@pytest.mark.parametrize(
    "dtype, text",
    [
        (packed(velocity=(16, "3f4"), mass=(12, "u4")), r"the field mass is uint32, the shader has float32"),
        (packed(mass=None), r"the field mass is missing"),
        (packed(velocity=None, id=(28, "u4")), r"the field velocity is missing"),
        (packed(position=(0, "2f4")), r"the field position has the shape \(2,\), the shader's \(3,\)"),
        (packed(mass=(28, "f4"), id=(12, "u4")), r"the field mass is at byte 28, the shader has it at 12"),
        (np.dtype([("position", "3f4"), ("mass", "f4"), ("velocity", "3f4"), ("id", "u4"), ("x", "f4")]), r"36 bytes, in the shader 32"),
        (np.dtype("f4"), r"block of several types \(Particle particles\[\]\)"),
    ],
)
def test_the_field_that_differs_is_named(shader, dtype, text):
    made = arrays(shader)
    made["Particles"] = np.zeros(4, dtype)
    with pytest.raises(TypeError, match=r"buffer Particles \(set 0, binding 0\): .*" + text):
        shader.run(1, made)


def test_fields_beside_those_of_the_shader_are_padding(shader):
    made = arrays(shader)
    made["Vectors"] = np.zeros(4, [("value", "3f4"), ("padding", "f4")])
    shader.run(1, made)
    assert made["Vectors"]["value"].tolist() == [[0.5, 1.5, 2.5]] * 4


def test_sizes_are_checked(shader):
    for name, array, text in [
        ("Vectors", np.zeros((4, 3), np.float32), r"vec3 takes the room of 4: give the shape \(n, 4\)"),
        ("Vectors", np.zeros(7, np.float32), r"28 bytes are not a whole number of elements of 16 bytes"),
        ("Uniforms", np.zeros(3, np.uint8), r"several types \(float factors\[3\], int shift\)"),
        ("Matrices", shader.layout("Matrices").zeros().reshape(1)[:0], r"one record, and the array has 0"),
    ]:
        made = arrays(shader)
        made[name] = array
        with pytest.raises((TypeError, ValueError), match=rf"{name} .*{text}"):
            shader.run(1, made)


def test_counted_arrays_of_one_type_are_plain(tmp_path):
    shader = ls.Shader(
        """#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer Data { uint count; uint rest[]; };
void main() { if (gl_GlobalInvocationID.x < count) rest[gl_GlobalInvocationID.x] += 1; }
"""
    )
    data = np.array([2, 10, 10, 10], np.uint32)
    shader.run(1, {"Data": data})
    assert data.tolist() == [2, 11, 11, 10]
    with pytest.raises(ValueError, match="0 bytes, the block"):
        shader.run(1, {"Data": np.zeros(0, np.uint32)})


def test_arrays_of_buffers():
    shader = ls.Shader(
        """#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer Parts { uint data[]; } parts[3];
void main() { for (int k = 0; k < 3; k += 2) parts[k].data[gl_LocalInvocationIndex] = 10 * k + gl_LocalInvocationIndex; }
"""
    )
    one, three = np.zeros(4, np.uint32), np.zeros(4, np.uint32)
    shader.run(1, {0: [one, None, three]})
    assert one.tolist() == [0, 1, 2, 3] and three.tolist() == [20, 21, 22, 23]
    with pytest.raises(TypeError, match="array of 3"):
        shader.run(1, {0: one})


IMAGES = """#version 460
layout(local_size_x = 4, local_size_y = 2) in;
layout(binding = 0, rgba8) uniform image2D picture;
layout(binding = 1) uniform sampler2D source;
layout(binding = 2, r32f) uniform image2D heights;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec4 texel = texture(source, (vec2(at) + 0.5) / vec2(4, 2));
  imageStore(picture, at, texel.bgra);
  imageStore(heights, at, vec4(texel.r));
}
"""


def test_images_are_arrays_with_a_format():
    shader = ls.Shader(IMAGES)
    source = np.arange(32, dtype=np.uint8).reshape(2, 4, 4) * 8
    picture, heights = np.zeros_like(source), np.zeros((2, 4), np.float32)
    images = {"picture": picture, "source": ls.Image(source, "rgba8"), "heights": heights}
    shader.run(1, images=images, samplers={"source": "nearest,clamp_to_edge"})
    for y in range(2):
        for x in range(4):
            r, g, b, a = source[y, x].tolist()
            assert picture[y, x].tolist() == [b, g, r, a]
            assert heights[y, x] == np.float32(r / 255)
    for change, error, text in [
        ({"source": source}, ValueError, "does not name a format"),
        ({"picture": picture.astype(np.float32)}, TypeError, "texels of rgba8 are uint8"),
        ({"picture": picture[..., :3].copy()}, ValueError, "4 components"),
        ({"picture": ls.Image(picture, "rgba8_snorm")}, ValueError, "the shader declares rgba8"),
        ({"source": ls.Image(source, "rgba9")}, ValueError, "'rgba9'"),
    ]:
        with pytest.raises(error, match=text):
            shader.run(1, images={**images, **change}, samplers={"source": "nearest"})
    with pytest.raises(ValueError, match="brightest"):
        shader.run(1, images=images, samplers={"source": "brightest"})


def test_sizes_of_types_in_python_and_cpp_agree(shader):
    for binding in shader.bindings:
        zeros = binding.layout.zeros(4)
        binding.layout.check(zeros, binding.name)
