import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { checkImports } from './check-imports.mjs'

let directory = ''

afterEach(() => rm(directory, { recursive: true, force: true }))

async function violationsIn(files: Record<string, string>): Promise<string[]> {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-imports-'))
  const all = { 'tsconfig.json': '{}', ...files }
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text)
  }
  return (await checkImports(directory)).violations
}

const one = 'export const one = 1\n'

describe('checkImports', () => {
  it('applies the rules for server modules to a folder in server/ that no rule mentions', async () => {
    const found = await violationsIn({
      'server/api/handler.ts': one,
      'server/jobs/run.ts': one,
      'server/trpc/procedure.ts': one,
      'server/users/store.ts': one,
      'server/users/index.ts': one,
      'server/new-room/verb.ts': `import { one } from '../api/handler'
        import { one as two } from '../jobs/run'
        import { one as three } from '../trpc/procedure'
        import { one as four } from '../users/store'
        import { one as five } from '../users'
        export const sum = one + two + three + four + five`,
    })
    expect(found.sort()).toEqual([
      'only-routers-import-trpc: server/new-room/verb.ts uses server/trpc/procedure.ts',
      'rooms-import-no-transport-or-job-runner: server/new-room/verb.ts uses server/api/handler.ts',
      'rooms-import-no-transport-or-job-runner: server/new-room/verb.ts uses server/jobs/run.ts',
      'rooms-import-rooms-through-index-or-schema: server/new-room/verb.ts uses server/users/store.ts',
    ])
  })

  it('does not let access and events import each other or other server modules', async () => {
    const found = await violationsIn({
      'server/users/index.ts': `export { one } from '../access'
        export { one as two } from '../events'`,
      'server/access/index.ts': `export { one } from '../events'\n`,
      'server/events/index.ts': `export { one } from './record'\n`,
      'server/events/record.ts': `export { one } from '../teams'\n`,
      'server/teams/index.ts': one,
    })
    expect(found.sort()).toEqual([
      'access-and-events-import-no-room: server/access/index.ts uses server/events/index.ts',
      'access-and-events-import-no-room: server/events/record.ts uses server/teams/index.ts',
    ])
  })

  it('does not let adapters import the HTTP server, or either of them import commands or the main entry point', async () => {
    const found = await violationsIn({
      'server/main.ts': one,
      'server/jobs/runner.ts': one,
      'server/commands/backup.ts': `export { one } from '../jobs/runner'\n`,
      'server/http/server.ts': `export { one } from '../commands/backup'
        export { one as two } from '../main'
        export { one as three } from '../jobs/runner'`,
      'server/api/handler.ts': `export { one } from '../http/server'
        export { one as two } from '../commands/backup'
        export { one as three } from '../main'`,
      'server/services.ts': `export { one } from './api/handler'\n`,
    })
    expect(found.sort()).toEqual([
      'adapters-import-no-http-server-or-command: server/api/handler.ts uses server/commands/backup.ts',
      'adapters-import-no-http-server-or-command: server/api/handler.ts uses server/http/server.ts',
      'adapters-import-no-http-server-or-command: server/api/handler.ts uses server/main.ts',
      'commands-and-services-import-no-transport-or-job-runner: server/commands/backup.ts uses server/jobs/runner.ts',
      'commands-and-services-import-no-transport-or-job-runner: server/services.ts uses server/api/handler.ts',
      'listeners-import-no-command-or-other-listener: server/http/server.ts uses server/commands/backup.ts',
      'listeners-import-no-command-or-other-listener: server/http/server.ts uses server/main.ts',
    ])
  })

  it('lets only loaders and policies import access/allowed, which marks objects as permitted for the caller', async () => {
    const found = await violationsIn({
      'server/access/allowed.ts': `${one}export type Allowed = number\n`,
      'server/access/index.ts': `export type { Allowed } from './allowed'\n`,
      'server/users/index.ts': one,
      'server/users/load.ts': `export { one } from '../access/allowed'\n`,
      'server/users/tokens/policy.ts': `export { one } from '../../access/allowed'\n`,
      'server/users/remove.ts': `export { one } from '../access/allowed'\n`,
      'server/api/handler.ts': `export { one } from '../access/allowed'\n`,
    })
    expect(found.sort()).toEqual([
      'only-loaders-say-who-is-allowed: server/api/handler.ts uses server/access/allowed.ts',
      'only-loaders-say-who-is-allowed: server/users/remove.ts uses server/access/allowed.ts',
    ])
  })

  it('lets only adapters import a new top-level folder', async () => {
    const found = await violationsIn({
      'generated/messages.ts': one,
      'server/api/rpc/handler.ts': `export { one } from '../../../generated/messages'\n`,
      'server/users/index.ts': `export { one } from '../../generated/messages'\n`,
    })
    expect(found).toEqual([
      'only-adapters-import-new-folders: server/users/index.ts uses generated/messages.ts',
    ])
  })

  it('lets only the launcher start processes, and does not let the launcher program import other server code', async () => {
    const found = await violationsIn({
      'server/kernel/launcher/messages.ts': one,
      'server/kernel/launcher/program.ts': `import { spawn } from 'node:child_process'
        import { one } from './messages'
        import { one as two } from '../log'
        export const started = [spawn, one, two]`,
      'server/kernel/log.ts': `export { fork } from 'node:child_process'\n${one}`,
      'server/users/run.ts': `import { exec } from 'child_process'\nexport const run = exec\n`,
      'server/users/later.ts': `export const later = () => import('node:child_process')\n`,
      'server/users/run.test.ts': `export { execFile } from 'node:child_process'\n`,
      'db/start.ts': `export { spawn } from 'node:child_process'\n`,
    })
    expect(found.sort()).toEqual([
      'launcher-program-knows-nothing: server/kernel/launcher/program.ts uses server/kernel/log.ts',
      'only-launcher-starts-processes: db/start.ts uses child_process',
      'only-launcher-starts-processes: server/kernel/log.ts uses child_process',
      'only-launcher-starts-processes: server/users/later.ts uses child_process',
      'only-launcher-starts-processes: server/users/run.ts uses child_process',
    ])
  })

  it('does not let production code import test helpers, or other tests import e2e', async () => {
    const found = await violationsIn({
      'testing/site.ts': one,
      'e2e/process/guildhall.ts': one,
      'server/users/index.ts': `export { one } from '../../testing/site'\n`,
      'server/users/index.test.ts': `export { one } from '../../testing/site'
        export { one as two } from '../../e2e/process/guildhall'`,
    })
    expect(found.sort()).toEqual([
      'only-end-to-end-tests-import-e2e: server/users/index.test.ts uses e2e/process/guildhall.ts',
      'product-imports-no-test-helpers: server/users/index.ts uses testing/site.ts',
    ])
  })
})
