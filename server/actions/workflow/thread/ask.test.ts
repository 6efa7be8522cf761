import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createLog } from '@/server/kernel/log'
import { askThread } from './ask'

const log = createLog('silent')
const asking = (address: string) => ({ caller: { kind: 'anonymous' }, remoteAddress: address, log }) as const

const many = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')
const steps = 'steps: [{ run: make }]'
const chainOf = (length: number) =>
  `on: push\njobs:\n${many(length, at => `  j${at}: { runs-on: x, ${at ? `needs: j${at - 1}, ` : ''}${steps} }`)}\n`
const includes = `on: push\njobs:\n  a:\n    runs-on: x\n    ${steps}\n    strategy:\n      matrix:\n        include:\n${many(3000, at => `          - { os: l${at} }`)}\n`
const crons = `on:\n  schedule:\n${many(5000, at => `    - cron: '${at % 60} * * * *'`)}\njobs:\n  a: { runs-on: x, ${steps} }\n`

const plan = (document: string, address = '') =>
  askThread(asking(address), 'plan', { document, path: 'a.yml', context: {} })

it('askThread does not block the main thread while it reads a slow workflow', async () => {
  await plan(chainOf(1))
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await setTimeout(500)
  const idle = delay.max / 1e6
  delay.reset()
  await expect(plan(chainOf(1000))).rejects.toThrow('1,000 jobs in a single dependency chain; at most 256')
  await expect(plan(includes)).rejects.toThrow("3,000 include entries in job 'a'; at most 256")
  await expect(plan(crons)).rejects.toThrow('5,000 entries in on.schedule; at most 50')
  expect((await plan(chainOf(256))).jobs).toHaveLength(256)
  delay.disable()
  expect(delay.max / 1e6 - idle).toBeLessThan(150)
})

it('askThread lets another caller have their turn before one with many questions is done', async () => {
  const done: string[] = []
  const ask = async (address: string) => {
    await plan(chainOf(100), address)
    done.push(address)
  }
  const first = Array.from({ length: 10 }, () => ask('192.0.2.1'))
  await Promise.all([...first, ask('192.0.2.2')])
  expect(done.indexOf('192.0.2.2')).toBeLessThan(3)
})

it('askThread does not report an internal error as a mistake in the workflow', async () => {
  const wrong = askThread(asking(''), 'no such' as 'plan', { document: '', path: '', context: {} })
  await expect(wrong).rejects.not.toHaveProperty('kind')
})
