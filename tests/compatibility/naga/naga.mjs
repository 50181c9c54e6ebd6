// Compiles WGSL to SPIR-V with naga-wasm.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const words = process.argv.slice(2);
const debug = words[0] === "-g";  // names: it gives no lines
const [source, made] = words.slice(debug ? 1 : 0);
const modules = join(resolve(process.env.NAGA_WASM ?? "."), "node_modules");
const naga = await import(pathToFileURL(join(modules, "naga-wasm", "dist", "node.js")).href);
try {
  const module = naga.parseWgsl(readFileSync(source, "utf8"));
  writeFileSync(made, naga.writeSpirv(module, naga.validate(module), {flags: {debug}}));
} catch (error) {
  console.error(String(error.formatted ?? error.message ?? error));
  process.exit(1);
}
