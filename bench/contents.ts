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
const manyClients = 4
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
    await compareChanges(site, join(workDir, 'alone'), 1)
    await compareChanges(site, join(workDir, 'many'), manyClients)
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

/** Clients of one kind work at the same time, each in a repository of its own, and both kinds in turn. */
async function compareChanges(site: Site, workDir: string, clients: number): Promise<void> {
  const each = Array.from({ length: clients }, (_, index) => `${clients}-${index}`)
  const pushing = await Promise.all(
    each.map(async name => {
      const local = join(workDir, name)
      return { local, remote: await makeRepository(site, `pushed-${name}`, local) }
    }),
  )
  await Promise.all(each.map(name => createRepository(site, `posted-${name}`)))
  const figures = { rest: [] as number[], git: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const commits = await Promise.all(pushing.map(({ local }) => commitAll(local, perRound)))
    const git = await rateOf(clients, () =>
      Promise.all(pushing.map(({ local, remote }, index) => pushAll(local, remote, commits[index] ?? []))),
    )
    const rest = await rateOf(clients, () =>
      Promise.all(each.map(name => postAll(site, `posted-${name}`, perRound))),
    )
    // The first round warms up.
    if (round > 0) figures.git.push(git)
    if (round > 0) figures.rest.push(rest)
  }
  const [rest, git] = [median(figures.rest), median(figures.git)]
  out(
    `  changes of a file   REST ${rest.toFixed(1)} /s, git push ${git.toFixed(1)} /s   ratio ${(rest / git).toFixed(1)}` +
      `   ${clients === 1 ? 'one client' : `${clients} clients at once`}`,
  )
}

async function rateOf(clients: number, work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (1000 * clients * perRound) / (performance.now() - begun)
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
    const site = { server, tokens }
    const remote = await makeRepository(site, 'counted', local)
    for (const [title, work] of [
      ['REST', () => postAll(site, 'posted-1-0', perRound)],
      ['git push', async () => pushAll(local, remote, await commitAll(local, perRound))],
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

async function createRepository({ server, tokens }: Site, name: string): Promise<void> {
  await call(server, tokens, 'POST', '/user/repos', { name, auto_init: true, default_branch: 'main' })
}

/** Creates a repository and a clone of it, and returns its URL. */
async function makeRepository(site: Site, name: string, local: string): Promise<string> {
  const { server, tokens } = site
  await createRepository(site, name)
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
): Promise<Response> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `token ${reader}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}

const newContent = (): string => randomBytes(7_500).toString('base64')

async function postAll({ server, tokens }: Site, repository: string, count: number): Promise<void> {
  const { login } = await (await call(server, tokens, 'GET', '/user')).json()
  for (let index = 0; index < count; index++) {
    const content = Buffer.from(newContent()).toString('base64')
    const path = `/repos/${login}/${repository}/contents/src/${freshKey().title}.txt`
    await (await call(server, tokens, 'POST', path, { content, message: 'Add a file' })).text()
  }
}

/** Makes commits of a new file each, and returns their IDs. */
async function commitAll(local: string, count: number): Promise<string[]> {
  const commits: string[] = []
  await mkdir(join(local, 'src'), { recursive: true })
  for (let index = 0; index < count; index++) {
    await writeFile(join(local, 'src', `${freshKey().title}.txt`), newContent())
    await run('git', ['add', '.'], { cwd: local })
    await run('git', ['commit', '-q', '-m', 'Add a file'], { cwd: local })
    commits.push((await run('git', ['rev-parse', 'HEAD'], { cwd: local })).stdout.trim())
  }
  return commits
}

async function pushAll(local: string, remote: string, commits: readonly string[]): Promise<void> {
  for (const commit of commits) {
    await run('git', ['push', '-q', remote, `${commit}:refs/heads/main`], { cwd: local })
  }
}

/** Reports statuses of commits in several contexts, as fast as `addKeys` adds keys. */
async function reportStatuses({ server, tokens }: Site): Promise<Figures> {
  const { login } = await (await call(server, tokens, 'GET', '/user')).json()
  const listed = await (
    await call(server, tokens, 'GET', `/repos/${login}/posted-1-0/commits?limit=50`)
  ).json()
  const paths = (listed as { sha: string }[]).map(
    ({ sha }) => `/api/v1/repos/${login}/posted-1-0/statuses/${sha}`,
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
