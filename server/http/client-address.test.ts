import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { parseNetworks } from '@/server/kernel/ip-address'
import { clientAddress } from './client-address'

const proxies = parseNetworks('10.0.0.0/8')
const isTrusted = 'match' in proxies ? proxies.match : () => false

it.each([
  ['203.0.113.5', '10.9.9.9', '203.0.113.5'],
  ['10.9.9.9', '203.0.113.5', '203.0.113.5'],
  ['10.9.9.9', '198.51.100.1, 203.0.113.5', '203.0.113.5'],
  ['10.9.9.9', '198.51.100.1,\t203.0.113.5 ,\t10.1.1.1', '203.0.113.5'],
  ['10.9.9.9', '203.0.113.5, nonsense, 10.1.1.1', '10.1.1.1'],
  ['::ffff:10.9.9.9', '203.0.113.5', '203.0.113.5'],
])(
  'clientAddress for a connection from %s with X-Forwarded-For "%s" returns %s',
  (remoteAddress, forwarded, client) => {
    const request = { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }
    expect(clientAddress(request as unknown as IncomingMessage, isTrusted)).toBe(client)
  },
)
