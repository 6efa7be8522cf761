// @module-tag current-node
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { series } from '@/testing/series'
import { adminHeaders } from './api'
import {
  admin,
  adminEnvironment,
  dataDirectory,
  type Guildhall,
  start,
  startAndFail,
  temporaryDirectory,
} from './guildhall'

// One process with default settings, for the tests that only send requests.
let directory: Awaited<ReturnType<typeof dataDirectory>>
let running: Guildhall
beforeAll(async () => {
  directory = await dataDirectory()
  running = await start({ GUILDHALL_DATA_DIR: directory.path })
})
afterAll(async () => {
  expect(await running.end('SIGTERM')).toBe(0)
  await directory[Symbol.asyncDispose]()
})

describe('a failing start', () => {
  it('exits with a message that names the variable with the invalid value', async () => {
    await using directory = await temporaryDirectory()
    const environment = { GUILDHALL_DATA_DIR: directory.path, GUILDHALL_REGISTRATION: 'maybe' }
    const { code, output } = await startAndFail(environment)
    expect(code).toBe(1)
    expect(output).toContain('GUILDHALL_REGISTRATION')
    expect(output).not.toMatch(/\n\s+at /)
  })

  it
    .skipIf(process.platform !== 'linux')
    .each(
      series(
        ['GUILDHALL_REPOSITORY_DIR'],
        ['GUILDHALL_DATA_DIR', 'GUILDHALL_REPOSITORY_DIR', 'GUILDHALL_STORAGE_DIR'],
      ),
    )('exits and names %s if its directory cannot be created', { tags: 'series' }, async name => {
    await using directory = await dataDirectory()
    const environment = { GUILDHALL_DATA_DIR: directory.path, [name]: '/proc/guildhall/data' }
    const { code, output } = await startAndFail(environment)
    expect([code, output]).toEqual([1, expect.stringContaining(`${name}: `)])
    expect(output).not.toMatch(/\n\s+at /)
  })

  it('does not print the password of a database it cannot reach', async () => {
    await using directory = await temporaryDirectory()
    const url = 'postgres://someone:hunter2secret@127.0.0.1:1/nothing'
    const { code, output } = await startAndFail({ GUILDHALL_DATA_DIR: directory.path, DATABASE_URL: url })
    expect(code).toBe(1)
    expect(output).toContain('127.0.0.1')
    expect(output).not.toContain('hunter2secret')
  })
})

describe('the embedded data directory', () => {
  it('cannot be used by a second process, which reports the process that uses it', async () => {
    const second = await startAndFail({ GUILDHALL_DATA_DIR: directory.path })
    expect(second.code).toBe(1)
    expect(second.output).toContain(String(running.pid))
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
  })

  it('contains the secret key, which only its owner can read and which stays the same after restarts', {
    tags: 'slow',
  }, async () => {
    await using directory = await dataDirectory()
    const { path } = directory
    const keyFile = join(path, 'secret-key')
    const first = await start({ GUILDHALL_DATA_DIR: path })
    const key = await readFile(keyFile, 'utf8')
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    await first.end('SIGTERM')
    const second = await start({ GUILDHALL_DATA_DIR: path })
    await second.end('SIGTERM')
    expect(await readFile(keyFile, 'utf8')).toBe(key)
  })
})

describe('a successful start', () => {
  it('creates the administrator defined in the environment, prints its URL, and passes health checks', async () => {
    await using directory = await temporaryDirectory()
    const guildhall = await start({
      GUILDHALL_DATA_DIR: directory.path,
      GUILDHALL_METRICS: 'on',
      ...adminEnvironment,
    })
    const user = await fetch(`${guildhall.url}/api/v1/user`, { headers: adminHeaders })
    expect(await user.json()).toMatchObject({ login: admin.name, is_admin: true })
    expect(guildhall.output()).toMatch(/http:\/\/localhost:\d+/)
    expect((await fetch(`${guildhall.url}/healthz`)).status).toBe(200)
    const metrics = await (await fetch(`${guildhall.url}/metrics`)).text()
    expect(metrics).toMatch(/^guildhall_children_started_total [1-9]/m)
    expect(metrics).toContain('guildhall_launcher_restarts_total 0')
    expect(metrics).toContain('guildhall_http_requests_total{mount="rest",method="GET",status="200"} 1')
    expect(await guildhall.end('SIGTERM')).toBe(0)
  })

  it('hides metrics unless they are enabled', async () => {
    expect((await fetch(`${running.url}/metrics`)).status).toBe(404)
  })
})

describe('the API', () => {
  it('cannot be reached through paths that only Next would normalize', async () => {
    for (const path of [
      '/x/../api/v1/version',
      '/api/./v1/version',
      '/%2e/api/v1/version',
      '/%61pi/v1/version',
    ]) {
      expect(await rawStatus(running.url, path), path).not.toBe(200)
    }
    expect(await rawStatus(running.url, '/api/v1/version')).toBe(200)
  })
})

// `fetch` would resolve the dot segments itself.
async function rawStatus(url: string, path: string): Promise<number | undefined> {
  const sent = request(url, { path }).end()
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}
