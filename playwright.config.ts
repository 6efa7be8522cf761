import { defineConfig } from '@playwright/test'
import { readTestsPage } from './scripts/tests-page.mjs'
import { findChromium } from './testing/programs.mjs'
import { isSlow } from './testing/series'
import { keepTemporaryFilesInMemory } from './testing/temporary-files.mjs'

keepTemporaryFilesInMemory()
const { slow } = await readTestsPage()
const executablePath = await findChromium()

export default defineConfig({
  testDir: 'e2e/ui',
  globalSetup: './e2e/ui/provide-postgres.ts',
  ...(isSlow
    ? { testMatch: slow.map(file => `**/${file}`), grep: /@series|@slow/ }
    : { grepInvert: /@slow/ }),
  outputDir: 'test-results',
  timeout: 60_000,
  // No test is about speed, and what a busy machine draws late is there all the same.
  expect: { timeout: 15_000 },
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'dist/browser.json' }]],
  use: {
    // A trace costs an eighth of the time of every test; `--trace retain-on-failure` takes it for once.
    trace: 'off',
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath,
      // The browser's own background traffic has no place in a test, and root has no sandbox.
      args: [
        '--no-sandbox',
        // Pages live for seconds: what is compiled for speed is seldom run often enough to be worth it.
        '--js-flags=--no-opt',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
