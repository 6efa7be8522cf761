import { once } from 'node:events'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDeployKey, makeKey } from '@/db/testing/factories'
import { type GitRepository, makeGitRepository } from '@/testing/git-repository'
import { keptLog } from '@/testing/kept-log'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { converse } from './converse'
import { defaultOpenSshLimits, listenForOpenSsh, type OpenSshLimits, type OpenSshListener } from './listener'
import { createPeer, type Peer } from './peer'
import type { Request } from './wire'

const { log, text: logged } = keptLog()
const site = useSite({}, log)
let directory: string
let path: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-openssh-'))
  path = join(directory, 'ssh.sock')
})
afterEach(() => rm(directory, { recursive: true, force: true }))

async function listen(limits: Partial<OpenSshLimits> = {}): Promise<OpenSshListener & AsyncDisposable> {
  const listener = await listenForOpenSsh(site.services, path, { ...defaultOpenSshLimits, ...limits })
  return { ...listener, [Symbol.asyncDispose]: () => listener.stop(0) }
}

/** Sends a request as the commands run by OpenSSH do. */
async function ask(request: Request, input: Readable = Readable.from([])) {
  const [output, messages] = [new PassThrough(), new PassThrough()]
  const said = Promise.all([text(output), text(messages)])
  const code = await converse(path, request, { input, output, messages })
  output.end()
  messages.end()
  const [stdout, stderr] = await said
  return { code, stdout, stderr }
}

function askFor({ content }: { content: string }) {
  const [type = '', blob = ''] = content.split(' ')
  return ask({ kind: 'key', type, blob })
}

const shell = (key: number, more: { command?: string; address?: string } = {}) =>
  ask({ kind: 'command', key, protocol: '', address: '192.0.2.7', ...more })

describe('the OpenSSH socket', () => {
  it("is accessible only to the process's user from the start, and is removed when the listener stops", async () => {
    const before = process.umask(0)
    try {
      await using listener = await listen()
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      await listener.stop(0)
      await expect(stat(path)).rejects.toThrow('ENOENT')
    } finally {
      process.umask(before)
    }
  })

  it('is refused if another process listens on it', async () => {
    await using _ = await listen()
    await expect(listen()).rejects.toThrow('another process is listening')
  })

  it.each([
    ['a file already exists', () => writeFile(path, '')],
    ['other users can write', () => chmod(directory, 0o777)],
    [
      'longer than 103 bytes',
      async () => {
        path = join(directory, 'x'.repeat(100))
      },
    ],
  ])('is not created if the listener fails with "%s"', async (problem, prepare) => {
    await prepare()
    await expect(listen()).rejects.toThrow(problem)
  })
})

describe('a key lookup', () => {
  it('returns the ID and the public key, without its comment', async () => {
    await using _ = await listen()
    const { account } = await makePerson(site)
    const { id, content } = await makeKey(site.db, account.id)
    await site.db
      .updateTable('public_keys')
      .set({ content: `${content} me@here` })
      .where('id', '=', id)
      .execute()
    expect(await askFor({ content })).toEqual({ code: 0, stdout: `${id} ${content}`, stderr: '' })
  })

  it.each([
    ['unknown', () => Promise.resolve({ content: 'ssh-ed25519 AAAA' })],
    [
      'expired',
      async () => makeKey(site.db, (await makePerson(site)).account.id, { expires_at: new Date(0) }),
    ],
    ['account', async () => makeKey(site.db, (await makePerson(site, { prohibit_login: true })).account.id)],
    [
      'type',
      async () => {
        const { content } = await makeKey(site.db, (await makePerson(site)).account.id)
        return { content: content.replace('ssh-ed25519', 'ssh-rsa') }
      },
    ],
  ])('returns nothing for a key refused with reason "%s", which is only logged', async (reason, make) => {
    await using _ = await listen()
    const from = logged().length
    expect(await askFor(await make())).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(logged().slice(from)).toContain(`"reason":"${reason}"`)
  })
})

/** Starts a push and returns once it is in progress. */
async function startPush(key: number, { path: repository }: GitRepository, input: Readable) {
  const [output, messages] = [new PassThrough(), new PassThrough()]
  const command = `git-receive-pack '${repository}'`
  const request = { kind: 'command' as const, key, command, protocol: '', address: '192.0.2.7' }
  const code = converse(path, request, { input, output, messages })
  code.catch(() => undefined)
  await once(output, 'readable')
  return { code, messages }
}

