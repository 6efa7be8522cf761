import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { listenAt } from './listen-at'

async function listen(host: string, port: number) {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  return server
}

const at = (host: string, port = 0) => listenAt({ host: 'HOST', port: 'PORT' }, () => listen(host, port))

it('an address that does not exist or is not ours, and a port that is taken, are named by their variables', async () => {
  await expect(at('no-such-host.invalid')).rejects.toThrow(/^HOST: cannot listen there: getaddrinfo /)
  await expect(at('192.0.2.1')).rejects.toThrow('HOST: cannot listen there: listen EADDRNOTAVAIL')
  const other = await at('127.0.0.1')
  const { port } = other.address() as AddressInfo
  await expect(at('127.0.0.1', port)).rejects.toThrow('PORT: another program listens there already')
  other.close()
})
