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
 * Makes this process the only one that uses a directory; a dead owner's claim falls to the next that asks.
 *
 * Each contender listens under a name of its own before it looks at the others. So of two that start at once
 * the later sees the earlier, and removing a dead socket can never remove a live one.
 * @throws {DirectoryInUseError} with the owner's process id when another process holds the directory or is taking it.
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

// Returns when the other is gone. Of two contenders the one whose name sorts first waits and the other gives
// up; the one who waits may still learn that the other had finished looking before it came.
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

/** Another process has the directory open, or this one has it open already. */
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
