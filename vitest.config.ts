import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { findPostgresBinaries } from './testing/programs.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const contract = ['server/api/**/contract/*.test.ts']
const hasPostgres = (await findPostgresBinaries()) !== undefined

/** What plain Next, which hands the same handlers their requests in its own way, could spoil. */
const aboutMount = [
  'server/api/rest/contract/{answers,authentication-token,database-away,form-bodies,instance,internal-error}.test.ts',
  'server/api/rest/contract/{json-bodies,keys-text,large-bodies,link,openapi,paths,path-*,repos-rename}.test.ts',
  'server/api/forms/contract/*.test.ts',
  'server/api/trpc/contract/{one-way-in,same-origin,sessions,set-up,sign-in,viewer}.test.ts',
]

/** What the embedded database, with its one connection and its own collation, could spoil where a server does not. */
const aboutEngine = [
  'server/api/git/contract/{concurrent-push,recovery}.test.ts',
  'server/api/rest/contract/{*-at-once,*-list,*-search,deleted-meanwhile,failed-passwords,generated-calls}.test.ts',
  'server/api/rest/contract/{hostile-input,keys-*,orgs-members,pagination,repos-create,repos-edit,teams-edit}.test.ts',
  'server/api/trpc/contract/{departures,save-forms,sessions,set-up,teams,token-expiry}.test.ts',
]
const journeys = ['e2e/**/*.test.ts']

const shared = {
  resolve: { alias: { '@': root } },
  test: { pool: 'forks' as const, testTimeout: 30_000, hookTimeout: 60_000 },
}

const overMount = (name: string, include: string[], env: Record<string, string>, extra = {}) => ({
  ...shared,
  // Files of one worker share what they import: every test has a site or people of its own anyway.
  test: { ...shared.test, name, env, include, isolate: false, ...extra },
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
      // Everything runs on a server where there is one: it is the quicker, and what most people run.
      overMount('contract: front door', hasPostgres ? aboutEngine : contract, {
        GUILDHALL_TEST_MOUNT: 'front-door',
      }),
      overMount('contract: plain Next', aboutMount, { GUILDHALL_TEST_MOUNT: 'next', NODE_ENV: 'production' }),
      ...(hasPostgres
        ? [
            overMount(
              'contract: PostgreSQL',
              contract,
              { GUILDHALL_TEST_MOUNT: 'front-door' },
              { globalSetup: 'db/testing/provide-postgres.ts', setupFiles: 'db/testing/use-postgres.ts' },
            ),
          ]
        : []),
      { ...shared, test: { ...shared.test, name: 'journeys', include: journeys, testTimeout: 120_000 } },
    ],
  },
})
