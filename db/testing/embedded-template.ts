import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { openEmbedded } from '../embedded/open'
import { openSession } from '../embedded/session'
import type { OpenDatabase } from '../handle'
import { migrate } from '../migrate'
import { once } from '../once'
import { startMemoryEngine } from './memory-engine'
import { templateKey } from './template'

/**
 * Opens a migrated database in memory, unpacked from a template. Takes about half a second instead of five.
 */
export async function openEmbeddedCopy(): Promise<OpenDatabase> {
  return openSession(await startMemoryEngine(await template()))
}

/** Copies a migrated embedded database without rows to `directory`. Takes 0.2 seconds instead of five. */
export async function copyEmbeddedDirectory(directory: string): Promise<void> {
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 })
  await cp(await templateDirectory(), directory, { recursive: true, mode: constants.COPYFILE_FICLONE })
}

const prefix = `guildhall-test-${userInfo().uid}-`

const template = once(async () => {
  const file = join(tmpdir(), `${prefix}${await templateKey()}.tar`)
  const cached = await readFile(file).catch(() => undefined)
  if (cached) return new Blob([cached])

  const made = await makeTemplate()
  // Several test workers can run this concurrently: each writes its own file, and the rename publishes it
  // atomically.
  const partial = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(partial, Buffer.from(await made.arrayBuffer()), { mode: 0o600 })
  await rename(partial, file)
  await removeOutdated()
  return made
})

const templateDirectory = once(async () => {
  const directory = join(tmpdir(), `${prefix}${await templateKey()}`)
  if (await stat(directory).catch(() => undefined)) return directory

  const partial = `${directory}.${randomBytes(6).toString('hex')}`
  const { db, close } = await openEmbedded(partial)
  await migrate(db)
  await close()
  // If another worker was faster, its directory is used.
  await rename(partial, directory).catch(() => rm(partial, { recursive: true }))
  await removeOutdated()
  return directory
})

async function makeTemplate(): Promise<Blob> {
  const engine = await startMemoryEngine()
  const { db, close } = openSession(engine)
  await migrate(db)
  const dump = await engine.dump()
  await close()
  return dump
}

// Each change to a migration adds 40 MB. Templates older than a day are not in use.
async function removeOutdated(): Promise<void> {
  const yesterday = Date.now() - 24 * 60 * 60 * 1000
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const file = join(tmpdir(), name)
    const modified = await stat(file).catch(() => undefined)
    if (modified && modified.mtimeMs < yesterday) await rm(file, { force: true, recursive: true })
  }
}
