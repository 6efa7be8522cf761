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

it("listenAt names the setting of an address that does not exist or is not the machine's, and of a port in use", async () => {
  await expect(at('no-such-host.invalid')).rejects.toThrow(
    /^HOST: cannot listen on this address: getaddrinfo /,
  )
  await expect(at('192.0.2.1')).rejects.toThrow('HOST: cannot listen on this address: listen EADDRNOTAVAIL')
  const other = await at('127.0.0.1')
  const { port } = other.address() as AddressInfo
  await expect(at('127.0.0.1', port)).rejects.toThrow(
    `PORT: another program is already listening on port ${port};`,
  )
  other.close()
})
