import { rename, rm } from 'node:fs/promises'
import net from 'node:net'
import { join } from 'node:path'

export interface Claim {
  /** Makes the socket respond that the directory is in use from now on. */
  hold(): void
  withdraw(): Promise<void>
}

export type Answer = 'gone' | 'contends' | 'holds'

const suffix = '.new'

/** Returns true for the name of a socket whose claim has not been announced yet. */
export const unannounced = (name: string): boolean => name.endsWith(suffix)

/**
 * Starts a socket that responds for a claim. Once this function returns, every other process sees the claim.
 */
export async function announce(directory: string, name: string, attempts = 5): Promise<Claim> {
  const path = join(directory, name)
  let answer: Answer = 'contends'
  const server = net.createServer(peer => {
    peer.on('error', () => {})
    peer.end(answer)
  })
  await listen(server, path + suffix)
  // A bound socket refuses connections until it listens, so another process could delete it as dead.
  // Therefore it gets its final name only now; if it was deleted, this function starts again.
  try {
    await rename(path + suffix, path)
  } catch (error) {
    server.close()
    if (attempts > 1) return announce(directory, name, attempts - 1)
    throw error
  }
  server.unref()
  return {
    hold() {
      answer = 'holds'
    },
    async withdraw() {
      await rm(path, { force: true })
      server.close()
    },
  }
}

/**
 * Reads the state of a claim from its socket. An owner that is too busy to respond within a second counts as
 * alive.
 */
export async function askSocket(path: string): Promise<Answer> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const answer = await askOnce(path)
    if (answer !== 'closing') return answer
  }
  return 'holds'
}

function askOnce(path: string): Promise<Answer | 'closing'> {
  return new Promise(resolve => {
    const socket = net.connect(path)
    let heard = ''
    socket.setEncoding('utf8')
    socket.on('data', text => {
      heard += text
    })
    socket.on('end', () => resolve(heard === 'contends' || heard === 'holds' ? heard : 'closing'))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(meaningOf(error.code)))
    socket.setTimeout(1000, () => {
      socket.destroy()
      resolve('holds')
    })
  })
}

// If the socket cannot be reached for another reason, such as missing permission, its owner must count as
// alive.
function meaningOf(code: string | undefined): Answer | 'closing' {
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'gone'
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'closing' : 'holds'
}

function listen(server: net.Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
