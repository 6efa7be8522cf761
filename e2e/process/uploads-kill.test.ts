// @module-tag current-node
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { series } from '@/testing/series'
import { adminToken, makeRelease } from './api'
import { admin, adminEnvironment, dataDirectory, start } from './guildhall'

const rounds = series(1, 3)
const bytes = randomBytes(24 * 1024 * 1024)
const chunkBytes = 1024 * 1024

it(`a resumable upload continues at its offset after the process is killed in the middle of it (kills: ${rounds})`, {
  tags: 'series',
  timeout: 240_000,
}, async () => {
  await using directory = await dataDirectory()
  const data = directory.path
  const environment = { GUILDHALL_DATA_DIR: data, ...adminEnvironment }

  let headers = { authorization: '', 'tus-resumable': '1.0.0' }
  let release = 0
  let path = ''
  let acknowledged = 0
  for (let round = 0; round < rounds; round++) {
    const guildhall = await start(environment)
    if (round === 0) {
      headers = { ...headers, authorization: `token ${await adminToken(guildhall.url)}` }
      release = await makeRelease(guildhall.url, 'site')
      path = await begin(guildhall.url, headers, release)
    }
    const offset = await offsetOf(guildhall.url + path, headers)
    expect(offset).toBeGreaterThanOrEqual(acknowledged)
    acknowledged = offset
    const sending = sendUntilDead(guildhall.url + path, headers, offset, noted => {
      acknowledged = noted
    })
    // Waits until some chunks are acknowledged, then kills the process at a random point of the next one.
    while (acknowledged === offset) await delay(5)
    await delay(Math.random() * 30)
    await guildhall.end('SIGKILL')
    await sending
  }

  const survivor = await start(environment)
  await sendUntilDead(
    survivor.url + path,
    headers,
    await offsetOf(survivor.url + path, headers),
    () => undefined,
  )
  const listed = await fetch(`${survivor.url}/api/v1/repos/${admin.name}/site/releases/${release}/assets`, {
    headers,
  })
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  expect(await listed.json()).toMatchObject([{ name: 'tool.bin', size: bytes.length, digest }])
  await survivor.end('SIGTERM')
  const left = await readdir(join(data, 'objects'), { recursive: true })
  expect(left.filter(name => name.endsWith('.partial') || name.startsWith('parts/'))).toEqual([])
})

async function begin(url: string, headers: Record<string, string>, release: number): Promise<string> {
  const fields = { owner: admin.name, repo: 'site', release: String(release), name: 'tool.bin' }
  const metadata = Object.entries(fields).map(
    ([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`,
  )
  const response = await fetch(`${url}/api/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes.length), 'upload-metadata': metadata.join() },
  })
  return response.headers.get('location') ?? ''
}

async function offsetOf(url: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(url, { method: 'HEAD', headers })
  expect(response.status).toBe(200)
  return Number(response.headers.get('upload-offset'))
}

async function sendUntilDead(
  url: string,
  headers: Record<string, string>,
  from: number,
  note: (offset: number) => void,
): Promise<void> {
  for (let offset = from; offset < bytes.length; ) {
    const response = await fetch(url, {
      method: 'PATCH',
      headers: {
        ...headers,
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
      body: bytes.subarray(offset, offset + chunkBytes),
    }).catch(() => undefined)
    if (!response) return
    expect(response.status).toBe(204)
    offset = Number(response.headers.get('upload-offset'))
    note(offset)
  }
}
