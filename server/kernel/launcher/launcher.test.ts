import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { series } from '@/testing/series'
import { Child } from './child'
import { type Launcher, startLauncher } from './launcher'
import { type CommandOptions, endOf, env, isAlive, program, runBy } from './testing/commands'

const lost: string[] = []
const many = series(250, 1_000)
let launcher: Launcher

const before = process.env.TMPDIR
let directory = ''

beforeEach(async () => {
  lost.length = 0
  directory = await mkdtemp(join(tmpdir(), 'launched-'))
  process.env.TMPDIR = directory
  launcher = await startLauncher({ program, onLost: reason => lost.push(reason) })
})

afterEach(async () => {
  launcher.stop()
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  await rm(directory, { recursive: true, force: true })
})

const run = (script: string, options: CommandOptions = {}): Child => runBy(launcher, script, options)

it('a launched command returns its output, errors and exit code, and gets exactly its arguments and environment', async () => {
  const child = run(
    'printf "%s|" "$@" "$(pwd)"; env | grep -v "^\\(PWD\\|_\\|SHLVL\\|OLDPWD\\)="; echo no >&2; exit 7',
    {
      args: ['a b', '$c', ''],
    },
  )
  const ended = endOf(child)
  const [printed, said] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(printed).toBe(`a b|$c||/|PATH=${env.PATH}\n`)
  expect(said).toBe('no\n')
  expect(await ended).toEqual([7, null])
})

it('a launched command loses no input or output, even if it is large or sent before the start', async () => {
  const child = run('echo early; cat; echo late')
  const part = Buffer.alloc(1024 * 1024, 'x')
  let size = 0
  child.stdin.write('first')
  const reading = (async () => {
    for await (const chunk of child.stdout) size += (chunk as Buffer).length
  })()
  for (let sent = 0; sent < 40; sent++) if (!child.stdin.write(part)) await once(child.stdin, 'drain')
  child.stdin.end()
  const [end] = await Promise.all([endOf(child), reading])
  expect(end).toEqual([0, null])
  expect(size).toBe('early\nfirstlate\n'.length + 40 * part.length)
})

it('a launched command waits while its output is not read', async () => {
  const child = run('head -c 20000000 /dev/zero; echo done >&2')
  let said = ''
  child.stderr.on('data', chunk => (said += chunk))
  const chunks = child.stdout[Symbol.asyncIterator]()
  await chunks.next()
  await delay(200)
  expect(said).toBe('')
  const ended = endOf(child)
  while (!(await chunks.next()).done);
  await ended
  expect(said).toBe('done\n')
})

it('a launched command can communicate over its file descriptor 3', async () => {
  const child = run('echo "?" >&3; read -r word <&3; echo "heard $word"', { socket: true })
  const socket = child.stdio[3] as import('node:stream').Duplex
  socket.once('data', () => socket.end('go\n'))
  const ended = endOf(child)
  expect(await text(child.stdout)).toBe('heard go\n')
  expect(await ended).toEqual([0, null])
})

it('a launched command is killed by a signal with all processes that it started, even if the signal was sent before the start', async () => {
  const child = run('sleep 300 & echo $!; wait')
  const [first] = (await once(child.stdout, 'data')) as [Buffer]
  const sleeping = Number(first.toString())
  await expect.poll(() => isAlive(sleeping)).toBe(true)
  const ended = endOf(child)
  child.kill()
  child.stdout.resume()
  expect(await ended).toEqual([null, 'SIGTERM'])
  await expect.poll(() => isAlive(sleeping)).toBe(false)

  const early = run('sleep 300')
  early.kill()
  expect(await endOf(early)).toEqual([null, 'SIGTERM'])
})

it('a command that could not be started fails with the reason', async () => {
  const child = run(': ', { args: ['x'.repeat(200_000)] })
  await expect(endOf(child)).rejects.toThrow('E2BIG')
})

it('a killed launcher is restarted: commands that it had started are killed, and others are started', async () => {
  const running = run('sleep 300 & sleep 300')
  const ended = endOf(running)
  while (running.pid === undefined) await delay(5)
  const before = launcher.state().pid as number
  process.kill(before, 'SIGKILL')
  const asked = run('echo done')
  expect(await text(asked.stdout)).toBe('done\n')
  expect(await ended).toEqual([null, 'SIGKILL'])
  await expect.poll(() => isAlive(running.pid as number)).toBe(false)
  expect(launcher.state()).toMatchObject({ restarts: 1 })
  expect(launcher.state().pid).not.toBe(before)
  await expect.poll(() => lost).toEqual(['SIGKILL'])
})

