'use strict';

/**
 * The engine of a page without a server: workers that run the module in lockstepModule, which is compressed and in letters, since
 * pages opened from a file may not load files. The scripts are classic and the worker's is a blob for the same reason. The first
 * shader in WGSL loads naga.js, in pages that have it.
 */
class LocalEngine {
  static seconds = 10;  // as a server allows
  static spare = 2;     // workers that are kept: one for runs, one for the rest

  constructor() {
    this.idle = [];
    this.hasSpare = false;
    this.modules = {};  // what workers get
    this.module = LocalEngine.compiled(lockstepModule);
    this.module.catch(() => {});  // each answer says so
    this.script = LocalEngine.scriptOf(`(${lockstepEngine})()`);
  }

  static scriptOf(text) {
    return URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
  }

  static async compiled(letters) {
    const compressed = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
    const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  }

  /** The text of the answer. Throws if there is none: the signal has ended it, or the time is over. */
  async answer(message, signal) {
    this.modules.module = await this.module;
    if (lockstepHasNaga) {
      const {ask, language} = JSON.parse(message);
      if (ask === 'choices') message = JSON.stringify({ask, wgsl: true});
      if (language === 'wgsl') this.naga ??= this.loaded().catch((error) => { this.naga = null; throw error; });
    }
    await this.naga;
    if (signal?.aborted) throw new Error('');
    const worker = this.idle.pop() ?? this.started();
    try {
      const answer = await this.from(worker, message, signal);
      this.keep(worker);
      // The second one starts once the page shows something.
      if (!this.hasSpare) setTimeout(() => this.keep(this.started(true)), 1000);
      this.hasSpare = true;
      return answer;
    } catch (error) {
      worker.terminate();
      if (!this.idle.length) this.keep(this.started(true));  // the next message need not wait for it
      throw error;
    }
  }

  /** The module of naga.js, which workers have from now on. */
  async loaded() {
    const script = document.createElement('script');
    script.src = 'naga.js';
    await new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = () => reject(new Error('naga.js, which compiles WGSL, cannot be loaded: it belongs beside the page'));
      document.head.append(script);
    });
    this.modules.naga = await LocalEngine.compiled(nagaModule);
    this.script = LocalEngine.scriptOf(`(${lockstepEngine})(${lockstepNaga})`);
    for (const worker of this.idle.splice(0)) worker.terminate();
    return true;
  }

  /** A new worker, which makes its engine at once if it is to be ready. */
  started(ready = false) {
    const worker = new Worker(this.script);
    worker.script = this.script;
    worker.postMessage({...this.modules, ready});
    return worker;
  }

  keep(worker) {
    if (this.idle.length < LocalEngine.spare && worker.script === this.script) this.idle.push(worker);
    else worker.terminate();
  }

  async from(worker, message, signal) {
    let timer, end;
    try {
      return await new Promise((resolve, reject) => {
        const late = () => reject(new Error(`the run takes more than ${LocalEngine.seconds} s; make it smaller`));
        timer = setTimeout(late, LocalEngine.seconds * 1000);
        end = () => reject(new Error(''));
        signal?.addEventListener('abort', end);
        worker.onmessage = ({data}) => resolve(data.answer);
        worker.onerror = ({message: why}) => reject(new Error(`the engine does not start: ${why}; reload the page`));
        worker.postMessage({message});
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }
}
