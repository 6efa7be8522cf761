import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type LockLocation, lockLocation } from './lock-location'
import { announce, askSocket, unannounced } from './lock-socket'

export interface DirectoryLock {
  release(): Promise<void>
}

/**
 * Makes this process the only one that uses a directory. If the previous owner is dead, the next caller takes
 * over.
 *
 * Each contender listens on its own socket before it checks the others. So if two start concurrently, the
 * later one sees the earlier one, and removing a dead socket never removes a live one.
 * @throws {DirectoryInUseError} with the owner's process ID if another process uses the directory or is
 * acquiring the lock.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const location = await lockLocation(directory)
  const name = `${location.prefix}${process.pid}-${randomBytes(6).toString('hex')}`
  try {
    const claim = await announce(location.directory, name)
    try {
      for (const other of await othersAt(location, name)) await outlast(location, name, other, directory)
    } catch (error) {
      await claim.withdraw()
      throw error
    }
    claim.hold()
    return {
      async release() {
        await claim.withdraw()
        await location.close()
      },
    }
  } catch (error) {
    await location.close()
    throw error
  }
}

async function othersAt(location: LockLocation, own: string): Promise<string[]> {
  const names = await readdir(location.directory)
  return names.filter(name => name.startsWith(location.prefix) && name !== own)
}

// Returns once the other contender has withdrawn or died. Of two contenders, the one whose name sorts first
// waits, and the other gives up. The waiting one also gives up if the other turns out to have the lock.
async function outlast(location: LockLocation, own: string, other: string, directory: string): Promise<void> {
  const path = join(location.directory, other)
  const deadline = Date.now() + 10_000
  for (;;) {
    const answer = await askSocket(path)
    if (answer === 'gone') return rm(path, { force: true })
    if (unannounced(other)) return
    const givesUp = answer !== 'contends' || own > other || Date.now() > deadline
    if (givesUp) throw new DirectoryInUseError(directory, ownerOf(location, other))
    await delay(20)
  }
}

function ownerOf(location: LockLocation, name: string): number {
  return Number(name.slice(location.prefix.length).split('-')[0])
}

/** Thrown if another process, or this one, already has the directory open. */
export class DirectoryInUseError extends Error {
  constructor(
    readonly directory: string,
    readonly ownerPid: number,
  ) {
    const owner = ownerPid === process.pid ? `this process (${ownerPid})` : `process ${ownerPid}`
    super(`the database in ${directory} is in use by ${owner}`)
    this.name = 'DirectoryInUseError'
  }
}
