// @module-tag current-node
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { adminHeaders, freshKey } from './api'
import { adminEnvironment, dataDirectory, start } from './guildhall'

it('SIGTERM lets a running request finish before the process exits with code 0', async () => {
  await using directory = await dataDirectory()
  const guildhall = await start({
    GUILDHALL_DATA_DIR: directory.path,
    GUILDHALL_LOG_LEVEL: 'info',
    ...adminEnvironment,
  })
  const body = JSON.stringify(freshKey())
  const slow = request(`${guildhall.url}/api/v1/user/keys`, {
    method: 'POST',
    headers: { ...adminHeaders, 'content-length': Buffer.byteLength(body), expect: '100-continue' },
  })
  slow.flushHeaders()
  await once(slow, 'continue')
  const ended = guildhall.end('SIGTERM')
  await guildhall.printed('"stopping"')
  slow.end(body)
  const [response] = await once(slow, 'response')
  response.resume()
  expect(response.statusCode).toBe(201)
  expect(await ended).toBe(0)
})

it('SIGTERM does not wait for a connection that never sent a request', async () => {
  await using directory = await dataDirectory()
  const guildhall = await start({ GUILDHALL_DATA_DIR: directory.path })
  const silent = connect(Number(new URL(guildhall.url).port), '127.0.0.1')
  await once(silent, 'connect')
  await fetch(`${guildhall.url}/healthz`)
  const closed = once(silent, 'close')
  const stopped = performance.now()
  const ended = guildhall.end('SIGTERM')
  await closed
  expect(await ended).toBe(0)
  // Open connections are closed after 20 seconds, so a shorter time proves that the stop did not wait for
  // this one.
  expect(performance.now() - stopped).toBeLessThan(15_000)
})
