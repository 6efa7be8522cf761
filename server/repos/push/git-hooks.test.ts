import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex, Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hooksFolder } from '../storage/paths'
import { answerPushHook, installPushHooks, pushVariable } from './git-hooks'
import { skipsWorkflows } from './options'

const config = { repositoryDir: '' }
beforeAll(async () => {
  config.repositoryDir = await mkdtemp(join(tmpdir(), 'guildhall-hooks-'))
  await installPushHooks(config)
})
afterAll(() => rm(config.repositoryDir, { recursive: true, force: true }))

/** Runs the pre-receive hook for a push of this many refs, with a listener at the other end of its socket. */
async function preReceive(
  refs: number,
  answer: (socket: Duplex) => void = socket => answerPushHook(socket, async () => undefined),
  options: readonly string[] = [],
) {
  const push = await mkdtemp(join(config.repositoryDir, 'push-'))
  const ids = `${'0'.repeat(40)} ${'1'.repeat(40)}`
  const input = Array.from({ length: refs }, (_, index) => `${ids} refs/heads/b-${index}\n`).join('')
  const variables = options.map((option, index) => [`GIT_PUSH_OPTION_${index}`, option])
  const env = {
    PATH: process.env.PATH ?? '',
    [pushVariable]: push,
    ...(variables.length > 0 && { GIT_PUSH_OPTION_COUNT: String(variables.length) }),
    ...Object.fromEntries(variables),
  } as unknown as NodeJS.ProcessEnv
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

it('the pre-receive hook stores the requested updates of a push of 10,000 refs', async () => {
  const { status, stderr, push, input } = await preReceive(10_000)
  expect([status, stderr]).toEqual([0, ''])
  expect(await readdir(push)).toEqual(['wanted'])
  expect(await readFile(join(push, 'wanted'), 'utf8')).toBe(input)
})

it('the pre-receive hook rejects a push of more than 10,000 refs and states the limit', async () => {
  const { status, stderr, push } = await preReceive(10_001)
  expect([status, stderr]).toEqual([1, 'Push at most 10000 branches and tags at a time.\n'])
  expect(await readdir(push)).not.toContain('wanted')
})

it('the pre-receive hook stores push options verbatim, next to the requested updates', async () => {
  const options = ['ci.skip', 'a="b c" $(id) `id` \\n %s', "it's", '']
  const { status, stderr, push } = await preReceive(1, undefined, options)
  expect([status, stderr]).toEqual([0, ''])
  expect(await readdir(push)).toEqual(['options', 'wanted'])
  expect(await readFile(join(push, 'options'), 'utf8')).toBe(options.map(option => `${option}\n`).join(''))
  expect(await skipsWorkflows(push)).toBe(true)
})

it.each([
  ['101 options', Array.from({ length: 101 }, () => 'a')],
  ['options of more than 64 KiB', ['x'.repeat(40_000), 'y'.repeat(40_000)]],
])('the pre-receive hook rejects a push with %s and states the limits', async (_, options) => {
  const { status, stderr, push } = await preReceive(1, undefined, options)
  expect([status, stderr]).toEqual([1, 'Use at most 100 push options, with a maximum of 64 KiB in total.\n'])
  expect(await readdir(push)).not.toContain('wanted')
})

it.each([
  ...['ci.skip', 'skip-ci', 'ci-skip', 'CI.SKIP', 'ci.skip=true', 'ci.no_pipeline'].map(
    option => [option, true] as const,
  ),
  ...['ci.skip=false', 'skip', 'xci.skip', 'ci.variable=ci.skip', ''].map(option => [option, false] as const),
])('for the push option %j, skipsWorkflows returns %s', async (option, expected) => {
  const { push } = await preReceive(1, undefined, ['merge_request.create', option])
  expect(await skipsWorkflows(push)).toBe(expected)
})

it('a refused push is rejected with the reason on one line, and its requested updates are removed', async () => {
  const { status, stderr, push } = await preReceive(1, socket =>
    answerPushHook(socket, async () => `It is archived:\n$(id) "\`id\`" \\n 100%s.`),
  )
  expect([status, stderr]).toEqual([1, 'It is archived: $(id) "`id`" \\n 100%s.\n'])
  expect(await readdir(push)).toEqual([])
})

it('a push is rejected if the server’s check of the push throws an error', async () => {
  const failing = (socket: Duplex) => answerPushHook(socket, () => Promise.reject(new Error('meant to')))
  expect(await preReceive(1, failing)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('try again'),
  })
})

it('a push is rejected if the server process ends before it responds to the hook', async () => {
  const hangUp = (socket: Duplex) => void socket.once('data', () => socket.destroy())
  const { status, stderr, push } = await preReceive(1, hangUp)
  expect([status, stderr]).toEqual([1, expect.stringContaining('nothing was changed')])
  expect(await readdir(push)).toEqual([])
})
