import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { OpenDatabase } from '@/db/client'
import type { SharedServices } from '@/server/kernel/ctx'
import { describeFailure } from '@/server/kernel/describe-failure'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { makeDirectory } from '@/server/kernel/fs/fsync'
import { listenPrivately, withSocketPath } from '@/server/kernel/unix-socket'
import { directSite, type LiveSite } from '../live'
import type { BackupResult } from '../store'
import { messagesFrom, Request, send, socketName } from './protocol'

type Served = Pick<SharedServices, 'db' | 'config' | 'ownLocations' | 'log'> & {
  database: Pick<OpenDatabase, 'copyFiles'>
}

const maxConnections = 8
const copyPrefix = 'copy-'

export interface BackupListener {
  /** Ends the connections, which interrupts the backups. */
  stop(): Promise<void>
}

/**
 * Lets other processes of this user back up the embedded database, over a Unix socket in the data directory.
 * While one is connected and has begun, deletions wait.
 */
export async function listenForBackups(services: Served): Promise<BackupListener> {
  const { dataDir } = services.config
  await removeCopies(dataDir)
  const open = new Map<Socket, Promise<void>>()
  const state = { isBusy: false }
  const server = createServer(socket => {
    socket.on('error', () => socket.destroy())
    open.set(
      socket,
      serve(services, socket, state).finally(() => open.delete(socket)),
    )
  })
  server.maxConnections = maxConnections
  await withSocketPath(dataDir, socketName, async path => {
    // A killed process left it behind: this one has the lock of the database.
    await rm(path, { force: true })
    await listenPrivately(server, path)
  })
  return {
    async stop() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      for (const socket of open.keys()) socket.destroy()
      await Promise.all([closed, ...open.values()])
    },
  }
}

async function serve(services: Served, socket: Socket, state: { isBusy: boolean }): Promise<void> {
  const copyDir = join(services.config.dataDir, 'backups', `${copyPrefix}${randomBytes(4).toString('hex')}`)
  let live: LiveSite | undefined
  let hasBegun = false
  const begin = async () => {
    if (state.isBusy) throw new Error('another backup is running')
    state.isBusy = hasBegun = true
    live = directSite(services, { isAlone: true })
    const { startedAt, lost } = await live.begin()
    lost.addEventListener('abort', () => socket.destroy())
    try {
      await makeDirectory(copyDir)
      await services.database.copyFiles?.(join(copyDir, 'postgres'))
    } catch (error) {
      await end({ outcome: 'failed', message: describeFailure(error) })
      throw error
    }
    return { startedAt, dataDir: copyDir }
  }
  const end = async (result: BackupResult): Promise<void> => {
    const ending = live
    live = undefined
    await ending?.end(result)
  }
  const answer = async (request: Request): Promise<unknown> => {
    const parsed = Request.parse(request)
    if (parsed.call === 'begin') return await begin()
    if (!live) throw new Error('no backup has begun')
    if (parsed.call === 'pushesSince') return await live.pushesSince(parsed.since, parsed.afterId)
    if (parsed.call === 'recordedAmong') return await live.recordedAmong(parsed.keys)
    if (parsed.call === 'requireHold') await live.requireHold()
    else await end(parsed.result)
    return null
  }
  try {
    for await (const message of messagesFrom(socket)) {
      const response = await answer(message as Request).then(
        result => ({ result }),
        (error: unknown) => ({ failure: describeFailure(error) }),
      )
      await send(socket, response)
    }
  } catch (error) {
    services.log.debug({ err: error }, 'the connection of a backup ended')
  } finally {
    socket.destroy()
    const message = 'The process that made the backup ended.'
    await end({ outcome: 'stopped', message }).catch(error => {
      services.log.warn({ err: error }, 'the end of a backup could not be recorded')
    })
    if (hasBegun) state.isBusy = false
    await rm(copyDir, { recursive: true, force: true })
  }
}

async function removeCopies(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'backups')
  for (const name of (await readdir(folder).catch(undefinedIfAbsent)) ?? []) {
    if (name.startsWith(copyPrefix)) await rm(join(folder, name), { recursive: true, force: true })
  }
}
