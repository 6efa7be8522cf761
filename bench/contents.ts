import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addKeys, type Figures, freshKey, postInTurn } from './load'
import { seed, type Tokens } from './seed'
import { type ServerData, type ServerProcess, startServer } from './server-process'

const run = promisify(execFile)
const rounds = 3
const perRound = 40
const out = (line = '') => process.stdout.write(`${line}\n`)

interface Site {
  server: ServerProcess
  tokens: Tokens
}

/**
 * Prints how many changes of a file of 10 KB per second are committed over REST and pushed with Git over HTTP, how many
 * Git commands the server starts for each, and how many commit statuses are reported per second, beside new SSH keys.
 */
export async function benchContents(data: ServerData, workDir: string): Promise<void> {
  await mkdir(workDir, { recursive: true })
  const started = join(workDir, 'started')
  const tokens = await seed(data)
  const site = { server: await startServer('dist/main.js', 4850, data), tokens }
  try {
    const local = join(workDir, 'local')
    const remote = await makeRepository(site, 'written', local)
    const figures = { rest: [] as number[], git: [] as number[] }
    for (let round = 0; round <= rounds; round++) {
      const [git, rest] = [await pushAll(local, remote, perRound), await postAll(site, 'posted', perRound)]
      // The first round warms up.
      if (round > 0) figures.git.push(git)
      if (round > 0) figures.rest.push(rest)
    }
    const [rest, git] = [median(figures.rest), median(figures.git)]
    out(
      `  changes of a file   REST ${rest.toFixed(1)} /s, git push ${git.toFixed(1)} /s   ratio ${(rest / git).toFixed(1)}`,
    )
    for (const work of [addKeysOf, reportStatuses]) await work(site)
    const [statuses, keys] = [await reportStatuses(site), await addKeysOf(site)]
    const ratio = statuses.requestsPerSecond / keys.requestsPerSecond
    if (statuses.failed > 0) throw new Error(`${statuses.failed} statuses failed`)
    out(
      `  commit statuses     ${statuses.requestsPerSecond.toFixed(0)} /s, SSH keys ${keys.requestsPerSecond.toFixed(0)} /s   ratio ${ratio.toFixed(2)}`,
    )
  } finally {
    await site.server.stop()
  }
  await countCommands(data, tokens, started, workDir)
}

const addKeysOf = ({ server: { url }, tokens }: Site): Promise<Figures> => addKeys({ url, tokens }, 4)

/** Counts Git commands with a program of the same name in front of Git, in a server of its own. */
async function countCommands(
  data: ServerData,
  tokens: Tokens,
  started: string,
  workDir: string,
): Promise<void> {
  const { stdout: path } = await run('sh', ['-c', 'command -v git'])
  const folder = join(workDir, 'bin')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'git'), `#!/bin/sh\necho "$*" >>'${started}'\nexec ${path.trim()} "$@"\n`)
  await chmod(join(folder, 'git'), 0o755)
  const settings = { PATH: `${folder}:${process.env.PATH}` }
  const server = await startServer('dist/main.js', 4850, data, settings)
  try {
    const local = join(workDir, 'counted')
    const remote = await makeRepository({ server, tokens }, 'counted', local)
    const site = { server, tokens }
    for (const [title, work] of [
      ['REST', () => postAll(site, 'posted', perRound)],
      ['git push', () => pushAll(local, remote, perRound)],
    ] as const) {
      // Readers that serve many requests start with the first ones.
      await work()
      await rm(started, { force: true })
      await work()
      const commands = (await readFile(started, 'utf8')).split('\n').length - 1
      out(`  Git commands        ${(commands / perRound).toFixed(1)} for each change with ${title}`)
    }
  } finally {
    await server.stop()
  }
}

async function makeRepository({ server, tokens }: Site, name: string, local: string): Promise<string> {
  for (const repository of [name, 'posted']) {
    const body = { name: repository, auto_init: true, default_branch: 'main' }
    await call(server, tokens, 'POST', '/user/repos', body, repository === 'posted')
  }
  const { login } = await (await call(server, tokens, 'GET', '/user')).json()
  const remote = `${server.url.replace('://', `://${login}:${tokens.reader}@`)}/${login}/${name}.git`
  await run('git', ['clone', '-q', remote, local])
  await run('git', ['config', 'user.name', 'Ada'], { cwd: local })
  await run('git', ['config', 'user.email', 'ada@example.test'], { cwd: local })
  return remote
}

async function call(
  { url }: ServerProcess,
  { reader }: Tokens,
  method: string,
  path: string,
  body?: object,
  mayFail = false,
): Promise<Response> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `token ${reader}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok && !mayFail)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}

const newContent = (): string => randomBytes(7_500).toString('base64')

async function postAll({ server, tokens }: Site, repository: string, count: number): Promise<number> {
  const { login } = await (await call(server, tokens, 'GET', '/user')).json()
  const begun = performance.now()
  for (let index = 0; index < count; index++) {
    const content = Buffer.from(newContent()).toString('base64')
    const path = `/repos/${login}/${repository}/contents/src/${freshKey().title}.txt`
    await (await call(server, tokens, 'POST', path, { content, message: 'Add a file' })).text()
  }
  return (1000 * count) / (performance.now() - begun)
}

async function pushAll(local: string, remote: string, count: number): Promise<number> {
  const commits: string[] = []
  await mkdir(join(local, 'src'), { recursive: true })
  for (let index = 0; index < count; index++) {
    await writeFile(join(local, 'src', `${freshKey().title}.txt`), newContent())
    await run('git', ['add', '.'], { cwd: local })
    await run('git', ['commit', '-q', '-m', 'Add a file'], { cwd: local })
    commits.push((await run('git', ['rev-parse', 'HEAD'], { cwd: local })).stdout.trim())
  }
  const begun = performance.now()
  for (const commit of commits) {
    await run('git', ['push', '-q', remote, `${commit}:refs/heads/main`], { cwd: local })
  }
  return (1000 * count) / (performance.now() - begun)
}

/** Reports statuses of commits in several contexts, as fast as `addKeys` adds keys. */
async function reportStatuses({ server, tokens }: Site): Promise<Figures> {
  const { login } = await (await call(server, tokens, 'GET', '/user')).json()
  const listed = await (await call(server, tokens, 'GET', `/repos/${login}/posted/commits?limit=50`)).json()
  const paths = (listed as { sha: string }[]).map(
    ({ sha }) => `/api/v1/repos/${login}/posted/statuses/${sha}`,
  )
  const bodies = Array.from({ length: 7 }, (_, index) => ({
    state: 'success',
    context: `ci/${index}`,
    target_url: 'https://ci.example.test/1',
  }))
  return await postInTurn({ url: server.url, token: tokens.reader, paths, bodies }, 4)
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
