import { randomBytes } from 'node:crypto'
import autocannon from 'autocannon'
import type { Tokens } from './seed'

export interface Figures {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  failed: number
}

export interface Target {
  url: string
  tokens: Tokens
}

const connections = 16

/** Reads a page of 30 SSH keys repeatedly, for this many seconds. */
export function readKeys(target: Target, seconds: number): Promise<Figures> {
  return shoot({ ...request(target), duration: seconds })
}

/** Adds a new SSH key with every call, for many users in turn, for this many seconds. */
export function addKeys(target: Target, seconds: number): Promise<Figures> {
  const { adders } = target.tokens
  let turn = 0
  return shoot({
    ...request(target),
    method: 'POST',
    duration: seconds,
    setupClient: client => {
      const next = () => {
        const headers = headersFor(adders[turn++ % adders.length] ?? '')
        client.setHeadersAndBody(headers, JSON.stringify(freshKey()))
      }
      next()
      client.on('response', next)
    },
  })
}

/** Sends each of these bodies to each of these paths, in turn, for this many seconds. */
export function postInTurn(
  { url, token, paths, bodies }: { url: string; token: string; paths: string[]; bodies: object[] },
  seconds: number,
): Promise<Figures> {
  let turn = 0
  const sent = bodies.map(body => JSON.stringify(body))
  const headers = headersFor(token)
  const requests = Array.from({ length: paths.length * sent.length }, (_, index) => ({
    method: 'POST' as const,
    path: paths[index % paths.length] ?? '',
    headers,
    body: sent[index % sent.length] ?? '',
  }))
  return shoot({
    url,
    connections,
    duration: seconds,
    setupClient: client => client.setRequests([...requests.slice(turn), ...requests.slice(0, turn++)]),
  })
}

/** Returns the figures of the round with the median rate. */
export function median(all: readonly Figures[]): Figures {
  const sorted = [...all].sort((a, b) => a.requestsPerSecond - b.requestsPerSecond)
  return sorted[Math.floor(sorted.length / 2)] as Figures
}

/** Returns a random title and a well-formed public SSH key without a private key. */
export function freshKey(): { title: string; key: string } {
  const name = Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20', 'latin1')
  const bytes = randomBytes(32)
  return {
    title: bytes.toString('hex').slice(0, 20),
    key: `ssh-ed25519 ${Buffer.concat([name, bytes]).toString('base64')}`,
  }
}

function request({ url, tokens }: Target): autocannon.Options {
  return { url: `${url}/api/v1/user/keys`, connections, headers: headersFor(tokens.reader) }
}

const headersFor = (token: string): Record<string, string> => ({
  authorization: `token ${token}`,
  'content-type': 'application/json',
})

/** Requests a path repeatedly, with a token or signed out, for this many seconds. */
export function readPath(url: string, seconds: number, token?: string): Promise<Figures> {
  return shoot({ url, connections, duration: seconds, headers: token ? headersFor(token) : {} })
}

async function shoot(options: autocannon.Options): Promise<Figures> {
  const result = await autocannon(options)
  return {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}
