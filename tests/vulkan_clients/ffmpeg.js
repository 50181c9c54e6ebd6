// Compares what FFmpeg's filters for Vulkan wrote with loops over the pixels, which are of 8 bits.
// usage: node ffmpeg.js FILTER INPUT OUTPUT WIDTH HEIGHT
const fs = require('fs');
const [filter, from, to, ...size] = process.argv.slice(2);
const [width, height] = size.map(Number);

const clamp = (value, most) => Math.max(0, Math.min(most, value));
const image = (at) => Float64Array.from({ length: width * height }, (_, k) => at(k % width, Math.floor(k / width)));
const texel = (pixels, x, y) => pixels[clamp(y, height - 1) * width + clamp(x, width - 1)];

// FFmpeg 5.1 samples at the corners of pixels: four of them are mixed.
const sample = (pixels, x, y) =>
  (texel(pixels, x - 1, y - 1) + texel(pixels, x, y - 1) + texel(pixels, x - 1, y) + texel(pixels, x, y)) / 4;

function blurred(pixels, sigma) {
  const radius = 5;  // ten taps, and the middle
  // The bell curve over each pixel, by Simpson's rule.
  const bell = (x) => Math.exp(-x * x / (2 * sigma * sigma));
  const weights = Array.from({ length: radius + 1 }, (_, k) => bell(k - 0.5) + 4 * bell(k) + bell(k + 0.5));
  const total = weights.reduce((sum, weight, k) => sum + (k ? 2 : 1) * weight);
  const pass = (of, dx, dy) => image((x, y) => Math.round(weights.reduce((sum, weight, k) => sum + weight / total *
    (k ? sample(of, x + k * dx, y + k * dy) + sample(of, x - k * dx, y - k * dy) : sample(of, x, y)), 0)));
  return pass(pass(pixels, 1, 0), 0, 1);
}

const filters = {
  hflip_vulkan: (pixels) => image((x, y) => Math.round(sample(pixels, width - x, y))),
  'gblur_vulkan=sigma=1': (pixels) => blurred(pixels, 1),
};

const input = fs.readFileSync(from), seen = fs.readFileSync(to);
const expected = filters[filter](input);
if (seen.length !== expected.length) throw new Error(`${seen.length} bytes, not ${expected.length}`);
const worst = expected.reduce((most, value, k) => Math.max(most, Math.abs(value - seen[k])), 0);
if (!(worst <= 1)) {
  console.error(`ffmpeg: ${filter}: a pixel is off by ${worst}`);
  process.exit(1);
}
console.log(`FFmpeg: ${filter}: ${seen.length} pixels`);
