import { connect, type Socket } from 'node:net'

/**
 * Opens a Unix socket connection to the launcher process, which uses it as a file descriptor of a command.
 */
export function openConnection(
  path: string,
  id: number,
  descriptor: number,
  onError: (error: NodeJS.ErrnoException) => void,
): Socket {
  const socket = connect({ path, allowHalfOpen: true })
  socket.on('error', error => {
    socket.destroy()
    onError(error)
  })
  socket.write(`${id} ${descriptor}\n`)
  return socket
}

/** Reads the process ID from the first line that a command prints; undefined if the command did not start. */
export function readPid(socket: Socket): Promise<number | undefined> {
  return new Promise(resolve => {
    let line = ''
    const read = (): void => {
      for (let chunk = socket.read() as Buffer | null; chunk; chunk = socket.read()) {
        const end = chunk.indexOf('\n')
        line += chunk.toString('latin1', 0, end < 0 ? undefined : end)
        if (end < 0) continue
        socket.off('readable', read).off('close', none).off('end', none)
        if (end + 1 < chunk.length) socket.unshift(chunk.subarray(end + 1))
        resolve(Number(line))
        return
      }
    }
    const none = (): void => resolve(undefined)
    socket.on('readable', read).once('close', none).once('end', none)
  })
}
