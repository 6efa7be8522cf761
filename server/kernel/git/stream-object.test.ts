import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { processesOn } from '@/testing/git'
import { GitError, runGit } from './run'
import { streamObject } from './stream-object'

const mib = 1024 * 1024
const memory = { objectKib: 64 * 1024, totalKib: 512 * 1024 }

let repository = ''
beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), 'guildhall-stream-'))
  await runGit(['init', '-q', '--bare', '--', repository])
})
afterAll(() => rm(repository, { recursive: true, force: true }))

async function write(text: Buffer) {
  const sha = (await runGit(['hash-object', '-w', '--stdin'], { repository, memory, input: text })).trim()
  return { sha, type: 'blob', size: text.length }
}

it('streamObject returns the whole content of an object that is larger than the memory that Git may use for one', async () => {
  const text = randomBytes(30 * mib)
  expect((await buffer(streamObject(repository, await write(text)))).equals(text)).toBe(true)
})

it('streamObject reads ahead little while nobody reads, and ends Git when the reader goes away', async () => {
  const content = streamObject(repository, await write(randomBytes(8 * mib)))
  await once(content, 'readable')
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(content.readableLength).toBeLessThan(mib)
  expect(await processesOn(repository)).not.toEqual([])
  content.destroy()
  await expect.poll(() => processesOn(repository)).toEqual([])
})

it('streamObject fails for an object that is broken or missing', async () => {
  const header = await write(randomBytes(3 * mib))
  const file = join(repository, 'objects', header.sha.slice(0, 2), header.sha.slice(2))
  const bytes = await readFile(file)
  await chmod(file, 0o644)
  await writeFile(file, bytes.subarray(0, bytes.length / 2))
  await expect(buffer(streamObject(repository, header))).rejects.toThrow(GitError)
  await rm(file)
  await expect(buffer(streamObject(repository, header))).rejects.toThrow('bad file')
})
