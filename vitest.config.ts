import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { findPostgresBinaries } from './testing/programs.mjs'
import { keepTemporaryFilesInMemory } from './testing/temporary-files.mjs'

keepTemporaryFilesInMemory()

const root = fileURLToPath(new URL('.', import.meta.url))
const contract = ['server/api/**/contract/*.test.ts']
const hasPostgres = (await findPostgresBinaries()) !== undefined

/** What plain Next, which hands the same handlers their requests in its own way, could spoil. */
const aboutMount = [
  'server/api/rest/contract/{answers,authentication-token,database-away,form-bodies,instance,internal-error}.test.ts',
  'server/api/rest/contract/{json-bodies,keys-text,large-bodies,link,openapi,paths,path-*,repos-rename}.test.ts',
  'server/api/artifact-rpc/contract/artifacts.test.ts',
  'server/api/runner-rpc/contract/transport.test.ts',
  'server/api/forms/contract/*.test.ts',
  'server/api/trpc/contract/{live,one-way-in,same-origin,sessions,set-up,sign-in,viewer}.test.ts',
]

/** What the embedded database, with its one connection and its own collation, could spoil where a server does not. */
const aboutEngine = [
  'server/api/git/contract/{concurrent-push,recovery}.test.ts',
  'server/api/rest/contract/{*-at-once,*-list,*-search,deleted-meanwhile,failed-passwords,generated-calls}.test.ts',
  'server/api/rest/contract/{hooks-{edit,places},hostile-input,keys-*,orgs-members,pagination,repos-create,repos-edit,repos-transfer,teams-edit}.test.ts',
  'server/api/trpc/contract/{departures,live,save-forms,sessions,set-up,teams,token-expiry}.test.ts',
]

/** What the embedded database could spoil under plain Next alone. */
const aboutBoth = ['server/api/trpc/contract/set-up.test.ts']

// What `npm run test:quick` leaves out.
const slow = [
  'db/backup/backup.test.ts',
  'db/embedded/{lock,open}.test.ts',
  'server/commands/commands.test.ts',
  'server/kernel/storage/disk/crash.test.ts',
  'server/**/*-at-scale.test.ts',
  'server/api/**/*-at-once.test.ts',
  'server/api/git/contract/{concurrent-push,cut-short,hostile-packs,large-push,late-push,memory-shares,recovery}.test.ts',
  'server/api/archives/contract/cut-short.test.ts',
  'server/api/artifact-rpc/contract/stock-clients.test.ts',
  'server/api/git/contract/{requests,slow-clients}.test.ts',
  'server/api/rest/contract/{failed-passwords,generated-calls,hostile-input,keys-real,random-input}.test.ts',
  'server/api/trpc/contract/departures.test.ts',
]
const skipped = process.env.GUILDHALL_TEST_QUICK ? slow : []
const journeys = ['e2e/**/*.test.ts']

// Its source maps point to files that the package lacks, of which Vite would warn in each worker.
const withoutSourceMaps = {
  name: 'without source maps',
  enforce: 'pre' as const,
  async load(id: string) {
    if (!/@actions\/workflow-parser\/.+\.js$/.test(id)) return undefined
    return { code: (await readFile(id, 'utf8')).replace(/^\/\/# sourceMappingURL=.*$/m, ''), map: null }
  },
}

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
  test: { ...shared.test, name, env, include, exclude: skipped, isolate: false, ...extra },
})

const plainNext = { GUILDHALL_TEST_MOUNT: 'next', NODE_ENV: 'production' }

export default defineConfig({
  test: {
    // Each project would compile what they share anew.
    experimental: { fsModuleCache: true },
    maxWorkers: 2,
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'unit',
          isolate: false,
          ...onPostgres,
          ...onEngine,
          include: ['{db,server,app,testing,scripts,proto}/**/*.test.ts'],
          exclude: [...contract, ...skipped, '**/node_modules/**'],
        },
      },
      // Everything runs on a server where there is one: it is the quicker, and what most people run.
      overMount(
        'contract: front door',
        hasPostgres ? aboutEngine : contract,
        {
          GUILDHALL_TEST_MOUNT: 'front-door',
          ...(hasPostgres ? { GUILDHALL_TEST_ENGINE_ALONE: '1' } : {}),
        },
        onEngine,
      ),
      overMount('contract: plain Next', aboutMount, plainNext, onPostgres),
      ...(hasPostgres
        ? [
            overMount('contract: PostgreSQL', contract, { GUILDHALL_TEST_MOUNT: 'front-door' }, onPostgres),
            // Plain Next holds its own copy of our modules, of which the embedded database must be opened once.
            overMount('contract: plain Next, embedded', aboutBoth, plainNext, onEngine),
          ]
        : []),
      {
        ...shared,
        test: { ...shared.test, name: 'journeys', include: journeys, isolate: false, testTimeout: 120_000 },
      },
    ],
  },
})
