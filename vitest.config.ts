import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readTestsPage, testFilesWith } from './scripts/tests-page.mjs'
import { findCurrentNode } from './testing/current-node.mjs'
import { aboutBoth, aboutEngine, aboutMount } from './testing/lanes.mjs'
import { findPostgresBinaries } from './testing/programs.mjs'
import { keepTemporaryFilesInMemory } from './testing/temporary-files.mjs'

keepTemporaryFilesInMemory()

const root = fileURLToPath(new URL('.', import.meta.url))
const hasPostgres = (await findPostgresBinaries()) !== undefined

// Contract tests whose results the embedded database can change and that take long: `npm run test:slow` runs them on it.
const aboutEngineAtLength = (await testFilesWith(/@module-tag embedded/)).filter(
  file => !aboutBoth.includes(file),
)

const aboutCurrentNode = await testFilesWith(/@module-tag current-node/)

const isSlow = process.env.GUILDHALL_TEST_SLOW === '1'
const { slow } = await readTestsPage()
const isContract = (file: string) => file.includes('/contract/')
const isJourney = (file: string) => file.startsWith('e2e/')
const slowUnits = slow.filter(file => /\.test\.ts$/.test(file) && !isContract(file) && !isJourney(file))
const whollySlow = isSlow ? [] : await testFilesWith(/@module-tag slow/)
const currentNode = isSlow ? await findCurrentNode() : undefined
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

// Test databases are used for seconds, so V8 does not optimize the code of the embedded engine.
const onEngine = { execArgv: ['--liftoff-only'] }

const overMount = (name: string, include: string[], env: Record<string, string>, extra = {}) => ({
  ...shared,
  // The files of a worker share their imports; each test has its own site or accounts.
  test: { ...shared.test, name, env, include, isolate: false, ...extra },
})

const onCurrentNode = (program: string) => ({
  ...shared,
  test: {
    ...shared.test,
    name: 'journeys: current Node',
    env: { GUILDHALL_TEST_NODE: program },
    include: aboutCurrentNode,
    isolate: false,
    testTimeout: 120_000,
  },
})

// Takes minutes, so that all other tests fit beside it if it starts first.
const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith('e2e/process/image.test.ts')

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLongest), ...sorted.filter(file => !isLongest(file))]
  }
}

const plainNext = { GUILDHALL_TEST_MOUNT: 'next', NODE_ENV: 'production' }

export default defineConfig({
  test: {
    // Without the cache, each project would compile shared modules again.
    experimental: { fsModuleCache: true },
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    tags: [
      { name: 'series', description: 'Short in `npm test`, and at length in `npm run test:slow`.' },
      { name: 'slow', description: 'In `npm run test:slow` alone.', skip: !isSlow },
      { name: 'embedded', description: 'In `npm run test:slow` on the embedded database, too.' },
      { name: 'current-node', description: 'In `npm run test:slow` on the recommended Node.js, too.' },
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
      // If PostgreSQL is installed, all contract tests run on it, because it is faster and the most common database.
      overMount(
        'contract: embedded',
        hasPostgres ? (isSlow ? aboutEngineAtLength : aboutEngine) : contract,
        {
          GUILDHALL_TEST_MOUNT: 'server',
          ...(hasPostgres ? { GUILDHALL_TEST_ENGINE_ALONE: '1' } : {}),
        },
        onEngine,
      ),
      ...(isSlow ? [] : [overMount('contract: plain Next', aboutMount, plainNext, onPostgres)]),
      ...(hasPostgres
        ? [overMount('contract: PostgreSQL', contract, { GUILDHALL_TEST_MOUNT: 'server' }, onPostgres)]
        : []),
      // With plain Next.js, modules are loaded twice, and the embedded database can be opened only once.
      ...(hasPostgres && isSlow
        ? [overMount('contract: plain Next, embedded', aboutBoth, plainNext, onEngine)]
        : []),
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'journeys',
          include: isSlow ? slowJourneys : ['e2e/**/*.test.ts'],
          // Loading these files would start servers that no test uses.
          exclude: whollySlow,
          isolate: false,
          testTimeout: 120_000,
        },
      },
      ...(currentNode && currentNode !== process.execPath ? [onCurrentNode(currentNode)] : []),
    ],
  },
})
