// Scans each workgroup's part of the values: each step adds the sum that is `distance` to the left.

@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;

var<workgroup> partial: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(global_invocation_id) id: vec3u) {
  partial[lane] = values[id.x];
  for (var distance = 1u; distance < 256u; distance *= 2u) {
    workgroupBarrier();
    let left = select(0.0, partial[lane - min(lane, distance)], lane >= distance);
    workgroupBarrier();
    partial[lane] += left;
  }
  sums[id.x] = partial[lane];
}
