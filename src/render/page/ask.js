// ---- How the page asks its engine: a server, or the one that the page has brought along (src/web) ----

const localEngine = typeof LocalEngine === 'undefined' ? null : new LocalEngine();

/**
 * Answers a message of docs/reference/playground-protocol.md. `signal` ends what the message started; then the answer is an
 * error like any other, whose message is empty.
 */
async function ask(message, signal) {
  const failed = (text) => ({error: {message: text, line: 0}});
  const text = JSON.stringify(message), body = new Blob([text]);
  if (body.size > 256 << 10) return failed('the shader is too large: with its inputs it may have at most 256 KiB; make it smaller');
  if (localEngine) {
    try {
      return JSON.parse(await localEngine.answer(text, signal));
    } catch (error) {
      return failed(error.message);
    }
  }
  try {
    const headers = {'Content-Type': 'application/json'};
    const response = await fetch('ask', {method: 'POST', headers, body, signal});
    return response.ok ? await response.json() : failed(await response.text());
  } catch {
    return failed(signal?.aborted ? '' : 'the server does not answer: start lockstep serve again');
  }
}

