import { setTimeout as delay } from 'node:timers/promises'
import type { Target } from './load'
import { seed } from './seed'
import { type Ground, startServer } from './server-process'

export interface Contestant extends Target {
  name: string
  idleMb: number
  stop(): Promise<void>
}

/** Fills a database, starts the program on it, and waits until its memory has settled. */
export async function startContestant(
  name: string,
  script: string,
  port: number,
  ground: Ground,
): Promise<Contestant> {
  const tokens = await seed(ground)
  const { url, stop, residentMb } = await startServer(script, port, ground)
  await delay(3000)
  return { name, url, tokens, idleMb: await residentMb(), stop }
}