it(`${many} commands that are started and stopped concurrently leave nothing behind`, {
  tags: 'series',
  timeout: 60_000,
}, async () => {
  const { pid } = launcher.state()
  const count = async (id: number | 'self' | null): Promise<number> =>
    (await readdir(`/proc/${id}/fd`)).length
  const heap = async (): Promise<number> =>
    Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
  const burst = async (): Promise<void> => {
    const children = Array.from({ length: many }, (_, index) => {
      const child = run('cat', { socket: index % 2 === 0 })
      if (index % 10 !== 0) setTimeout(() => child.kill(), index % 50)
      else child.stdin.end('x')
      child.stdout.resume()
      return child
    })
    await Promise.all(children.map(endOf))
  }
  await burst()
  const [own, its, size] = [await count('self'), await count(pid), await heap()]
  await burst()
  await expect.poll(() => count('self')).toBeLessThanOrEqual(own + 1)
  expect(await count(pid)).toBe(its)
  expect(await heap()).toBeLessThan(size * 1.25)
  expect(await childrenOf(pid as number)).toEqual([])
})

it('a launcher exits immediately if its server exited while it was starting', async () => {
  const parent = `const { fork } = require('node:child_process')
    process.stdout.write(String(fork(process.argv[1], [], { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }).pid))
    process.exit()`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', parent, program])
  await expect.poll(() => isAlive(Number(stdout)), { timeout: 10_000 }).toBe(false)
})

it('a command is started by the next launcher if its connections cannot be opened', async () => {
  const { pid } = launcher.state()
  for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true })
  expect(await text(run('echo done').stdout)).toBe('done\n')
  expect(lost).toEqual(['SIGKILL'])
  expect(launcher.state().pid).not.toBe(pid)
})

it('a launcher closes its descriptors of connections that close before the command starts', async () => {
  const [name = ''] = await readdir(directory)
  const count = async (): Promise<number> => (await readdir(`/proc/${launcher.state().pid}/fd`)).length
  const before = await count()
  for (const greeting of ['', '77', '77 0\n']) {
    const socket = connect(join(directory, name, 'socket'))
    await once(socket, 'connect')
    socket.end(greeting)
    await once(socket.resume(), 'close')
  }
  expect(await count()).toBe(before)
  const child = run('echo well')
  expect(await text(child.stdout)).toBe('well\n')
})

it.each([
  ['a long path', () => join(directory, 'long'.repeat(30))],
  ['a relative path', () => relative(process.cwd(), directory)],
])('a launcher starts commands if the temporary directory has %s', async (_, path) => {
  process.env.TMPDIR = path()
  await mkdir(process.env.TMPDIR, { recursive: true })
  const other = await startLauncher({ program })
  expect(await text(run('echo well').stdout)).toBe('well\n')
  const child = new Child({})
  other.start(child, { script: 'echo too', args: [], env })
  expect(await text(child.stdout)).toBe('too\n')
  other.stop()
})

it('a command that repeatedly crashes the launcher is started without it', async () => {
  const { pid } = launcher.state()
  const lose = (): void => {
    for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true, force: true })
  }
  lose()
  const losing = setInterval(lose, 1)
  expect(await text(run('echo done').stdout)).toBe('done\n')
  clearInterval(losing)
  expect(launcher.state().pid).not.toBe(pid)
})

it('a command that the server itself cannot start fails with the reason', async () => {
  launcher.stop()
  await expect(endOf(run(': ', { args: ['x'.repeat(200_000)] }))).rejects.toThrow('E2BIG')
  await expect(endOf(run(': ', { args: ['\0'] }))).rejects.toThrow('null bytes')
})

it('a command ends normally if its output is not read, with and without a launcher', async () => {
  expect(await endOf(run('exit 5'))).toEqual([5, null])
  launcher.stop()
  expect(await endOf(run('exit 5'))).toEqual([5, null])
  expect(await endOf(run('exit 6', { socket: true }))).toEqual([6, null])
})

it('a command is started without the launcher after the launcher is stopped', async () => {
  launcher.stop()
  expect(await text(run('echo done').stdout)).toBe('done\n')
})

const childrenOf = async (pid: number): Promise<string[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean)
