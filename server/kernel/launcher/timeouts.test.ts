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

// What takes seconds of waiting runs at once, each with a launcher of its own.
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
    // Of the last one that starts, which is also the one that looks here again.
    process.env.TMPDIR = directory
    lost = await begin(reason => reasons.push(reason))
  })
  afterAll(async () => {
    for (const launcher of launchers) launcher.stop()
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await rm(directory, { recursive: true, force: true })
  })

  it('ends what a command leaves behind, whatever that makes of a polite signal', async ({ expect }) => {
    const child = runBy(tidy!, `sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' & sleep 0.2`)
    const ended = endOf(child)
    const [first] = (await once(child.stdout, 'data')) as [Buffer]
    child.stdout.resume()
    expect(await ended).toEqual([0, null])
    await expect.poll(() => isAlive(Number(first.toString())), soon).toBe(false)
  })

  it('ends everything when its server hangs up', async ({ expect }) => {
    const polite = runBy(left!, 'sleep 300')
    const rude = runBy(left!, 'trap "" TERM; while :; do sleep 1; done')
    while (polite.pid === undefined || rude.pid === undefined) await delay(5)
    const { pid } = left!.state()
    left!.stop()
    for (const one of [polite.pid, rude.pid, pid as number])
      await expect.poll(() => isAlive(one), soon).toBe(false)
  })

  it('that cannot be started again lets commands be ended, and they are then started without it', async ({
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
