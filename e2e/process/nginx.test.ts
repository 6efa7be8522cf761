// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { signIn } from '@/testing/browser'
import { gitOk } from '@/testing/git'
import { startLocal } from '@/testing/git-repository'
import { follow } from '@/testing/live-stream'
import { freePort, isListening } from '@/testing/ports'
import { findNginx } from '@/testing/programs.mjs'
import { adminHeaders, freshKey, makeRelease } from './api'
import { admin, adminEnvironment, dataDirectory, start, temporaryDirectory, withDatabase } from './guildhall'

const nginx = (await findNginx()) ?? ''
const uploadBytes = 1_000_000_000
const client = '127.0.0.2'

it.skipIf(!nginx)(
  'nginx with the example configuration passes on large uploads, pushes, live updates, and the addresses of clients',
  { timeout: 180_000 },
  async () => {
    await using data = await dataDirectory()
    await using directory = await temporaryDirectory()
    const [port, behind] = [await freePort(), await freePort()]
    await using proxy = await startNginx(directory.path, port, behind)
    const environment = {
      GUILDHALL_DATA_DIR: data.path,
      GUILDHALL_BASE_URL: proxy.url,
      GUILDHALL_TRUSTED_PROXIES: '127.0.0.1',
      ...adminEnvironment,
    }
    const guildhall = await start(environment, `http://127.0.0.1:${behind}`)
    const release = await makeRelease(proxy.url, 'tool')

    const browser = await signIn({ url: proxy.url }, admin)
    const userId = (await browser.query('sessions.getCurrent')).data.user.id
    const stream = await follow(proxy.url, [{ topic: 'account' }], { cookie: browser.cookie, userId })
    await stream.waitFor(({ messages }) => messages.length > 0)

    const before = stream.messages.length
    const added = await postFrom(client, `${proxy.url}/api/v1/user/keys`, JSON.stringify(freshKey()))
    expect(added).toBe(201)
    await stream.waitFor(({ messages }) => messages.length > before)
    stream.close()

    const body = Readable.from(megabytes(uploadBytes))
    const path = `/api/v1/repos/${admin.name}/tool/releases/${release}/assets?name=large.bin`
    const headers = { ...adminHeaders, 'content-type': 'application/octet-stream' }
    const sent = await fetch(`${proxy.url}${path}`, {
      method: 'POST',
      headers,
      body: Readable.toWeb(body) as ReadableStream,
      duplex: 'half',
    } as RequestInit)
    expect(await sent.json()).toMatchObject({ name: 'large.bin', size: uploadBytes })

    const local = join(directory.path, 'local')
    await startLocal(local)
    const { authorization } = adminHeaders
    await gitOk(['push', '-q', `${proxy.url}/${admin.name}/tool.git`, 'main:side'], {
      cwd: local,
      authorization,
    })

    expect(await guildhall.end('SIGTERM')).toBe(0)
    const addresses = await withDatabase({ dataDir: data.path, databaseUrl: undefined }, ({ db }) =>
      db.selectFrom('events').select('remote_address').where('kind', '=', 'key.added').execute(),
    )
    expect(addresses).toEqual([{ remote_address: client }])
  },
)

async function startNginx(directory: string, port: number, behind: number) {
  const example = await readFile('deploy/nginx.conf', 'utf8')
  // Without TLS, on a free port, and without the server that redirects to https.
  const server = example
    .slice(0, example.lastIndexOf('\nserver {'))
    .replace(/^ *(listen|ssl_certificate(_key)?) .*\n/gm, '')
    .replace('127.0.0.1:3000', `127.0.0.1:${behind}`)
    .replace('server_name', `listen 127.0.0.1:${port};\n    server_name`)
  const file = join(directory, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(directory, name)};`,
  )
  await writeFile(
    file,
    `daemon off; pid ${join(directory, 'pid')}; error_log stderr; events {}\nhttp { access_log off; ${paths.join(' ')}\n${server}}\n`,
  )
  const child = spawn(nginx, ['-e', 'stderr', '-c', file, '-p', directory], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', chunk => (errors += chunk))
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(errors)
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

function* megabytes(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(1_000_000, 'x')
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece
}

/** Sends a request from this address, which claims to come from another one. */
async function postFrom(localAddress: string, url: string, body: string): Promise<number | undefined> {
  const headers = { ...adminHeaders, 'x-forwarded-for': '203.0.113.9' }
  const sent = request(url, { method: 'POST', headers, agent: new Agent({ localAddress }) })
  sent.end(body)
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}
