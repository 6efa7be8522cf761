import type { Insertable } from 'kysely'
import { expect, it } from 'vitest'
import type { HooksTable } from '@/db/tables/hooks'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { recordEvents } from '@/server/events'
import { jobContext } from '@/server/services'
import { call } from '@/testing/call'
import { makeHook } from '@/testing/hooks'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { dispatchEvents } from '../delivery/dispatcher'
import { skipReasons, type Trace } from '../trace'

const site = useSite()

it('a dry run reports for each webhook the same outcome as the dispatcher, even if several reasons apply', async () => {
  const owner = await makePerson(site)
  const org = await makeOrg(site.db, owner.account.id)
  const { id: repositoryId } = await makeRepository(site.db, org.id)
  const flaws: Partial<Insertable<HooksTable>>[] = [
    { is_active: false },
    { disabled_reason: 'gone' },
    { events: ['release'] },
    { branch_filter: 'release/*' },
    { type: 'slack' },
  ]
  const pairs = flaws.flatMap((one, at) => flaws.slice(at + 1).map(other => ({ ...one, ...other })))
  const hooks: { id: number }[] = []
  for (const flawed of [{}, ...flaws, ...pairs])
    hooks.push(await makeHook(site, { owner_id: org.id }, flawed))
  const scope = { ownerId: org.id, repositoryId }
  const deletion = { ref: 'refs/heads/main', before: 'a'.repeat(40), after: '0'.repeat(40) }
  const push = { repositoryId, ...deletion, commits: 0, forced: false, quiet: false, summary: '', newest: [] }
  await site.db.transaction().execute(trx =>
    recordEvents(trx, { actorId: null, remoteAddress: '', requestId: 'test' }, [
      { kind: 'git.pushed', ...scope, facts: push },
      { kind: 'refs.changed', ...scope, facts: { repositoryId, refs: 1001 } },
    ]),
  )
  const events = await site.db.selectFrom('events').select('id').orderBy('id').execute()
  const received: object[] = []
  for (const { id: event_id } of events) {
    for (const { id: hookId } of hooks) {
      const path = `/orgs/${org.name}/hooks/${hookId}/dry-run`
      const { body } = await call(site, 'POST', path, { as: owner, body: { event_id } })
      received.push({ event_id, hookId, reason: body.reason })
    }
  }
  await dispatchEvents(jobContext(site.services, 'test'))
  const traces = await site.db.selectFrom('hook_traces').selectAll().orderBy('event_id').execute()
  const became = traces.flatMap(({ event_id, considered }) =>
    (considered as Trace[]).map(trace => ({
      event_id,
      hookId: trace.hookId,
      reason: trace.outcome === 'skipped' ? trace.reason : null,
    })),
  )
  expect(received).toEqual(became)
  expect(new Set(became.map(({ reason }) => reason))).toEqual(new Set([null, ...skipReasons]))
})
