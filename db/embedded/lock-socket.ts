import { rename, rm } from 'node:fs/promises'
import net from 'node:net'
import { join } from 'node:path'

export interface Claim {
  /** From now on the socket answers that the directory is held. */
  hold(): void
  withdraw(): Promise<void>
}

export type Answer = 'gone' | 'contends' | 'holds'

const suffix = '.new'

/** True for the name of a socket that does not stand for a claim yet. */
export const unannounced = (name: string): boolean => name.endsWith(suffix)

/** Starts to answer for a claim; once this returns, everyone who looks sees it. */
export async function announce(directory: string, name: string, attempts = 5): Promise<Claim> {
  const path = join(directory, name)
  let answer: Answer = 'contends'
  const server = net.createServer(peer => {
    peer.on('error', () => {})
    peer.end(answer)
  })
  await listen(server, path + suffix)
  // A bound socket refuses connections until it listens, and may be cleared away as dead in that instant;
  // so it gets its name only now, and starts anew when it is not there anymore.
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

/** Asks who listens; an owner too busy to answer within a second counts as alive. */
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

// What cannot be asked for another reason, such as missing permission, must be taken for alive.
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
