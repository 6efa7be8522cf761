import { Agent } from 'undici'
import type { OpenDatabase } from '@/db/client'
import { announce } from '@/server/events'
import { parseConfig } from '@/server/kernel/config'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { createLog } from '@/server/kernel/log'
import { createDiskStorage } from '@/server/kernel/storage/disk/disk'
import { createServices, jobContext, type Services } from '@/server/services'
import { sendUntilStopped } from '../sender'
import { sealing } from './queue'

/** A simulated process of a site, with a clock that the test controls. */
export interface TestProcess {
  ctx: ServiceCtx
  services: Services
  now: Date
  lines: Record<string, unknown>[]
}

export function makeProcess(
  database: OpenDatabase,
  environment: Record<string, string> = {},
  now = new Date(),
): TestProcess {
  const lines: Record<string, unknown>[] = []
  const log = createLog('debug', { write: line => void lines.push(JSON.parse(line)) })
  const made = { lines, now } as TestProcess
  const clock = { now: () => made.now }
  const config = { ...parseConfig(environment), ...sealing }
  made.services = createServices(config, database, createDiskStorage('/nonexistent', log), log, clock)
  made.ctx = jobContext(made.services, 'test')
  return made
}

/** Runs the webhook sender in a simulated process until `stop` is called. */
export function startSending({ ctx, services }: TestProcess, isAlone = false): { stop(): Promise<void> } {
  const dispatcher = new Agent()
  const stopping = new AbortController()
  const aloneAt = isAlone ? ctx.clock.now() : undefined
  const options = { signal: stopping.signal, aloneAt, metrics: services.metrics, graceMs: 500 }
  const sent = sendUntilStopped(ctx, async () => dispatcher, options)
  return {
    async stop() {
      stopping.abort()
      await sent
      await dispatcher.destroy()
    },
  }
}

/**
 * Makes a simulated process check for due deliveries, as real processes do after commits and periodically.
 */
export function wake({ ctx }: TestProcess): void {
  announce(ctx.db, { kind: 'hook.delivery_changed', hookId: 0 })
}
