import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '@/db/client'
import { makeUser } from '@/db/testing/factories'
import { configOf, git, makeKeys, makeLocal, post, sshOptions, startSshd } from './git-tools'
import { tokenFor } from './seed'
import { type ServerData, startServer } from './server-process'

const run = promisify(execFile)
const out = (line = '') => process.stdout.write(`${line}\n`)
const megabytes = Number(process.env.BENCH_GIT_MB ?? 100)
const concurrency = 8
const bigRounds = 3

/** A server with Git repositories, as a client reaches it. */
interface Side {
  /** Returns the Git URL of a repository with this name. */
  remote(name: string): string
  /** Git settings of the client. */
  settings: readonly string[]
}

/** Guildhall and bare Git over the same transport. */
interface Contest {
  transport: string
  ours: Side
  bare: Side
}

/** Runs an operation once and returns its duration in milliseconds. */
type Operation = (side: Side, round: string) => Promise<number>

/**
 * Prints how long Git operations take over Guildhall's HTTP and SSH compared with a server that only starts Git: a bare
 * HTTP server, and OpenSSH's sshd. The two take turns. The bare server flushes and checks what Git does by default,
 * but keeps each push as a pack, as Guildhall does.
 */
export async function benchAlongsideBareGit(data: ServerData, workDir: string): Promise<void> {
  const plain = join(workDir, 'plain')
  await mkdir(plain, { recursive: true })
  const { db, close } = await openDatabase(data)
  const owner = await makeUser(db)
  const token = await tokenFor(db, owner.id)
  await close()
  const [sshPort, sshdPort] = [4627, 4628]
  const server = await startServer('dist/main.js', 4625, data, { GUILDHALL_SSH_PORT: String(sshPort) })
  const bare = await startServer('dist/bench-bare-git.js', 4626, data, { BENCH_GIT_DIRECTORY: plain })
  const keys = await makeKeys(workDir)
  const sshd = keys && (await startSshd(workDir, sshdPort, keys))
  try {
    const api = { url: server.url, token }
    const header = `http.extraHeader=Authorization: Basic ${btoa(`${owner.name}:${token}`)}`
    const contests: Contest[] = [
      {
        transport: 'HTTP',
        ours: { remote: name => `${server.url}/${owner.name}/${name}.git`, settings: [header] },
        bare: { remote: name => `${bare.url}/${name}.git`, settings: [header] },
      },
    ]
    if (keys && sshd) {
      await post(api, 'user/keys', { title: 'bench', key: keys.publicKey })
      const over = (port: number) => [`core.sshCommand=ssh ${sshOptions(keys.file, port)}`]
      contests.push({
        transport: 'SSH',
        ours: {
          remote: name => `ssh://git@127.0.0.1:${sshPort}/${owner.name}/${name}.git`,
          settings: over(sshPort),
        },
        bare: {
          remote: name => `ssh://127.0.0.1:${sshdPort}${join(plain, name)}.git`,
          settings: over(sshdPort),
        },
      })
    }
    const small = await makeSmall(join(workDir, 'small'))
    const big = await makeLocal(join(workDir, 'big'), megabytes)
    for (const contest of contests) {
      const names = Array.from({ length: bigRounds + 1 }, (_, round) => `big-${contest.transport}-${round}`)
      for (const name of [`small-${contest.transport}`, ...names]) {
        await post(api, 'user/repos', { name })
        await git(plain, 'init', '-q', '--bare', '-b', 'main', `${name}.git`)
        // Git would otherwise unpack small pushes and compress each object again.
        await git(join(plain, `${name}.git`), 'config', 'receive.unpackLimit', '1')
      }
      await compareAll(contest, workDir, { small, big })
    }
  } finally {
    sshd?.kill()
    await bare.stop()
    await server.stop()
  }
}

/** Creates a local repository with 20 branches, which each add a small file. */
async function makeSmall(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true })
  await git(directory, 'init', '-q', '-b', 'main')
  for (let index = 0; index < 20; index++) {
    await git(directory, 'commit', '-q', '--allow-empty', '-m', `Change ${index}`)
    await git(directory, 'branch', `topic-${index}`)
  }
  return directory
}

async function compareAll(
  { transport, ours, bare }: Contest,
  workDir: string,
  local: { small: string; big: string },
): Promise<void> {
  const small = `small-${transport}`
  for (const side of [ours, bare]) {
    await git(local.small, ...configOf(side.settings), 'push', '-q', '--all', side.remote(small))
  }
  const clones = join(workDir, 'clones')
  const clone =
    (nameOf: (round: string) => string, copies = 1): Operation =>
    async (side, round) => {
      await mkdir(clones)
      const ms = await timeOf(() =>
        Promise.all(
          Array.from({ length: copies }, (_, copy) =>
            over(side, clones, 'clone', '-q', side.remote(nameOf(round)), String(copy)),
          ),
        ),
      )
      await rm(clones, { recursive: true })
      return ms
    }
  const push: Operation = async side => {
    await git(local.small, 'commit', '-q', '--allow-empty', '-m', 'Change')
    return await timeOf(() => over(side, local.small, 'push', '-q', side.remote(small), 'main'))
  }
  const pushBig: Operation = (side, round) =>
    timeOf(() => over(side, local.big, 'push', '-q', side.remote(`big-${transport}-${round}`), 'main'))
  const list: Operation = side => timeOf(() => over(side, workDir, 'ls-remote', '-q', side.remote(small)))
  const operations: [title: string, rounds: number, most: number, Operation][] = [
    ['ls-remote', 21, 1.5, list],
    ['clone', 11, 1.5, clone(() => small)],
    ['push', 11, 1.5, push],
    [`${concurrency} clones at once`, 7, 1.3, clone(() => small, concurrency)],
    [`push of ${megabytes} MB`, bigRounds, 1.15, pushBig],
    [`clone of ${megabytes} MB`, bigRounds, 1.15, clone(round => `big-${transport}-${round}`)],
  ]
  for (const [title, rounds, most, operation] of operations) {
    const times = { ours: [] as number[], bare: [] as number[] }
    for (let round = 0; round <= rounds; round++) {
      const [our, their] = [await operation(ours, `${round}`), await operation(bare, `${round}`)]
      // The first round only warms up.
      if (round === 0) continue
      times.ours.push(our)
      times.bare.push(their)
    }
    const [our, their] = [median(times.ours), median(times.bare)]
    const ratio = our / their
    out(
      `  ${transport.padEnd(4)} ${title.padEnd(16)} ${our.toFixed(0).padStart(5)} ms, bare ${their.toFixed(0).padStart(5)} ms   ` +
        `ratio ${ratio.toFixed(2)}${ratio > most ? `  ABOVE ${most}` : ''}`,
    )
  }
}

async function over({ settings }: Side, cwd: string, ...args: string[]): Promise<void> {
  await run('git', [...configOf([...settings, 'core.compression=0']), ...args], { cwd })
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const median = (times: number[]): number =>
  times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number
