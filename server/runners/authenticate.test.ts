import { expect, it } from 'vitest'
import { hubOf, type Signal } from '@/server/events'
import { jobContext } from '@/server/services'
import { makePerson } from '@/testing/people'
import { makeRunner } from '@/testing/runners'
import { useSite } from '@/testing/site'
import type { RunnerCall } from './authenticate'
import { authenticateRunner, declareRunner } from './index'
import { isBusy, isOnline } from './state'

const site = useSite()

async function registered() {
  const { runner, secret } = await makeRunner(site, await makePerson(site))
  const call = (kind: RunnerCall = 'other', credentials = {}) =>
    authenticateRunner(jobContext(site.services, 'test'), { uuid: runner.uuid, secret, ...credentials }, kind)
  const row = () =>
    site.db.selectFrom('runners').selectAll().where('id', '=', runner.id).executeTakeFirstOrThrow()
  return { runner, call, row }
}

it('a runner is authenticated only by its UUID and secret together', async () => {
  const { runner, call } = await registered()
  const { caller } = await call()
  expect(caller).toEqual({
    kind: 'runner',
    runnerId: runner.id,
    ownerId: runner.owner_id,
    repositoryId: null,
  })
  const refused = { kind: 'unauthenticated', message: 'unregistered runner' }
  for (const wrong of [
    { secret: 'f'.repeat(40) },
    { secret: '' },
    { uuid: '00000000-0000-4000-8000-000000000000' },
    { uuid: 'no uuid' },
    { uuid: '', secret: '' },
  ]) {
    await expect(call('other', wrong)).rejects.toMatchObject(refused)
  }
  await site.db.deleteFrom('runners').where('id', '=', runner.id).execute()
  await expect(call()).rejects.toMatchObject(refused)
})

it('an ephemeral runner whose job has ended can repeat its reports, but make no other calls', async () => {
  const { runner, call } = await registered()
  await site.db.updateTable('runners').set({ retired_at: new Date() }).where('id', '=', runner.id).execute()
  await expect(call()).rejects.toMatchObject({ kind: 'unauthenticated' })
  await call('report')
})

it('a runner is online for a minute after each call and busy for ten seconds after each report', async () => {
  const { runner, call, row } = await registered()
  const start = new Date('2026-03-01T00:00:00Z')
  const at = (seconds: number) => new Date(start.getTime() + seconds * 1000)
  const callAt = async (seconds: number, kind?: RunnerCall) => {
    site.now.set(at(seconds))
    await call(kind)
    return await row()
  }
  const received: Signal[] = []
  const stop = hubOf(site.db).listen(signals => void received.push(...signals))
  try {
    expect(isOnline(runner, start)).toBe(false)
    const first = await callAt(0)
    expect([isOnline(first, at(60)), isOnline(first, at(61))]).toEqual([true, false])
    expect(isBusy(first, at(0))).toBe(false)
    // The time is stored less often than the runner calls.
    expect((await callAt(29)).last_online_at).toEqual(at(0))
    expect((await callAt(30)).last_online_at).toEqual(at(30))
    const reported = await callAt(31, 'report')
    expect([isBusy(reported, at(41)), isBusy(reported, at(42))]).toEqual([true, false])
    expect((await callAt(35, 'report')).last_active_at).toEqual(at(31))
    expect((await callAt(36, 'report')).last_active_at).toEqual(at(36))
    expect(received.filter(({ kind }) => kind === 'runner.changed')).toHaveLength(1)
    await callAt(97)
    expect(received.filter(({ kind }) => kind === 'runner.changed')).toHaveLength(2)
  } finally {
    stop()
    site.now.set(undefined)
  }
})

it('a declaration replaces the previous one, except for labels that were edited on the server', async () => {
  const { runner, call } = await registered()
  const ctx = await call()
  const declaration = { version: 'v2.0.0', labels: ['a', 'b'], capabilities: ['cancelling'] }
  expect(await declareRunner(ctx, declaration)).toMatchObject(declaration)
  await site.db
    .updateTable('runners')
    .set({ labels: JSON.stringify(['mine']), labels_edited: true })
    .where('id', '=', runner.id)
    .execute()
  expect(await declareRunner(ctx, { ...declaration, labels: ['c'] })).toMatchObject({
    labels: ['mine'],
    declared_labels: ['c'],
  })
  await site.db.deleteFrom('runners').where('id', '=', runner.id).execute()
  await expect(declareRunner(ctx, declaration)).rejects.toMatchObject({ kind: 'unauthenticated' })
})
