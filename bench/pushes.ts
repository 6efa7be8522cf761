import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDatabase } from '@/db/client'
import { makeUser } from '@/db/testing/factories'
import { tokenFor } from './seed'
import { type ServerData, startServer } from './server-process'

const run = promisify(execFile)
const rounds = 30
const workflowCount = 20
const out = (line: string) => process.stdout.write(`${line}\n`)

const workflow = (at: number): string =>
  `on:\n  push:\n    branches: ['main', 'releases/**']\n    paths: ['part-${at}/**', '!**/*.md']\n` +
  `jobs:\n  build:\n    runs-on: x\n    steps: [{ run: make }]\n  test:\n    needs: build\n    runs-on: x\n    steps: [{ run: make }]\n`

/**
 * Prints how long pushes take to a repository with 20 workflows that have path filters, one of which starts,
 * and to one without workflows. The two take turns.
 */
export async function benchPushes(data: ServerData, workDir: string): Promise<void> {
  const { db, close } = await openDatabase(data)
  const owner = await makeUser(db)
  const token = await tokenFor(db, owner.id)
  await close()
  const server = await startServer('dist/main.js', 4623, data)
  const api = async (path: string, body?: object) => {
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return await response.json()
  }
  const open = async (name: string, workflows: number) => {
    await api('/user/repos', { name })
    const cwd = join(workDir, name)
    await mkdir(join(cwd, '.gitea/workflows'), { recursive: true })
    await run('git', ['init', '-q', '-b', 'main', cwd])
    for (let at = 0; at < workflows; at++)
      await writeFile(join(cwd, `.gitea/workflows/part-${at}.yml`), workflow(at))
    await writeFile(join(cwd, 'README.md'), 'A tool')
    await run('git', ['remote', 'add', 'origin', `${server.url}/${owner.name}/${name}.git`], { cwd })
    const header = `http.extraHeader=Authorization: Basic ${btoa(`${owner.name}:${token}`)}`
    const push = async (): Promise<number> => {
      await run('git', ['add', '.'], { cwd })
      const author = ['-c', 'user.name=b', '-c', 'user.email=b@example.test']
      await run('git', [...author, 'commit', '-q', '-m', 'Change'], { cwd })
      const begun = performance.now()
      await run('git', ['-c', header, 'push', '-q', 'origin', 'main'], { cwd })
      return performance.now() - begun
    }
    await push()
    await mkdir(join(cwd, 'part-3'))
    let runs = 0
    return async (round: number) => {
      await writeFile(join(cwd, 'part-3/main.c'), `int n = ${round};`)
      const cpu = await server.cpuSeconds()
      const begun = performance.now()
      const pushMs = await push()
      runs += 1
      while (workflows > 0) {
        const { total_count } = await api(`/repos/${owner.name}/${name}/actions/runs?limit=1`)
        if (total_count >= runs) break
        await delay(10)
      }
      const startMs = performance.now() - begun
      // The server goes on working for the push after its response.
      await delay(300)
      return { pushMs, startMs, cpuMs: 1000 * ((await server.cpuSeconds()) - cpu) }
    }
  }
  try {
    const sides = [await open('plain', 0), await open('filtered', workflowCount)] as const
    const times: { pushMs: number; startMs: number; cpuMs: number }[][] = [[], []]
    for (let round = 0; round < rounds; round++)
      for (const [index, push] of sides.entries()) times[index]?.push(await push(round))
    const [plain = [], filtered = []] = times
    const line = (title: string, key: 'pushMs' | 'startMs' | 'cpuMs'): void => {
      const [with_, without] = [median(filtered.map(each => each[key])), median(plain.map(each => each[key]))]
      out(
        `    ${title.padEnd(34)} ${with_.toFixed(0).padStart(4)} ms, without workflows ${without.toFixed(0).padStart(4)} ms   ` +
          `ratio ${(with_ / without).toFixed(2)}`,
      )
    }
    line('git push', 'pushMs')
    line('CPU time of the server', 'cpuMs')
    out(
      `    until the run has started          ${median(filtered.map(each => each.startMs))
        .toFixed(0)
        .padStart(4)} ms`,
    )
  } finally {
    await server.stop()
  }
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
