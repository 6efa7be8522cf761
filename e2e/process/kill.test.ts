import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { series } from '@/testing/series'
import { addKey, adminToken, allTitles, freshKey } from './api'
import { adminEnvironment, dataDirectory, start } from './guildhall'

const sites = series(1, 2)
const roundsEach = series(1, 3)
const lanes = 4

it(`no acknowledged key is lost when the process is killed while keys are added (kills: ${sites * roundsEach})`, {
  tags: 'series',
  timeout: 240_000,
}, async () => {
  await Promise.all(Array.from({ length: sites }, killWhileAdding))
})

async function killWhileAdding(): Promise<void> {
  await using directory = await dataDirectory()
  const environment = { GUILDHALL_DATA_DIR: directory.path, ...adminEnvironment }
  const acknowledged = new Set<string>()
  let token: string | undefined
  for (let round = 0; round < roundsEach; round++) {
    const guildhall = await start(environment)
    token ??= await adminToken(guildhall.url)
    const adding = Array.from({ length: lanes }, () => addUntilDead(guildhall.url, token ?? '', acknowledged))
    // Waits until some keys of this round are acknowledged, then kills the process at a random point of other
    // requests.
    const soon = acknowledged.size + lanes
    while (acknowledged.size < soon) await delay(10)
    await delay(Math.random() * 200)
    await guildhall.end('SIGKILL')
    await Promise.all(adding)
  }
  const survivor = await start(environment)
  const titles = await allTitles(survivor.url, token ?? '')
  await survivor.end('SIGTERM')
  expect(acknowledged.size).toBeGreaterThanOrEqual(roundsEach * lanes)
  expect([...acknowledged].filter(title => !titles.has(title))).toEqual([])
}

async function addUntilDead(url: string, token: string, acknowledged: Set<string>): Promise<void> {
  for (;;) {
    const body = freshKey()
    const response = await addKey(url, token, body).catch(() => undefined)
    if (!response) return
    if (response.status === 201) acknowledged.add(body.title)
  }
}
