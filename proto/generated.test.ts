import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const here = import.meta.dirname
const programs = join(here, '../node_modules/.bin')
const folder = mkdtemp(join(tmpdir(), 'guildhall-proto-'))
afterAll(async () => rm(await folder, { recursive: true }))

const buf = (...options: string[]) =>
  promisify(execFile)(join(programs, 'buf'), options, {
    cwd: here,
    env: { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` },
  })

it('the messages of remote procedures follow the style of buf', async () => {
  await buf('lint')
  await buf('format', '--exit-code')
})

it('the code of the messages is what `npm run generate` makes of them', async () => {
  const fresh = await folder
  await buf('generate', '--output', fresh)
  expect(await filesIn(join(fresh, 'gen'))).toEqual(await filesIn(join(here, 'gen')))
})

async function filesIn(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const read = files.map(async file => [file.slice(path.length), await readFile(file, 'utf8')] as const)
  return Object.fromEntries(await Promise.all(read))
}
