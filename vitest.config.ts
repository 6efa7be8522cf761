import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { readTestsPage, testFilesWith } from './scripts/tests-page.mjs'
import { aboutBoth, aboutEngine, aboutMount } from './testing/lanes.mjs'
import { findPostgresBinaries } from './testing/programs.mjs'
import { keepTemporaryFilesInMemory } from './testing/temporary-files.mjs'

keepTemporaryFilesInMemory()

const root = fileURLToPath(new URL('.', import.meta.url))
const hasPostgres = (await findPostgresBinaries()) !== undefined

// What the embedded database could spoil, and takes long: files with the tag `embedded`, which `npm run test:slow` runs whole.
const aboutEngineAtLength = (await testFilesWith(/@module-tag embedded/)).filter(
  file => !aboutBoth.includes(file),
)

const isSlow = process.env.GUILDHALL_TEST_SLOW === '1'
const { slow } = await readTestsPage()
const isContract = (file: string) => file.includes('/contract/')
const isJourney = (file: string) => file.startsWith('e2e/')
const slowUnits = slow.filter(file => /\.test\.ts$/.test(file) && !isContract(file) && !isJourney(file))
const whollySlow = isSlow ? [] : await testFilesWith(/@module-tag slow/)
const slowJourneys = slow.filter(file => /\.test\.ts$/.test(file) && isJourney(file))

// Its source maps point to files that the package lacks, of which Vite would warn in each worker.
const withoutSourceMaps = {
  name: 'without source maps',
  enforce: 'pre' as const,
  async load(id: string) {
    if (!/@actions\/workflow-parser\/.+\.js$/.test(id)) return undefined
    return { code: (await readFile(id, 'utf8')).replace(/^\/\/# sourceMappingURL=.*$/m, ''), map: null }
  },
}

const everyContract = ['server/api/**/contract/*.test.ts']
const contract = isSlow ? slow.filter(isContract) : everyContract

const shared = {
  plugins: [withoutSourceMaps],
  resolve: { alias: { '@': root } },
  test: {
    pool: 'forks' as const,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // It imports JSON in a way that Node refuses.
    server: { deps: { inline: [/@actions\/workflow-parser/] } },
    globalSetup: ['scripts/compile-parts.mjs'],
  },
}

// One server for all projects; every file has a database of its own on it.
const onPostgres = hasPostgres
  ? {
      globalSetup: ['scripts/compile-parts.mjs', 'db/testing/provide-postgres.ts'],
      setupFiles: 'db/testing/use-postgres.ts',
    }
  : {}

// Most databases of tests live for seconds: V8 compiles the engine once, not again for speed.
const onEngine = { execArgv: ['--liftoff-only'] }

const overMount = (name: string, include: string[], env: Record<string, string>, extra = {}) => ({
  ...shared,
  // Files of one worker share what they import: every test has a site or people of its own anyway.
  test: { ...shared.test, name, env, include, isolate: false, ...extra },
})

const plainNext = { GUILDHALL_TEST_MOUNT: 'next', NODE_ENV: 'production' }

export default defineConfig({
  test: {
    // Each project would compile what they share anew.
    experimental: { fsModuleCache: true },
    maxWorkers: 2,
    tags: [
      { name: 'series', description: 'Short in `npm test`, and at length in `npm run test:slow`.' },
      { name: 'slow', description: 'In `npm run test:slow` alone.', skip: !isSlow },
      { name: 'embedded', description: 'In `npm run test:slow` on the embedded database, too.' },
    ],
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'unit',
          isolate: false,
          ...onPostgres,
          ...onEngine,
          include: isSlow ? slowUnits : ['{db,server,app,testing,scripts,proto}/**/*.test.ts'],
          exclude: [...everyContract, '**/node_modules/**'],
        },
      },
      // Everything runs on a server where there is one: it is the quicker, and what most people run.
      overMount(
        'contract: front door',
        hasPostgres ? (isSlow ? aboutEngineAtLength : aboutEngine) : contract,
        {
          GUILDHALL_TEST_MOUNT: 'front-door',
          ...(hasPostgres ? { GUILDHALL_TEST_ENGINE_ALONE: '1' } : {}),
        },
        onEngine,
      ),
      ...(isSlow ? [] : [overMount('contract: plain Next', aboutMount, plainNext, onPostgres)]),
      ...(hasPostgres
        ? [overMount('contract: PostgreSQL', contract, { GUILDHALL_TEST_MOUNT: 'front-door' }, onPostgres)]
        : []),
      // Plain Next holds its own copy of our modules, of which the embedded database must be opened once.
      ...(hasPostgres && isSlow
        ? [overMount('contract: plain Next, embedded', aboutBoth, plainNext, onEngine)]
        : []),
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'journeys',
          include: isSlow ? slowJourneys : ['e2e/**/*.test.ts'],
          // What they start as they are read would be for nothing.
          exclude: whollySlow,
          isolate: false,
          testTimeout: 120_000,
        },
      },
    ],
  },
})
