import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex, Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hooksFolder } from '../storage/paths'
import { answerPushHook, installPushHooks, pushVariable } from './hooks'

const config = { repositoryDir: '' }
beforeAll(async () => {
  config.repositoryDir = await mkdtemp(join(tmpdir(), 'guildhall-hooks-'))
  await installPushHooks(config)
})
afterAll(() => rm(config.repositoryDir, { recursive: true, force: true }))

/** Runs the hook before a push of so many refs, at the other end of whose socket somebody answers. */
async function preReceive(
  refs: number,
  answer: (socket: Duplex) => void = socket => answerPushHook(socket, async () => undefined),
) {
  const push = await mkdtemp(join(config.repositoryDir, 'push-'))
  const ids = `${'0'.repeat(40)} ${'1'.repeat(40)}`
  const input = Array.from({ length: refs }, (_, index) => `${ids} refs/heads/b-${index}\n`).join('')
  const env = { PATH: process.env.PATH ?? '', [pushVariable]: push } as unknown as NodeJS.ProcessEnv
  const hook = spawn(join(hooksFolder(config), 'pre-receive'), {
    env,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  const [stdin, , stderr, socket] = hook.stdio as unknown as [Writable, Readable, Readable, Duplex]
  answer(socket)
  stdin.end(input)
  const [complaint, [status]] = await Promise.all([text(stderr), once(hook, 'close')])
  return { status, stderr: complaint, push, input }
}

it('a push of ten thousand refs is noted before it is done', async () => {
  const { status, stderr, push, input } = await preReceive(10_000)
  expect([status, stderr]).toEqual([0, ''])
  expect(await readdir(push)).toEqual(['wanted'])
  expect(await readFile(join(push, 'wanted'), 'utf8')).toBe(input)
})

it('a push of more is refused, and told how many may be', async () => {
  const { status, stderr, push } = await preReceive(10_001)
  expect([status, stderr]).toEqual([1, 'Push at most 10000 branches and tags at once.\n'])
  expect(await readdir(push)).not.toContain('wanted')
})

it('a push that may not go on is told why in one line, and not noted', async () => {
  const { status, stderr, push } = await preReceive(1, socket =>
    answerPushHook(socket, async () => `It is archived:\n$(id) "\`id\`" \\n 100%s.`),
  )
  expect([status, stderr]).toEqual([1, 'It is archived: $(id) "`id`" \\n 100%s.\n'])
  expect(await readdir(push)).toEqual([])
})

it('a push is refused when whether it may go on cannot be told', async () => {
  const failing = (socket: Duplex) => answerPushHook(socket, () => Promise.reject(new Error('meant to')))
  expect(await preReceive(1, failing)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('try again'),
  })
})

it('a push is refused when the process that would have answered is gone', async () => {
  const gone = (socket: Duplex) => void socket.once('data', () => socket.destroy())
  const { status, stderr, push } = await preReceive(1, gone)
  expect([status, stderr]).toEqual([1, expect.stringContaining('nothing was changed')])
  expect(await readdir(push)).toEqual([])
})
