import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

// Below those that systems give by themselves to connections and to whoever asks for any: a server takes its port only
// seconds after it was found free, and takes the same one when it starts again.
const [lowest, highest] = [20_000, 32_000]

/** A port of loopback that nobody listens on at this time, and that nobody is given who does not ask for it. */
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

/** Whether somebody listens on this port of loopback. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return await once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}
