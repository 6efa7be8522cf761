import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { signIn } from '@/testing/browser'
import { longestStretch, watchingMainThread } from '@/testing/main-thread'
import { freePort } from '@/testing/ports'
import { oneOf, randomFrom } from '@/testing/random'
import { series } from '@/testing/series'
import { adminHeaders } from './api'
import { admin, adminEnvironment, dataDirectory, start } from './guildhall'
import { makeHostileTrees } from './hostile-code/repositories'
import { hostileRequest } from './hostile-code/requests'

const { GUILDHALL_TEST_HOSTILE_TREES, GUILDHALL_TEST_HOSTILE_REQUESTS } = process.env
const trees = Number(GUILDHALL_TEST_HOSTILE_TREES ?? series(30, 45))
const requests = Number(GUILDHALL_TEST_HOSTILE_REQUESTS ?? series(150, 300))
const seed = Number(process.env.GUILDHALL_TEST_SEED ?? 1)
/** In MiB. A Git process may take 128, and the text thread is part of the process. */
const limits = { process: 1_024, git: 128 + 16 }
/**
 * Most processor time that the main thread takes without a pause, in milliseconds more than without requests. At first, it
 * also compiles what it runs.
 */
const longest = requests < 1_000 ? 250 : 50

// If a part of a page fails after the response has started, the page contains an error ID.
const failedPart = /data-dgst="[\da-f]|\bE\{\\?"digest\\?":\\?"[\da-f]/

it(`${requests} requests for ${trees} hostile trees do not fail, hold up others, or take much memory`, {
  tags: 'series',
  timeout: 1_800_000,
}, async () => {
  await using directory = await dataDirectory()
  const watchPort = await freePort()
  const guildhall = await start({
    GUILDHALL_DATA_DIR: directory.path,
    ...adminEnvironment,
    NODE_OPTIONS: watchingMainThread(watchPort),
    GUILDHALL_TEST_LOAD_PAGES: 'at start',
  })
  const { url, pid } = guildhall
  const random = randomFrom(seed)
  const all = await makeHostileTrees(url, directory.path, random, trees)
  const { cookie } = await signIn({ url }, admin)
  const callers: Record<string, string>[] = [{}, { cookie }, { authorization: adminHeaders.authorization }]
  const failures: string[] = []
  let busy = 0
  await longestStretch(watchPort)
  await sleep(2_000)
  const idle = await longestStretch(watchPort)
  const memory = { process: 0, git: 0 }
  for (let count = 0; count < requests; count++) {
    const address = hostileRequest(random, all)
    await longestStretch(watchPort)
    const { status, retryAfter, body } = await visit(url, address, oneOf(random, callers))
    const { processorMs } = await longestStretch(watchPort)
    const fail = (how: string): void => void failures.push(`${how}: ${address.slice(0, 300)}`)
    if (processorMs > idle.processorMs + longest)
      fail(`${processorMs.toFixed(1)} ms, ${idle.processorMs.toFixed(1)} ms when idle`)
    if (failedPart.test(body)) fail('failed part')
    const isBusy = retryAfter !== undefined && (status === 429 || status === 503)
    if (isBusy) busy++
    else if (status === 0 || status >= 500) fail(String(status))
    if (count % 20 > 0) continue
    const used = await memoryOf(pid)
    memory.process = Math.max(memory.process, used.process)
    memory.git = Math.max(memory.git, used.git)
  }
  expect(failures).toEqual([])
  // Only trees that take long to be listed.
  expect(busy).toBeLessThan(requests / 50)
  expect(memory.process).toBeLessThan(limits.process)
  expect(memory.git).toBeLessThan(limits.git)
  expect(await guildhall.end('SIGTERM')).toBe(0)
})

const maxRead = 8 * 1024 * 1024

// `fetch` would encode parts of the path again and follow redirects. Streams without end are left early.
async function visit(
  url: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; retryAfter?: string; body: string }> {
  const sent = request(url, { path, headers: { ...headers, accept: 'text/html' } }).end()
  const [response] = await once(sent, 'response').catch(() => [])
  if (!response) return { status: 0, body: '' }
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      length += chunk.length
      if (length > maxRead) break
    }
  } catch {
    // Git could not read an object after the response had started, so the connection was cut.
  }
  response.destroy()
  const body = Buffer.concat(chunks).toString('latin1')
  return { status: response.statusCode, retryAfter: response.headers['retry-after'], body }
}

interface Process {
  parent: number
  isGit: boolean
  mib: number
}

/** Returns the memory of the process, and of its largest Git process, in MiB; 0 on systems that do not tell it. */
async function memoryOf(pid: number): Promise<{ process: number; git: number }> {
  const all = new Map<number, Process>()
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue
    const status = await readFile(`/proc/${name}/status`, 'latin1').catch(() => '')
    const field = (key: string): string => new RegExp(`^${key}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? ''
    const mib = Number(field('RssAnon')) / 1024
    all.set(Number(name), { parent: Number(field('PPid')), isGit: field('Name') === 'git', mib })
  }
  const isOurs = (id: number): boolean => id === pid || (id > 1 && isOurs(all.get(id)?.parent ?? 0))
  const ours = [...all].flatMap(([id, process]) => (isOurs(id) ? [process] : []))
  const most = (isGit: boolean): number =>
    Math.max(0, ...ours.flatMap(process => (process.isGit === isGit ? [process.mib] : [])))
  return { process: most(false), git: most(true) }
}
