import { setTimeout as delay } from 'node:timers/promises'
import type { Target } from './load'
import { seed } from './seed'
import { type ServerData, startServer } from './server-process'

export interface Contestant extends Target {
  name: string
  idleMb: number
  stop(): Promise<void>
}

/**
 * Fills a database with test data, starts a server that uses it, and waits until the server's memory usage
 * settles.
 */
export async function startContestant(
  name: string,
  script: string,
  port: number,
  data: ServerData,
): Promise<Contestant> {
  const tokens = await seed(data)
  const { url, stop, residentMb } = await startServer(script, port, data)
  await delay(3000)
  return { name, url, tokens, idleMb: await residentMb(), stop }
}
