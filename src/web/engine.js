'use strict';

/**
 * The simulator as WebAssembly. In a worker, whose script is this function's text, it answers messages:
 *   worker.postMessage({module})    the module of lockstep.wasm
 *   worker.postMessage({message})   is answered by {answer}, both texts
 * Elsewhere it gives the class of engines.
 */
function lockstepEngine() {
  /**
   * What a module of WASI asks of its host: time, random bytes, and where to write errors. There are no files, no arguments
   * and no environment.
   */
  function hostOf(memory) {
    const success = 0, badFile = 8, unsupported = 52;
    const view = () => new DataView(memory().buffer);
    const none = (count, bytes) => {
      view().setUint32(count, 0, true);
      view().setUint32(bytes, 0, true);
      return success;
    };
    return {
      args_sizes_get: none,
      args_get: () => success,
      environ_sizes_get: none,
      environ_get: () => success,
      clock_time_get(clock, precision, time) {
        const milliseconds = clock === 0 ? Date.now() : performance.now();
        view().setBigUint64(time, BigInt(Math.round(milliseconds * 1e6)), true);
        return success;
      },
      random_get(at, bytes) {
        const most = 65536;
        for (let k = 0; k < bytes; k += most)
          crypto.getRandomValues(new Uint8Array(memory().buffer, at + k, Math.min(most, bytes - k)));
        return success;
      },
      fd_write(file, vectors, count, written) {
        let text = '', bytes = 0;
        for (let k = 0; k < count; ++k) {
          const at = view().getUint32(vectors + 8 * k, true), length = view().getUint32(vectors + 8 * k + 4, true);
          text += new TextDecoder().decode(new Uint8Array(memory().buffer, at, length));
          bytes += length;
        }
        if (text.trim()) console.error(text);
        view().setUint32(written, bytes, true);
        return success;
      },
      fd_prestat_get: () => badFile,
      sched_yield: () => success,
      proc_exit(code) {
        throw new Error(`it has ended with ${code}`);
      },
      otherwise: () => unsupported,
    };
  }

  /** The engine of a module: its ask(message) gives the answer of docs/reference/playground-protocol.md, as text. */
  class Engine {
    constructor(module) {
      this.module = module;
      this.start();
    }

    start() {
      let instance = null;
      const host = hostOf(() => instance.exports.memory), imports = {};
      for (const {module, name} of WebAssembly.Module.imports(this.module))
        (imports[module] ??= {})[name] = host[name] ?? host.otherwise;
      instance = new WebAssembly.Instance(this.module, imports);
      instance.exports._initialize();
      this.calls = instance.exports;
    }

    ask(message) {
      const failed = (text) => JSON.stringify({error: {message: text, line: 0}});
      const bytes = new TextEncoder().encode(message);
      try {
        const to = this.calls.message_buffer(bytes.length);
        new Uint8Array(this.calls.memory.buffer, to, bytes.length).set(bytes);
        const from = this.calls.answer();
        return new TextDecoder().decode(new Uint8Array(this.calls.memory.buffer, from, this.calls.answer_bytes()));
      } catch (error) {
        this.start();  // what a trap leaves behind is of no use
        const tooDeep = error instanceof RangeError;
        return failed(tooDeep ? 'the shader nests too deeply; nest less, or split its longest expression'
                              : `the engine has stopped: ${error.message}; make the shader or its inputs smaller`);
      }
    }
  }

  if (typeof WorkerGlobalScope !== 'undefined' && self instanceof WorkerGlobalScope) {
    let engine = null;
    self.onmessage = ({data: {module, message}}) => {
      if (module) engine = new Engine(module);
      else self.postMessage({answer: engine.ask(message)});
    };
  }
  return Engine;
}

if (typeof exports !== 'undefined') exports.Engine = lockstepEngine();
