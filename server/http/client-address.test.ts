import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { parseNetworks } from '@/server/kernel/ip-address'
import { createClients } from './client-address'

const proxies = parseNetworks('10.0.0.0/8')
const isTrusted = 'match' in proxies ? proxies.match : () => false

/** Returns a request over a connection, which is a new one by default. */
const requestOf = (forwarded: string | undefined, socket: object): IncomingMessage =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket }) as unknown as IncomingMessage

it.each([
  ['203.0.113.5', '10.9.9.9', '203.0.113.5', false],
  ['10.9.9.9', '203.0.113.5', '203.0.113.5', true],
  ['10.9.9.9', '198.51.100.1, 203.0.113.5', '203.0.113.5', true],
  ['10.9.9.9', '198.51.100.1,\t203.0.113.5 ,\t10.1.1.1', '203.0.113.5', true],
  ['10.9.9.9', '203.0.113.5, nonsense, 10.1.1.1', '10.1.1.1', true],
  ['::ffff:10.9.9.9', '203.0.113.5', '203.0.113.5', true],
  ['10.9.9.9', undefined, '10.9.9.9', true],
])(
  'the client of a connection from %s with X-Forwarded-For "%s" has the address %s',
  (remoteAddress, forwarded, client, behindTrustedProxy) => {
    const clientOf = createClients(isTrusted)
    const expected = { remoteAddress: client, behindTrustedProxy }
    for (let time = 0; time < 2; time++)
      expect(clientOf(requestOf(forwarded, { remoteAddress }))).toEqual(expected)
  },
)

it('each request of a connection has the client that its own X-Forwarded-For header names', () => {
  const clientOf = createClients(isTrusted)
  const [proxy, other, direct] = ['10.9.9.9', '10.1.1.1', '203.0.113.5'].map(remoteAddress => ({
    remoteAddress,
  }))
  const addresses = [
    clientOf(requestOf('198.51.100.1', proxy as object)),
    clientOf(requestOf('198.51.100.2', proxy as object)),
    clientOf(requestOf(undefined, proxy as object)),
    clientOf(requestOf('nonsense', other as object)),
    clientOf(requestOf('nonsense', proxy as object)),
    clientOf(requestOf('198.51.100.1', direct as object)),
  ].map(client => client.remoteAddress)
  expect(addresses).toEqual([
    '198.51.100.1',
    '198.51.100.2',
    '10.9.9.9',
    '10.1.1.1',
    '10.9.9.9',
    '203.0.113.5',
  ])
})