describe('a command that sshd forwards', () => {
  it("runs as the key's owner, and the key's last use is recorded with the client's address", async () => {
    await using _ = await listen()
    const person = await makePerson(site)
    const key = await makeKey(site.db, person.account.id)
    const { code, stderr } = await shell(key.id)
    expect(stderr).toContain(`Hi ${person.name}!`)
    expect(code).toBe(0)
    const use = () =>
      site.db
        .selectFrom('public_keys')
        .select('last_used_address')
        .where('id', '=', key.id)
        .executeTakeFirstOrThrow()
    await expect.poll(use).toEqual({ last_used_address: '192.0.2.7' })
  })

  it('is refused with a message if it is too long or its key was deleted', async () => {
    await using _ = await listen()
    const { account } = await makePerson(site)
    const { id } = await makeKey(site.db, account.id)
    expect(await shell(id, { command: 'x'.repeat(5000) })).toMatchObject({
      code: 1,
      stderr: 'Guildhall: The command is too long.\n',
    })
    await site.db.deleteFrom('public_keys').where('id', '=', id).execute()
    expect(await shell(id)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Guildhall: This key no longer grants access.\n',
    })
  })

  it('is limited in number per network and is ended when its key is deleted', async () => {
    await using _ = await listen({ maxCommands: 4, checkMs: 20 })
    const { account } = await makePerson(site)
    const repository = await makeGitRepository(site, account)
    const key = await makeDeployKey(site.db, [repository], { mode: 'write' })
    const first = await startPush(key.id, repository, new PassThrough())
    expect((await shell(key.id)).stderr).toContain('Too many commands')
    expect((await shell(key.id, { address: '198.51.100.7' })).code).toBe(0)
    await site.db.deleteFrom('deploy_keys').where('key_id', '=', key.id).execute()
    expect(await first.code).toBe(1)
    expect(first.messages.read().toString()).toBe('Guildhall: This key no longer grants access.\n')
  })

  it('can finish while the process stops, but only until the deadline', async () => {
    await using listener = await listen()
    const { account } = await makePerson(site)
    const repository = await makeGitRepository(site, account)
    const { id: key } = await makeKey(site.db, account.id)
    const slow = new PassThrough()
    const [ending, cut] = [
      await startPush(key, repository, slow),
      await startPush(key, repository, new PassThrough()),
    ]
    const stopped = listener.stop(1000)
    slow.end('0000')
    expect(await ending.code).toBe(0)
    await stopped
    await expect(cut.code).rejects.toThrow('lost')
    await expect(shell(key)).rejects.toThrow('is not running')
  })
})

describe('a connection to the OpenSSH socket', () => {
  it('is closed if it sends no request or an invalid one', async () => {
    await using _ = await listen({ requestMs: 50 })
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.from([2, 0, 0, 0, 1, 9]),
    ]) {
      const socket = connect(path)
      socket.on('error', () => undefined)
      socket.write(bytes)
      socket.resume()
      await once(socket, 'close')
    }
    expect((await ask({ kind: 'key', type: '' } as Request)).code).toBe(1)
  })

  const much = Buffer.alloc(64 * 1024, 'x')
  const total = 64 * 1024 * 1024
  // Maximum size of the buffers of both sides and the operating system.
  const little = 4 * 1024 * 1024

  async function peerOf(use: (peer: Peer) => Promise<void>): Promise<Disposable> {
    const sockets: Socket[] = []
    const server = createServer(socket => {
      sockets.push(socket)
      void use(createPeer(socket, 1000))
    }).listen(path)
    await once(server, 'listening')
    return {
      [Symbol.dispose]() {
        server.close()
        for (const socket of sockets) socket.destroy()
      },
    }
  }

  it('receives everything that was sent before it was ended, and nothing after that', async () => {
    using _ = await peerOf(async peer => {
      await peer.request
      await peer.write(much)
      peer.printLine('first')
      peer.end()
      peer.printLine('second')
      peer.exit(0)
    })
    const [output, messages] = [new PassThrough(), new PassThrough()]
    output.resume()
    expect(await converse(path, {} as Request, { output, messages })).toBe(1)
    expect(messages.read().toString()).toBe('first\n')
  })

  it('sends only as much as its client reads', async () => {
    let sent = 0
    using _ = await peerOf(async peer => {
      while (sent < total) {
        // In small pieces, many of which arrive at the same time.
        for (let at = 0; at < much.length; at += 1024) await peer.write(much.subarray(at, at + 1024))
        sent += much.length
      }
      peer.exit(7)
    })
    let takesAll = (): void => undefined
    const mayTake = new Promise<void>(resolve => {
      takesAll = resolve
    })
    let received = 0
    const output = new Writable({
      write(chunk, _encoding, done) {
        received += chunk.length
        void mayTake.then(() => done())
      },
    })
    const code = converse(path, {} as Request, { output, messages: new PassThrough() })
    await untilStill(() => sent)
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThan(little)
    expect(output.listenerCount('drain')).toBe(1)
    takesAll()
    expect(await code).toBe(7)
    expect(received).toBe(total)
  })

  it('receives only as much from its client as is read', async () => {
    let read = 0
    let begin = (): void => undefined
    const mayRead = new Promise<void>(resolve => {
      begin = resolve
    })
    using _ = await peerOf(async peer => {
      await mayRead
      for await (const chunk of peer.input) read += chunk.length
      peer.exit(0)
    })
    let sent = 0
    const input = Readable.from(
      (function* () {
        for (; sent < total; sent += much.length) yield much
      })(),
    )
    const code = converse(path, {} as Request, {
      input,
      output: new PassThrough(),
      messages: new PassThrough(),
    })
    await untilStill(() => sent)
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThan(little)
    begin()
    expect(await code).toBe(0)
    expect(read).toBe(total)
  })
})

/** Waits until a number stops growing. */
async function untilStill(value: () => number): Promise<void> {
  for (let before = -1; before !== value() || before === 0; ) {
    before = value()
    await delay(50)
  }
}
