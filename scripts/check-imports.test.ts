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

describe('the check of imports', () => {
  it('holds a folder of server/ that no rule names to the rules of rooms', async () => {
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

  it('keeps access and events below the rooms, and apart from each other', async () => {
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

  it('leaves a new folder beside server/ to the adapters', async () => {
    const found = await violationsIn({
      'generated/messages.ts': one,
      'server/api/rpc/handler.ts': `export { one } from '../../../generated/messages'\n`,
      'server/users/index.ts': `export { one } from '../../generated/messages'\n`,
    })
    expect(found).toEqual([
      'only-adapters-import-new-folders: server/users/index.ts uses generated/messages.ts',
    ])
  })

  it('keeps helpers of tests out of the product, and e2e out of other tests', async () => {
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
