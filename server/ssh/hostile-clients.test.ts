import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import ssh2, { type Client, type ClientChannel } from 'ssh2'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { addGeneratedKey, connectSsh, generateKey, hasSsh, useSsh } from '@/testing/ssh'
import { GuardedSocket } from './guarded-socket'

const site = useSite()
const ssh = useSsh(site, { signInMs: 1500, idleMs: 1000, maxConnections: 80 })
/** A server that soon disconnects clients that do not sign in, and one that soon disconnects idle clients. */
const hasty = useSsh(site, { signInMs: 200 })
const dismissive = useSsh(site, { idleMs: 200 })

/** Private key file of a person. */
let keyFile: string
beforeAll(async () => {
  if (hasSsh) keyFile = (await addGeneratedKey(site, ssh, await makePerson(site))).file
})

async function signedIn(at = ssh): Promise<Client> {
  const client = await connectSsh(at, keyFile)
  onTestFinished(() => void client.destroy())
  return client
}

async function open({ port } = ssh): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

async function isOver(socket: Socket): Promise<boolean> {
  socket.resume()
  if (socket.closed) return true
  return await new Promise(resolve => socket.once('close', () => resolve(true)))
}

/** Expects that other clients are still served over SSH and HTTP. */
async function expectService(): Promise<void> {
  expect((await fetch(`${site.url}/api/v1/version`)).status).toBe(200)
  expect((await ssh.run(keyFile, 'git@127.0.0.1')).code).toBe(0)
}

describe.skipIf(!hasSsh)('an SSH client that is not signed in', () => {
  it.each([
    ['an endless first line', Buffer.alloc(1024 * 1024, 'a')],
    ["a server's greeting", Buffer.from('hello\r\nSSH-2.0-client\r\n')],
    ['an old protocol version', Buffer.from('SSH-1.5-client\r\n')],
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
    [
      'garbage after a valid first line',
      Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.alloc(100_000, 0xff)]),
    ],
    ['an oversized packet', Buffer.from('SSH-2.0-x\r\n\x7f\xff\xff\xff', 'latin1')],
  ])('is disconnected if it sends %s', async (_, bytes) => {
    const socket = await open()
    socket.write(bytes)
    expect(await isOver(socket)).toBe(true)
    await expectService()
  })

  it('can send its first line byte by byte', async () => {
    const socket = await open()
    const answer = once(socket, 'data')
    for (const byte of 'SSH-2.0-slow\r\n') {
      socket.write(byte)
      await delay(5)
    }
    expect(String((await answer)[0])).toMatch(/^SSH-2\.0-Guildhall_/)
    expect(socket.closed).toBe(false)
  })

  it.each([
    ['nothing', ''],
    ['half a first line', 'SSH-2.0-'],
    ['only its first line', 'SSH-2.0-x\r\n'],
  ])('is disconnected at a deadline if it sends %s and then waits', async (_, text) => {
    const socket = await open(hasty)
    socket.write(text)
    expect(await isOver(socket)).toBe(true)
  })

  it.each([
    ['a point that is not on the curve', Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)])],
    ['an empty point', Buffer.alloc(0)],
    ['a point of only zeros', Buffer.alloc(65)],
  ])('is disconnected if it sends %s in the key exchange', async (_, point) => {
    const socket = await open()
    const lists = ['ecdh-sha2-nistp256', 'ssh-ed25519', ...twice('aes256-ctr'), ...twice('hmac-sha2-256')]
    const fields = [...lists, ...twice('none'), ...twice('')].map(lengthFirst)
    socket.write('SSH-2.0-x\r\n')
    socket.write(packet(Buffer.concat([Buffer.of(20), Buffer.alloc(16), ...fields, Buffer.alloc(5)])))
    socket.write(packet(Buffer.concat([Buffer.of(30), lengthFirst(point)])))
    expect(await isOver(socket)).toBe(true)
    await expectService()
  })

  it('can offer only a limited number of keys', async () => {
    const { file } = await generateKey(ssh.directory)
    const key = await readFile(file)
    let tries = 0
    const client = connectSsh(ssh, file, {
      authHandler: (_left, _partial, next) => {
        tries++
        next({ type: 'publickey', username: 'git', key })
      },
    })
    await expect(client).rejects.toThrow()
    expect(tries).toBeGreaterThan(5)
    expect(tries).toBeLessThan(30)
  })

  it.each([
    ['requests keyboard-interactive authentication', ['keyboard-interactive']],
    ['offers a password', ['password']],
    ['sends two authentication requests without waiting', ['none', 'none']],
  ])('is disconnected, before the library handles the request, if it %s', async (_, methods) => {
    const client = new ssh2.Client()
    client.on('error', () => undefined)
    const closed = new Promise<void>(resolve => void client.once('close', () => resolve()))
    const authHandler = (): void => {
      for (const method of methods) {
        const fields = ['git', 'ssh-connection', method, '', ''].map(text => lengthFirst(text))
        send(client, Buffer.concat([Buffer.of(50), ...fields]))
      }
    }
    client.connect({ host: '127.0.0.1', port: ssh.port, username: 'git', authHandler: authHandler as never })
    await closed
    await expectService()
  })

  it('can use at most a quarter of all connections from one address, and frees them when it disconnects', async () => {
    const sockets = await Promise.all(Array.from({ length: 30 }, () => open()))
    await expect.poll(() => sockets.filter(socket => socket.closed || socket.readableEnded).length).toBe(10)
    for (const socket of sockets) socket.destroy()
    await delay(50)
    await expectService()
  })
})

