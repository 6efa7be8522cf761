import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { z } from 'zod'
import { openDatabase } from '@/db/client'
import { withSocketPath } from '@/server/kernel/unix-socket'
import type { LiveSite } from '../live'
import { BegunCopy, messagesFrom, type Request, Response, send, socketName } from './protocol'

export interface RemoteSite {
  live: LiveSite
  close(): void
}

/**
 * Connects to the server that uses the embedded database in this data directory; undefined if none is running.
 */
export async function connectToSite(dataDir: string): Promise<RemoteSite | undefined> {
  const socket = await open(dataDir)
  if (!socket) return undefined
  const responses = messagesFrom(socket)
  const lost = new AbortController()
  socket.once('close', () => lost.abort(new Error('the server ended the backup, or was stopped')))
  async function call<T>(request: Request, result: z.ZodType<T>): Promise<T> {
    await send(socket as Socket, request)
    const { value, done } = await responses.next()
    if (done) throw lost.signal.reason ?? new Error('the server did not respond')
    const response = Response.parse(value)
    if ('failure' in response) throw new Error(response.failure)
    return result.parse(response.result)
  }
  const live: LiveSite = {
    async begin() {
      const { startedAt, dataDir: copy } = await call({ call: 'begin' }, BegunCopy)
      const { db, close } = await openDatabase({ dataDir: copy, migrate: false })
      return { startedAt, db, close, lost: lost.signal }
    },
    pushesSince: (since, afterId) => call({ call: 'pushesSince', since, afterId }, z.array(LivePush)),
    recordedAmong: keys => call({ call: 'recordedAmong', keys: [...keys] }, z.array(z.string())),
    requireHold: async () => void (await call({ call: 'requireHold' }, z.null())),
    end: async result => void (await call({ call: 'end', result }, z.null())),
  }
  return { live, close: () => socket.destroy() }
}

const LivePush = z.object({ id: z.int(), repositoryId: z.int(), ref: z.string(), before: z.string() })

async function open(dataDir: string): Promise<Socket | undefined> {
  return await withSocketPath(dataDir, socketName, async path => {
    const socket = connect(path)
    try {
      await once(socket, 'connect')
      socket.on('error', () => socket.destroy())
      return socket
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
      throw error
    }
  })
}
