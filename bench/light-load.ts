import { connect } from 'node:net'

interface LightLoad {
  connections: number
  seconds: number
  headers: Record<string, string>
}

/** What a load generator saw: how long each response took, and the part of a core that it used itself. */
export interface LoadResult {
  ms: number[]
  ownShare: number
}

/**
 * Requests a URL repeatedly, over connections that are kept open. It looks only for the end of each response and reads
 * into the same memory, because parsers in JavaScript take longer for a response of 15 KB than the server does.
 * @throws {Error} unless each status is 200
 */
export async function loadLightly(
  url: string,
  { connections, seconds, headers }: LightLoad,
): Promise<LoadResult> {
  const ms: number[] = []
  const before = process.cpuUsage()
  const begun = performance.now()
  const end = begun + 1000 * seconds
  await Promise.all(
    Array.from({ length: connections }, () => requestUntil(end, url, headers, took => ms.push(took))),
  )
  const { user, system } = process.cpuUsage(before)
  return { ms, ownShare: (user + system) / 1000 / (performance.now() - begun) }
}

// Of a body in chunks, whose last one can arrive alone.
const endOfChunks = '0\r\n\r\n'

function requestUntil(
  end: number,
  url: string,
  headers: Record<string, string>,
  took: (ms: number) => void,
): Promise<void> {
  const { hostname, port, host, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return new Promise((resolve, reject) => {
    let begun = 0
    let head = ''
    let last = ''
    let isFinished = false
    // Of the body; undefined while the header is read, and infinite if the body comes in chunks.
    let left: number | undefined
    const send = (): void => {
      begun = performance.now()
      head = ''
      last = ''
      left = undefined
      socket.write(request)
    }
    const take = (size: number, buffer: Uint8Array): boolean => {
      const bytes = Buffer.from(buffer.buffer, buffer.byteOffset, size)
      if (left === undefined) {
        head += bytes.toString('latin1')
        const headerEnd = head.indexOf('\r\n\r\n')
        if (headerEnd < 0) return true
        const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, headerEnd))?.[1]
        if (!head.startsWith('HTTP/1.1 200 '))
          socket.destroy(new Error(`${url}: ${head.slice(0, headerEnd)}`))
        left = length === undefined ? Infinity : Number(length) - (head.length - headerEnd - 4)
      } else left -= size
      last = (last + bytes.subarray(-endOfChunks.length).toString('latin1')).slice(-endOfChunks.length)
      const isOver = left === Infinity ? last === endOfChunks : left <= 0
      if (!isOver) return true
      const now = performance.now()
      took(now - begun)
      if (now < end) send()
      else {
        isFinished = true
        socket.destroy()
      }
      return true
    }
    const socket = connect({
      host: hostname,
      port: Number(port),
      onread: { buffer: Buffer.alloc(64 * 1024), callback: take },
    })
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () =>
      isFinished ? resolve() : reject(new Error(`${url}: the connection was closed`)),
    )
  })
}
