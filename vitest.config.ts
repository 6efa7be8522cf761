import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { findPostgresBinaries } from './db/testing/postgres-binaries'

const root = fileURLToPath(new URL('.', import.meta.url))
const contract = ['server/api/**/contract/*.test.ts']
const journeys = ['e2e/**/*.test.ts']

const shared = {
  resolve: { alias: { '@': root } },
  test: { pool: 'forks' as const, testTimeout: 30_000, hookTimeout: 60_000 },
}

const overMount = (name: string, env: Record<string, string>, extra = {}) => ({
  ...shared,
  // Files of one worker share what they import: every test has a site or people of its own anyway.
  test: { ...shared.test, name, env, include: contract, isolate: false, ...extra },
})

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'unit',
          include: ['{db,server,app,scripts}/**/*.test.ts'],
          exclude: contract,
        },
      },
      overMount('contract: front door', { GUILDHALL_TEST_MOUNT: 'front-door' }),
      overMount('contract: plain Next', { GUILDHALL_TEST_MOUNT: 'next', NODE_ENV: 'production' }),
      // A machine without PostgreSQL still proves everything on the embedded one.
      ...((await findPostgresBinaries())
        ? [
            overMount(
              'contract: PostgreSQL',
              { GUILDHALL_TEST_MOUNT: 'front-door' },
              { globalSetup: 'db/testing/provide-postgres.ts', setupFiles: 'db/testing/use-postgres.ts' },
            ),
          ]
        : []),
      { ...shared, test: { ...shared.test, name: 'journeys', include: journeys, testTimeout: 120_000 } },
    ],
  },
})
