// @module-tag slow
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { adminHeaders, makeRelease } from './api'
import {
  admin,
  adminEnvironment,
  dataDirectory,
  type Guildhall,
  markKey,
  start,
  withDatabase,
} from './guildhall'

// Each round interrupts one sequence of short uploads and several endless uploads.
const rounds = Number(process.env.GUILDHALL_TEST_KILLS ?? 5)
const lanes = 5
const chunk = randomBytes(256 * 1024)
const { authorization } = adminHeaders

it(`uploads that are interrupted by killing the process stay hidden and leave no objects behind, and completed ones are kept (kills: ${rounds})`, {
  timeout: 360_000,
}, async () => {
  await using holder = await dataDirectory()
  const environment = { GUILDHALL_DATA_DIR: holder.path, ...adminEnvironment }
  const done = new Map<string, string>()
  let path = ''
  for (let round = 0; round < rounds; round++) {
    const guildhall = await start(environment)
    path ||= `/api/v1/repos/${admin.name}/tools/releases/${await makeRelease(guildhall.url, 'tools')}/assets`
    const uploads = Array.from({ length: lanes }, (_, lane) =>
      uploadUntilDead(`${guildhall.url}${path}`, `${round}-${lane}`, lane === 0, done),
    )
    const soon = done.size + 1
    while (done.size < soon) await delay(5)
    await delay(Math.random() * 50)
    await guildhall.end('SIGKILL')
    await Promise.all(uploads)
  }
  await makeDue(holder.path)
  const survivor = await start(environment)
  const shown = await contents(survivor, path)
  for (const [name, digest] of done) expect(shown.get(name), name).toBe(digest)
  await expect.poll(() => objectsIn(holder.path), { timeout: 10_000 }).toHaveLength(shown.size)
  await survivor.end('SIGTERM')
  expect(await objectsIn(holder.path)).toEqual(await keysIn(holder.path))
})

/**
 * Uploads files one after another until the process is killed: files of eight chunks if `ends` is true,
 * otherwise a single endless file.
 */
async function uploadUntilDead(
  url: string,
  prefix: string,
  ends: boolean,
  done: Map<string, string>,
): Promise<void> {
  for (let number = 0; ; number++) {
    const name = `${prefix}-${number}`
    const body = async function* () {
      for (let sent = 0; !ends || sent < 8; sent++) {
        yield chunk
        await delay(2)
      }
    }
    const sent = request(`${url}?name=${name}`, { method: 'POST', headers: { authorization } })
    const answered = new Promise<string | undefined>(resolve => {
      sent.on('error', () => resolve(undefined))
      sent.on('response', response =>
        response.toArray().then(
          parts => resolve(response.statusCode === 201 ? Buffer.concat(parts).toString() : undefined),
          () => resolve(undefined),
        ),
      )
    })
    void pipeline(Readable.from(body(), { highWaterMark: 1 }), sent).catch(() => undefined)
    const text = await answered
    if (text === undefined) return
    done.set(name, JSON.parse(text).digest)
  }
}

/**
 * Downloads all files and returns their digests by name. Expects that each digest equals the one that the API
 * reports.
 */
async function contents({ url }: Guildhall, path: string): Promise<Map<string, string>> {
  const list = await fetch(`${url}${path}`).then(answer => answer.json())
  const digests = new Map<string, string>()
  for (const file of list as { name: string; uuid: string; digest: string }[]) {
    const bytes = await fetch(`${url}/attachments/${file.uuid}`).then(answer => answer.arrayBuffer())
    const digest = `sha256:${createHash('sha256').update(Buffer.from(bytes)).digest('hex')}`
    expect(digest, file.name).toBe(file.digest)
    digests.set(file.name, digest)
  }
  return digests
}

// Makes unused objects due for deletion, instead of waiting for the ten-minute lease of an upload in
// progress.
const makeDue = (dataDir: string): Promise<unknown> =>
  withDatabase({ dataDir }, ({ db }) =>
    db
      .updateTable('unused_objects')
      .set({ sweep_after: new Date(0) })
      .execute(),
  )

async function keysIn(dataDir: string): Promise<string[]> {
  const rows = await withDatabase({ dataDir }, ({ db }) =>
    db.selectFrom('attachments').select('storage_key').execute(),
  )
  return rows.map(row => row.storage_key).sort()
}

async function objectsIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true })
  return entries.flatMap(entry => (entry.isFile() && entry.name !== markKey ? [entry.name] : [])).sort()
}
