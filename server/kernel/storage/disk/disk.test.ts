import { mkdtemp, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../log'
import { newObjectKey } from '../key'
import { openStorage } from '../open'
import { describeStorage, from } from '../testing/contract'
import { createDiskStorage } from './disk'

const log = createLog('silent')

describeStorage(
  'disk',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'guildhall-objects-'))
    return {
      storage: createDiskStorage(directory, log),
      async listAll() {
        const entries = await readdir(directory, { recursive: true, withFileTypes: true })
        return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
      },
      close: () => rm(directory, { recursive: true }),
    }
  },
  { partBytes: 100_000 },
)

it('disk storage lets two processes assemble the same object from its parts at the same time', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-objects-'))
  for (let round = 0; round < 20; round++) {
    const key = newObjectKey()
    const [one, two] = [createDiskStorage(directory, log), createDiskStorage(directory, log)]
    const bytes = Buffer.alloc(100, round)
    for (let part = 0; part < 20; part++) await one.putPart(key, part, from(bytes), { isNew: true })
    const parts = [{ part: 7, size: bytes.length }]
    await Promise.all([one, two, one].map(storage => storage.compose(key, parts)))
    expect(Buffer.concat(await (await two.get(key)).toArray()).equals(bytes)).toBe(true)
  }
  await rm(directory, { recursive: true })
})

it('disk storage treats a part that was truncated by a power failure as missing', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-objects-'))
  const storage = createDiskStorage(directory, log)
  const key = newObjectKey()
  const size = await storage.putPart(key, 0, from(Buffer.from('whole')), { isNew: true })
  await truncate(join(directory, 'parts', key, '0'), 3)
  const composing = createDiskStorage(directory, log).compose(key, [{ part: 0, size }])
  await expect(composing).rejects.toMatchObject({ kind: 'notFound' })
  expect(await storage.size(key)).toBeUndefined()
  await rm(directory, { recursive: true })
})

it('disk storage does not list what is behind a link, because that belongs to something else', async () => {
  const home = await mkdtemp(join(tmpdir(), 'guildhall-objects-'))
  const [own, other] = [join(home, 'own'), join(home, 'other')]
  const key = newObjectKey()
  await createDiskStorage(other, log).put(key, from(Buffer.from('theirs')))
  const storage = createDiskStorage(own, log)
  await storage.prepare()
  await symlink(join(other, key.slice(0, 2)), join(own, key.slice(0, 2)))
  for await (const { key } of storage.list()) expect.fail(`${key} is listed`)
  await rm(home, { recursive: true })
})

describe('the object directory', () => {
  it('is created by prepare and not before, and is accessible only to its owner, like the objects', async () => {
    const home = await mkdtemp(join(tmpdir(), 'guildhall-objects-'))
    const directory = join(home, 'a', 'b')
    const storage = await openStorage({ kind: 'disk', directory }, log)
    expect(await readdir(home)).toEqual([])
    await storage.prepare()
    expect(await readdir(directory)).toEqual([])
    const key = newObjectKey()
    await storage.put(key, from(Buffer.from('bytes')))
    const path = join(directory, key.slice(0, 2), key)
    const modes = await Promise.all([directory, path].map(async each => (await stat(each)).mode & 0o777))
    expect(modes).toEqual([0o700, 0o600])
    await rm(home, { recursive: true })
  })

  it('causes an error in prepare that names the variable if it is not writable', async () => {
    const home = await mkdtemp(join(tmpdir(), 'guildhall-objects-'))
    await writeFile(join(home, 'file'), '')
    const storage = await openStorage({ kind: 'disk', directory: join(home, 'file', 'x') }, log)
    await expect(storage.prepare()).rejects.toThrow(
      /^GUILDHALL_STORAGE_DIR: the directory is not writable: ENOTDIR/,
    )
    await rm(home, { recursive: true })
  })

  it('is reported as unavailable if it disappears, so that its objects do not appear to be missing', async () => {
    const home = await mkdtemp(join(tmpdir(), 'guildhall-objects-'))
    const lines: Record<string, unknown>[] = []
    const loud = createLog('debug', { write: line => void lines.push(JSON.parse(line)) })
    await writeFile(join(home, 'file'), '')
    const storage = createDiskStorage(join(home, 'file'), loud)
    const away = { kind: 'unavailable', message: 'the storage cannot be reached right now' }
    await expect(storage.put(newObjectKey(), from())).rejects.toMatchObject(away)
    await expect(storage.get(newObjectKey())).rejects.toMatchObject(away)
    expect(lines[0]).toMatchObject({ level: 'error', reason: expect.stringContaining('ENOTDIR') })
    await rm(home, { recursive: true })
  })
})
