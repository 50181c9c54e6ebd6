// Compiles WGSL to SPIR-V with naga-wasm.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [source, made] = process.argv.slice(2).filter((word) => word !== "-g");  // it gives no lines
const modules = join(resolve(process.env.NAGA_WASM ?? "."), "node_modules");
const naga = await import(pathToFileURL(join(modules, "naga-wasm", "dist", "node.js")).href);
try {
  const module = naga.parseWgsl(readFileSync(source, "utf8"));
  writeFileSync(made, naga.writeSpirv(module, naga.validate(module), {}));
} catch (error) {
  console.error(String(error.formatted ?? error.message ?? error));
  process.exit(1);
}
