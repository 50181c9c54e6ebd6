'use strict';

/**
 * The engine of a page without a server: workers that run the module in lockstepModule, which is compressed and in letters, since
 * pages opened from a file may not load files. The scripts are classic and the worker's is a blob for the same reason.
 */
class LocalEngine {
  static seconds = 10;  // as a server allows
  static spare = 2;     // workers that are kept: one for runs, one for the rest

  constructor() {
    this.idle = [];
    this.module = LocalEngine.compiled();
    this.module.catch(() => {});  // each answer says so
    this.script = URL.createObjectURL(new Blob([`(${lockstepEngine})()`], {type: 'text/javascript'}));
  }

  static async compiled() {
    const compressed = Uint8Array.from(atob(lockstepModule), (letter) => letter.charCodeAt(0));
    const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  }

  /** The text of the answer. Throws if there is none: the signal has ended it, or the time is over. */
  async answer(message, signal) {
    const module = await this.module;
    if (signal?.aborted) throw new Error('');
    const worker = this.idle.pop() ?? this.started(module);
    try {
      const answer = await this.from(worker, message, signal);
      if (this.idle.length < LocalEngine.spare) this.idle.push(worker);
      else worker.terminate();
      return answer;
    } catch (error) {
      worker.terminate();
      if (!this.idle.length) this.idle.push(this.started(module));  // the next message need not wait for it
      throw error;
    }
  }

  started(module) {
    const worker = new Worker(this.script);
    worker.postMessage({module});
    return worker;
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
