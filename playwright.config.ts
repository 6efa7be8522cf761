import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const debianChromium = '/usr/bin/chromium'

export default defineConfig({
  testDir: 'e2e/ui',
  outputDir: 'test-results',
  timeout: 60_000,
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'dist/browser.json' }]],
  use: {
    trace: 'retain-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(existsSync(debianChromium) ? { executablePath: debianChromium } : {}),
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
