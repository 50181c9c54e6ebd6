'use strict';
// usage: node drive.js FOLDER ADDRESS [PART...]: the folder holds broken.html, compared.html, explored.html, findings.html, long.html and
// wide.html, and gets screenshots; at the address is `lockstep serve`.
const { chromium } = require('playwright-core');

const only = process.argv.slice(4);
const options = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
                 '--disable-component-update', '--disable-sync'];
const parts = {...require('./files.js'), ...require('./live.js'), ...require('./safety.js'), ...require('./views.js')};

(async () => {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: options });
  // Tests share their processors with others.
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async (...how) => {
    const page = await newPage(...how);
    page.setDefaultTimeout(120000);
    return page;
  };
  try {
    for (const part of Object.values(parts)) {
      if (only.length && !only.includes(part.name)) continue;
      await part(browser);
      console.log(`${part.name}: passed`);
    }
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await browser.close();
  }
})();
