// ---- How the page asks its engine: here a server ----

/**
 * Answers a message of docs/reference/playground-protocol.md. A page without a server has another function of this name. `signal`
 * ends what the message started; then the answer is an error like any other, whose message is empty.
 */
async function ask(message, signal) {
  const failed = (text) => ({error: {message: text, line: 0}});
  const body = new Blob([JSON.stringify(message)]);
  if (body.size > 256 << 10) return failed('the shader is too large: it may have 256 KiB with its inputs; make it smaller');
  try {
    const headers = {'Content-Type': 'application/json'};
    const response = await fetch('ask', {method: 'POST', headers, body, signal});
    return response.ok ? await response.json() : failed(await response.text());
  } catch {
    return failed(signal?.aborted ? '' : 'the server does not answer: start lockstep serve again');
  }
}

