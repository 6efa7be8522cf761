import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { openDatabase } from '@/db/client'
import { makeAttachment, makeKey, makeRelease, makeRepository, makeUser } from '@/db/testing/factories'
import { parseConfig } from '@/server/kernel/config'
import { createLog } from '@/server/kernel/log'
import { newObjectKey } from '@/server/kernel/storage/key'
import { openStorage } from '@/server/kernel/storage/open'
import { dropIntent, makeBareRepository, newStorageKey } from '@/server/repos/storage'
import { tokenFor } from './seed'
import { type ServerData, startServer } from './server-process'

const execute = promisify(execFile)
const rounds = 3
const repositories = 300
const objects = 60
const objectBytes = 10_000_000
const requests = 400
const pushes = 30
const out = (line: string) => process.stdout.write(`${line}\n`)

/**
 * Prints how long calls and pushes take with and without a backup that copies everything, in turns. The backup
 * runs in a process of its own, with the priority that scheduled ones have.
 */
export async function benchBackup(data: ServerData, workDir: string): Promise<void> {
  const { name, token } = await seedSite(data)
  const server = await startServer('dist/main.js', 4624, data)
  try {
    const cwd = join(workDir, 'clone')
    const push = await pusher(`${server.url}/${name}`, { name, token, cwd })
    const times = { idle: { call: [], push: [] }, busy: { call: [], push: [] } } as Record<
      'idle' | 'busy',
      { call: number[]; push: number[] }
    >
    for (let round = 0; round < rounds; round++) {
      for (const state of ['idle', 'busy'] as const) {
        const backup = state === 'busy' ? keepBackingUp(data, join(workDir, `backups-${round}`)) : undefined
        for (let n = 0; n < requests; n++) times[state].call.push(await call(server.url, token))
        for (let n = 0; n < pushes; n++) times[state].push.push(await push())
        const count = await backup?.stop()
        if (count !== undefined) out(`    backups during round ${round + 1}: ${count}`)
      }
    }
    line('GET /user/keys, 30 keys', times.busy.call, times.idle.call)
    line('git push', times.busy.push, times.idle.push)
  } finally {
    await server.stop()
  }
}

async function seedSite(data: ServerData): Promise<{ name: string; token: string }> {
  const config = parseConfig({ GUILDHALL_DATA_DIR: data.dataDir })
  const { db, close } = await openDatabase(data)
  const storage = await openStorage(config.storage, createLog('silent'))
  const owner = await makeUser(db)
  for (let count = 0; count < 30; count++) await makeKey(db, owner.id)
  const author = { name: 'b', email: 'b@example.test', date: new Date() }
  for (let n = 0; n < repositories; n++) {
    const storageKey = newStorageKey()
    const firstCommit = { message: 'First', author, files: { data: randomBytes(50_000).toString('base64') } }
    await makeBareRepository(config, { storageKey, objectFormat: 'sha1', defaultBranch: 'main', firstCommit })
    const row = { storage_key: storageKey, is_empty: false, branch_count: 1 }
    const repository = await makeRepository(db, owner.id, row)
    await dropIntent(config, storageKey)
    if (n >= objects) continue
    const key = newObjectKey()
    const stored = await storage.put(key, Readable.from([randomBytes(objectBytes)]))
    await makeAttachment(db, await makeRelease(db, repository.id), { storage_key: key, ...stored })
  }
  const token = await tokenFor(db, owner.id)
  await close()
  return { name: owner.name, token }
}

async function call(url: string, token: string): Promise<number> {
  const begun = performance.now()
  const response = await fetch(`${url}/api/v1/user/keys`, { headers: { authorization: `token ${token}` } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`GET /user/keys: ${response.status}`)
  return performance.now() - begun
}

async function pusher(
  account: string,
  { name, token, cwd }: { name: string; token: string; cwd: string },
): Promise<() => Promise<number>> {
  const { origin } = new URL(account)
  const created = await fetch(`${origin}/api/v1/user/repos`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'pushed' }),
  })
  if (!created.ok) throw new Error(`cannot create a repository: ${created.status}`)
  await mkdir(cwd, { recursive: true })
  await execute('git', ['init', '-q', '-b', 'main', cwd])
  const header = `http.extraHeader=Authorization: Basic ${btoa(`${name}:${token}`)}`
  const author = ['-c', 'user.name=b', '-c', 'user.email=b@example.test']
  return async () => {
    await writeFile(join(cwd, 'file'), randomBytes(1000).toString('hex'))
    await execute('git', ['add', '.'], { cwd })
    await execute('git', [...author, 'commit', '-q', '-m', 'Change'], { cwd })
    const begun = performance.now()
    await execute('git', ['-c', header, 'push', '-q', `${account}/pushed.git`, 'main'], { cwd })
    return performance.now() - begun
  }
}

/** Makes one full backup after the other until it is stopped; returns the number of started ones. */
function keepBackingUp({ databaseUrl, dataDir }: ServerData, locations: string): { stop(): Promise<number> } {
  let isOver = false
  let child: ChildProcess | undefined
  let count = 0
  const running = (async () => {
    while (!isOver) {
      const args = [
        '-n',
        '19',
        process.execPath,
        'dist/command.js',
        'backup',
        join(locations, String(count++)),
      ]
      const env = { ...process.env, DATABASE_URL: databaseUrl ?? '', GUILDHALL_DATA_DIR: dataDir }
      child = spawn('nice', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
      await once(child, 'exit')
    }
  })()
  return {
    async stop() {
      isOver = true
      child?.kill('SIGTERM')
      await running
      return count
    },
  }
}

function line(title: string, busy: number[], idle: number[]): void {
  const [during, without] = [p95(busy), p95(idle)]
  out(
    `    ${title.padEnd(24)} p95 ${during.toFixed(1).padStart(6)} ms during a backup, ${without.toFixed(1).padStart(6)} ms without   ` +
      `ratio ${(during / without).toFixed(2)}`,
  )
}

const p95 = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length * 0.95)] as number