describe.skipIf(!hasSsh)('an SSH client that is signed in', () => {
  const requests: [string, (client: Client) => Promise<unknown>][] = [
    ['a terminal', client => callback(done => client.shell({}, done)).then(expectNoTerminal)],
    ['a subsystem', client => callback(done => client.subsys('sftp', done))],
    ['SFTP', client => callback(done => client.sftp(done as never))],
    [
      'a forwarded connection to another host',
      client => callback(done => client.forwardOut('127.0.0.1', 1, '127.0.0.1', 80, done)),
    ],
    [
      'a forwarded connection from another host',
      client => callback(done => client.forwardIn('127.0.0.1', 0, done)),
    ],
    [
      'a forwarded Unix socket',
      client => callback(done => client.openssh_forwardOutStreamLocal('/run/x.sock', done)),
    ],
    ['X11 forwarding', client => callback(done => client.exec('true', { x11: true }, done))],
  ]
  it.each(requests)('is refused %s', async (_, ask) => {
    const client = await signedIn()
    await expect(ask(client)).rejects.toThrow()
  })

  it('is told which commands it can use if it requests another command', async () => {
    const { code, stderr } = await ssh.run(keyFile, 'git@127.0.0.1', 'cat /etc/passwd; git-upload-pack')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('Only Git commands are supported'),
    })
  })

  it('gets only a few of thousands of requested sessions, and other clients are still served', async () => {
    const client = await signedIn()
    let refused = 0
    for (let n = 0; n < 3000; n++) client.exec('git-upload-pack /a/b', error => void (error && refused++))
    await expect.poll(() => refused, { timeout: 15_000 }).toBeGreaterThan(2000)
    await expectService()
  })

  it("is disconnected if it sends more than the channel's window allows", async () => {
    const client = await signedIn()
    const channel = await callback<ClientChannel>(done => client.exec("git-receive-pack '/no/thing'", done))
    const { outgoing } = channel as unknown as { outgoing: { id: number } }
    const closed = once(client, 'close')
    const chunk = Buffer.alloc(32 * 1024)
    for (let n = 0; n < 200; n++) protocolOf(client).channelData(outgoing.id, chunk)
    await closed
    await expectService()
  })

  it('is disconnected if it exchanges keys endlessly', async () => {
    const client = await signedIn(dismissive)
    const closed = once(client, 'close')
    client.on('rekey' as never, () => protocolOf(client).rekey())
    protocolOf(client).rekey()
    await closed
  })

  it.each([0, 1])('gets no session if it accepts only packets of %i bytes', async size => {
    const client = await signedIn()
    const { session } = protocolOf(client)
    protocolOf(client).session = (id, window) => session.call(protocolOf(client), id, window, size)
    await expect(callback(done => client.exec('git-upload-pack /a/b', done))).rejects.toThrow('too small')
    await expectService()
  })

  it('receives a close message for each session that it closes, and its closed sessions are released', async () => {
    const client = await signedIn()
    const protocol = protocolOf(client)
    let closed = 0
    client.on('close', () => {
      closed = Number.NaN
    })
    const { CHANNEL_CLOSE: close } = protocol._handlers
    protocol._handlers.CHANNEL_CLOSE = (self, id) => {
      closed++
      close(self, id)
    }
    for (let id = 0; id < 500; id++) {
      protocol.session(id, 1000, 32_768)
      protocol.channelClose(id)
    }
    await expect.poll(() => closed).toBe(500)
  })

  it('is disconnected as idle if it never closes its finished session', async () => {
    const client = await signedIn(dismissive)
    protocolOf(client).channelClose = () => undefined
    const closed = once(client, 'close')
    client.exec('nothing', () => undefined)
    await closed
  })

  it('is disconnected if it does not read the responses', async () => {
    // The operating system's buffers would take megabytes before anything is left unsent.
    const unsent = vi.spyOn(GuardedSocket.prototype, 'unsentBytes', 'get').mockReturnValue(1)
    onTestFinished(() => unsent.mockRestore())
    const client = await signedIn(dismissive)
    await once(client, 'close')
    expect(unsent).toHaveBeenCalled()
  })

  it('is disconnected if it is idle', async () => {
    const client = await signedIn(dismissive)
    await once(client, 'close')
  })
})

/** Internals of the library's client, used to do what its public API does not allow. */
interface Inside {
  session(id: number, window: number, packetSize: number): void
  channelClose(id: number): void
  channelData(id: number, data: Buffer): void
  rekey(): void
  _handlers: { CHANNEL_CLOSE(self: unknown, id: number): void }
  _packetRW: { write: { allocStart: number; alloc(bytes: number): Buffer; finalize(packet: Buffer): Buffer } }
  _cipher: { encrypt(packet: Buffer): void }
}

const protocolOf = (client: Client): Inside => (client as unknown as { _protocol: Inside })._protocol

function send(client: Client, payload: Buffer): void {
  const { _packetRW, _cipher } = protocolOf(client)
  const { write } = _packetRW
  const start = write.allocStart
  const packet = write.alloc(payload.length)
  packet.set(payload, start)
  _cipher.encrypt(write.finalize(packet))
}

function lengthFirst(content: string | Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, Buffer.from(content)])
}

const twice = (text: string): string[] => [text, text]

/** Returns a packet as sent before the key exchange, in blocks of eight bytes. */
function packet(payload: Buffer): Buffer {
  const padding = 16 - ((payload.length + 5) % 8)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(1 + payload.length + padding)
  head[4] = padding
  return Buffer.concat([head, payload, Buffer.alloc(padding)])
}

function callback<T>(call: (done: (error: Error | undefined, result: T) => void) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, result) => (error ? reject(error) : resolve(result)))
  })
}

function expectNoTerminal(): never {
  throw new Error('there is a shell')
}
