// ---- The run that the page holds, if it holds one ----

if (element('data')) load(JSON.parse(element('data').textContent));
