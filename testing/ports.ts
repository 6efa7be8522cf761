import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

// The ports are below the range from which operating systems assign ports on their own. A server opens its
// port seconds after it was found free, and reuses it when it restarts, so no other process should get it in
// between.
const [lowest, highest] = [20_000, 32_000]

/**
 * Returns a port of the loopback interface that no process listens on, outside of the range from which
 * operating systems assign ports.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(lowest, highest)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return await freePort()
  server.close()
  await once(server, 'close')
  return port
}

/** Returns whether a process listens on this port of the loopback interface. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return await once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}
