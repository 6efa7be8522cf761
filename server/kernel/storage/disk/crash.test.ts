import { access, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { compileScript, type Script } from '@/db/testing/child-process'
import { openTestDatabase } from '@/db/testing/test-database'
import { series } from '@/testing/series'
import { createLog } from '../../log'
import { newObjectKey } from '../key'
import { sweepObjects } from '../sweep'
import { bytesOf, digest } from '../testing/contract'
import { reserveObject } from '../unused'
import { createDiskStorage } from './disk'

const kills = series(12, 20)
const concurrency = 4
const objectBytes = 64 * 65_536
const log = createLog('silent')

// Stores objects one after another. The keys are arguments, and each is printed when its object is stored.
const program = `
import { createDiskStorage } from '@/server/kernel/storage/disk/disk'
import { createLog } from '@/server/kernel/log'
const [directory, ...keys] = process.argv.slice(2)
const storage = createDiskStorage(directory, createLog('silent'))
async function* bytes(key) {
  const chunk = Buffer.alloc(65536, key)
  for (let sent = 0; sent < 64; sent++) { yield chunk; await new Promise(setImmediate) }
}
console.log('begun')
for (const [index, key] of keys.entries()) {
  if (index % 2 === 0) await storage.put(key, bytes(key))
  else {
    for (const part of [0, 1]) await storage.putPart(key, part, bytes(key))
    await storage.compose(key, [{ part: 0 }, { part: 1 }])
  }
  console.log(key)
}
`

let script: Script
let directory: string
let database: OpenDatabase
beforeAll(async () => {
  script = await compileScript(program)
  directory = await mkdtemp(join(tmpdir(), 'guildhall-crash-'))
  database = await openTestDatabase()
})
afterAll(async () => {
  await script.remove()
  await rm(directory, { recursive: true })
  await database.close()
})

const storageOf = () => createDiskStorage(directory, log)

/**
 * Kills a process in the middle of a put, checks the remains, and returns whether anything was unfinished.
 */
async function kill(): Promise<boolean> {
  const keys = Array.from({ length: 20 }, newObjectKey)
  await Promise.all(keys.map(key => reserveObject(database.db, key, new Date(0))))
  const child = script.start([directory, ...keys])
  expect(await child.line()).toBe('begun')
  await sleep(10 + Math.random() * 100)
  child.process.kill('SIGKILL')
  const stored = new Set<string>()
  for (let line = await child.line(); line !== undefined; line = await child.line()) stored.add(line)
  const storage = storageOf()
  for (const [index, key] of keys.entries()) {
    const size = await storage.size(key)
    // The interrupted object is either complete or invisible.
    if (size === undefined) expect(stored.has(key)).toBe(false)
    else expect(size).toBe(index % 2 === 0 ? objectBytes : 2 * objectBytes)
  }
  for (const key of [...stored].slice(-2)) {
    const bytes = await bytesOf(await storage.get(key))
    expect(digest(bytes)).toEqual(digest(Buffer.alloc(bytes.length, key)))
  }
  // Checked by name, because other processes still rename and remove entries that a listing would walk
  // through.
  const paths = keys.flatMap(key => [join(key.slice(0, 2), `${key}.partial`), join('parts', key)])
  return (await Promise.all(paths.map(file => exists(join(directory, file))))).some(Boolean)
}

it(`a disk storage survives ${kills} kills in the middle of a put: partial objects stay invisible, acknowledged ones are complete, and the sweep removes the rest`, {
  tags: 'series',
  timeout: 90_000,
}, async () => {
  let unfinished = 0
  for (let round = 0; round < kills / concurrency; round++) {
    const left = await Promise.all(Array.from({ length: concurrency }, kill))
    unfinished += left.filter(Boolean).length
    await sweepObjects({ db: database.db, storage: storageOf(), clock: { now: () => new Date() } })
    expect(await filesIn(directory)).toEqual([])
  }
  expect(unfinished).toBeGreaterThan(kills / 4)
})

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}
