import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Launcher, startLauncher } from './launcher'
import { endOf, isAlive, program, runBy } from './testing/commands'

const before = process.env.TMPDIR
const soon = { timeout: 5_000 }

// These tests wait for seconds, so they run concurrently, each with its own launcher.
describe.concurrent('a launcher', () => {
  const launchers: Launcher[] = []
  const begin = async (onLost?: (reason: string) => void): Promise<Launcher> => {
    const launcher = await startLauncher({ program, ...(onLost && { onLost }) })
    launchers.push(launcher)
    return launcher
  }
  let [tidy, left, lost]: Launcher[] = []
  const reasons: string[] = []
  let directory: string

  beforeAll(async () => {
    tidy = await begin()
    left = await begin()
    directory = await mkdtemp(join(tmpdir(), 'launched-'))
    // Only for the launcher that is started last; it also looks in this directory when it is restarted.
    process.env.TMPDIR = directory
    lost = await begin(reason => reasons.push(reason))
  })
  afterAll(async () => {
    for (const launcher of launchers) launcher.stop()
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await rm(directory, { recursive: true, force: true })
  })

  it('stops processes that a command leaves running, even if they ignore SIGTERM', async ({ expect }) => {
    const child = runBy(tidy!, `sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' & sleep 0.2`)
    const ended = endOf(child)
    const [first] = (await once(child.stdout, 'data')) as [Buffer]
    child.stdout.resume()
    expect(await ended).toEqual([0, null])
    await expect.poll(() => isAlive(Number(first.toString())), soon).toBe(false)
  })

  it('stops all commands when its server disconnects', async ({ expect }) => {
    const polite = runBy(left!, 'sleep 300')
    const rude = runBy(left!, 'trap "" TERM; while :; do sleep 1; done')
    while (polite.pid === undefined || rude.pid === undefined) await delay(5)
    const { pid } = left!.state()
    left!.stop()
    for (const one of [polite.pid, rude.pid, pid as number])
      await expect.poll(() => isAlive(one), soon).toBe(false)
  })

  it('stops waiting commands on request if it cannot be restarted, and later commands are started without it', async ({
    expect,
  }) => {
    await rm(directory, { recursive: true })
    process.kill(lost!.state().pid as number, 'SIGKILL')
    await expect.poll(() => lost!.state().pid).toBe(null)
    const [aborted, other] = [runBy(lost!, 'sleep 300'), runBy(lost!, 'echo done; exit 3')]
    aborted.kill()
    expect(await endOf(aborted)).toEqual([null, 'SIGTERM'])
    const ended = endOf(other)
    expect(await text(other.stdout)).toBe('done\n')
    expect(await ended).toEqual([3, null])
    expect(reasons.join()).toContain('SIGKILL,ENOENT')
    await mkdir(directory)
    await expect.poll(() => lost!.state().pid, { timeout: 15_000 }).not.toBe(null)
    expect(await text(runBy(lost!, 'echo again').stdout)).toBe('again\n')
  })
})
