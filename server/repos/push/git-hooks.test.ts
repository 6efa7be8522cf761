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

/** Runs the hook before a push of so many refs, at the other end of whose socket somebody answers. */
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

it('the options of a push are noted as they are, beside what it wants', async () => {
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
])('a push with %s is refused, and told how many may be', async (_, options) => {
  const { status, stderr, push } = await preReceive(1, undefined, options)
  expect([status, stderr]).toEqual([1, 'Push with at most 100 options, of 64 KiB in all.\n'])
  expect(await readdir(push)).not.toContain('wanted')
})

it.each([
  ...['ci.skip', 'skip-ci', 'ci-skip', 'CI.SKIP', 'ci.skip=true', 'ci.no_pipeline'].map(
    option => [option, true] as const,
  ),
  ...['ci.skip=false', 'skip', 'xci.skip', 'ci.variable=ci.skip', ''].map(option => [option, false] as const),
])('the option %j asks for no workflows: %s', async (option, expected) => {
  const { push } = await preReceive(1, undefined, ['merge_request.create', option])
  expect(await skipsWorkflows(push)).toBe(expected)
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
  const hangUp = (socket: Duplex) => void socket.once('data', () => socket.destroy())
  const { status, stderr, push } = await preReceive(1, hangUp)
  expect([status, stderr]).toEqual([1, expect.stringContaining('nothing was changed')])
  expect(await readdir(push)).toEqual([])
})
