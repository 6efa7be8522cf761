import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { addGeneratedKey, connectSsh, hasSsh, useSsh } from '@/testing/ssh'

const burst = 5
const site = useSite()
const ssh = useSsh(site, { burst, perMinute: 1 })

/** Returns the server's first line to a client that sends its own first line immediately, as OpenSSH does. */
async function greeting(): Promise<string> {
  const socket = connect(ssh.port, '127.0.0.1').setEncoding('utf8')
  onTestFinished(() => void socket.destroy())
  socket.write(`SSH-2.0-x\r\n${'x'.repeat(2000)}`)
  const [text] = await once(socket, 'data')
  return text
}

it.skipIf(!hasSsh)(
  'SSH connections above the limit of an address are closed with a message, and other addresses are served',
  async () => {
    const { file } = await addGeneratedKey(site, ssh, await makePerson(site))
    for (let each = 0; each < burst; each++) expect(await greeting()).toMatch(/^SSH-2\.0-Guildhall_/)
    const refused = await Promise.all(Array.from({ length: 50 }, greeting))
    const words = 'Too many unauthenticated connections from your address. Try again in a minute.\r\n'
    expect(new Set(refused)).toEqual(new Set([words]))
    await expect(connectSsh(ssh, file)).rejects.toThrow()
    const shown = await ssh.run(file, '-v', 'git@127.0.0.1')
    expect([shown.code, shown.stderr]).toEqual([255, expect.stringContaining(words.trim())])
    const elsewhere = await connectSsh(ssh, file, { localAddress: '127.0.0.2' })
    elsewhere.end()
    expect((await ssh.run(file, '-b', '127.0.0.2', 'git@127.0.0.1')).code).toBe(0)
  },
)
