'use strict';

/**
 * The simulator as WebAssembly. In a worker, whose script is this function's text, it answers messages:
 *   worker.postMessage({module})    the module of lockstep.wasm; with {naga}, the module of naga, for WGSL
 *                                   {ready: true} also prepares what its first shader needs
 *   worker.postMessage({message})   is answered by {answer}, both texts
 * Elsewhere it gives the class of engines. `lockstepNaga` is what naga.js defines, if the page was built with it.
 */
function lockstepEngine(lockstepNaga = null) {
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

  /** naga, which compiles WGSL, and what src/shader/front/naga.cpp knows about it. */
  class Naga {
    constructor(module) {
      this.module = module;
    }

    /** The words of the module. Throws Error with naga's message as other compilers have it. */
    compile(source) {
      if (source === '') throw new Error('shader.wgsl: is empty');
      try {
        return this.wordsOf(source);
      } catch (error) {
        if (!/`subgroups` enable-extension is not yet supported/.test(error.message)) throw this.inWords(error);
      }
      // The directive that WGSL asks for; naga has the functions without. Comments become as long as they were, to be skipped.
      const code = source.replace(/\/\/.*|\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));
      const found = /\benable[ \t]+subgroups[ \t]*;/.exec(code);
      const end = found ? found.index + found[0].length : 0;
      try {
        return this.wordsOf(found ? source.slice(0, found.index) + ' '.repeat(found[0].length) + source.slice(end) : source);
      } catch (error) {
        throw this.inWords(error);
      }
    }

    wordsOf(source) {
      this.calls ??= this.started();
      const parsed = this.calls.parseWgsl(source);
      const words = this.calls.writeSpirv(parsed, this.calls.validate(parsed), {flags: {debug: true}});
      words[1] = Math.max(words[1], 0x10300);  // it writes 1.0 whatever it uses
      return words;
    }

    started() {
      const calls = lockstepNaga();
      calls.initSync({module: this.module});
      return calls;
    }

    inWords(error) {
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
        this.calls = null;  // what a trap leaves behind is of no use
        return new Error(`shader.wgsl: naga has stopped: ${error.message}`);
      }
      const report = error.message;
      const title = /^ *error: (.*)$/m.exec(report), place = /┌─ .*?(\d+:\d+)$/m.exec(report);
      const reasons = [...report.matchAll(/^ *= (?!note: )(.*)$/mg)].map(([, reason]) => `; ${reason}`).join('');
      return new Error(`shader.wgsl${place ? `:${place[1]}` : ''}: ${title ? title[1] + reasons : report}`);
    }
  }

  /** The engine of a module: its ask(message) gives the answer of docs/reference/playground-protocol.md, as text. */
  class Engine {
    constructor(module, naga = null) {
      this.module = module;
      this.naga = naga && new Naga(naga);
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

    /** The message, with its module if its shader is in WGSL. */
    withWgsl(text) {
      if (!this.naga || !text.includes('"wgsl"')) return text;
      const message = JSON.parse(text);
      const isShader = message?.language === 'wgsl' && typeof message.source === 'string';
      return isShader ? JSON.stringify({...message, module: [...this.naga.compile(message.source)]}) : text;
    }

    ask(message) {
      const failed = (text) => JSON.stringify({error: {message: text, line: Number(/^shader\.\w+:(\d+)/.exec(text)?.[1] ?? 0)}});
      try {
        message = this.withWgsl(message);
      } catch (error) {
        return failed(error.message);
      }
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
    self.onmessage = ({data: {module, naga, ready, message}}) => {
      if (message) return self.postMessage({answer: engine.ask(message)});
      engine = new Engine(module, naga);
      // What compilers prepare for their first shader takes longer than most shaders.
      if (ready) engine.ask(JSON.stringify({ask: 'trace', source: '#version 450\nvoid main() {}'}));
    };
  }
  return Engine;
}

if (typeof exports !== 'undefined') exports.engineWith = lockstepEngine;
