import { defineConfig } from '@playwright/test'
import { findChromium } from './testing/programs.mjs'
import { keepTemporaryFilesInMemory } from './testing/temporary-files.mjs'

keepTemporaryFilesInMemory()
const executablePath = await findChromium()

export default defineConfig({
  testDir: 'e2e/ui',
  outputDir: 'test-results',
  timeout: 60_000,
  // No test is about speed, and what a busy machine draws late is there all the same.
  expect: { timeout: 15_000 },
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'dist/browser.json' }]],
  use: {
    // Pictures of every step would cost more than the step does; `--trace retain-on-failure` takes them for once.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath,
      // The browser's own background traffic has no place in a test, and root has no sandbox.
      args: [
        '--no-sandbox',
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
