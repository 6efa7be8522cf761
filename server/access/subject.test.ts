import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { appRouter } from '@/server/api/root'
import { reauthenticate } from '@/server/auth/reauthenticate'
import { anonymous, type Caller, isAdmin, isSelf, signedInUser } from '@/server/kernel/caller'
import { everyJobScope } from '@/server/kernel/job-permissions'
import { loadOrganization } from '@/server/orgs'
import { getRepository, openForFetch, openForPush } from '@/server/repos'
import { jobContext } from '@/server/services'
import type { RequestCtx } from '@/server/trpc/init'
import { jobCaller } from '@/testing/job-caller'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { subjectOf } from './subject'

const site = useSite()

// Callers that act for no person. The job's own repository is the private one of the scene.
const callers: [string, (repositoryId: number) => Caller][] = [
  ['the system', () => ({ kind: 'system', job: 'test.run' })],
  [
    'a job of the repository',
    repositoryId => jobCaller({ repositoryId, permissions: { ...everyJobScope('none'), contents: 'read' } }),
  ],
]

async function makeScene(callerOf: (repositoryId: number) => Caller) {
  const ada = await makePerson(site)
  const open = await makeRepository(site.db, ada.account.id)
  const hidden = await makeRepository(site.db, ada.account.id, { is_private: true })
  const org = await makeOrg(site.db, ada.account.id, { visibility: 'private' })
  const caller = callerOf(hidden.id)
  const ctx = { ...jobContext(site.services, 'test.run'), caller }
  return {
    ada,
    org,
    caller,
    ctx,
    at: ({ name }: { name: string }) => ({ owner: ada.name, repo: name }),
    open,
    hidden,
  }
}

describe.each(callers)('%s', (_, callerOf) => {
  it('is anonymous to the access rules and is not an administrator', async () => {
    const { ada, caller, hidden } = await makeScene(callerOf)
    const job = { job: expect.objectContaining({ repositoryId: hidden.id, actor: null }) }
    expect(subjectOf(caller)).toEqual({ kind: 'anonymous', ...(caller.kind === 'job' && job) })
    expect([signedInUser(caller), isAdmin(caller)]).toEqual([undefined, false])
    expect([isSelf(caller, ada.account.id), isSelf(caller, null)]).toEqual([false, false])
  })

  it('reads only public repositories and, as a job, its own, and can push to none', async () => {
    const { ctx, caller, at, open, hidden, org } = await makeScene(callerOf)
    expect((await getRepository(ctx, at(open))).repository.id).toBe(open.id)
    await expect(openForPush(ctx, at(open))).rejects.toMatchObject({ kind: 'forbidden' })
    if (caller.kind === 'job') {
      expect((await getRepository(ctx, at(hidden))).repository.id).toBe(hidden.id)
      await expect(openForPush(ctx, at(hidden))).rejects.toMatchObject({ kind: 'forbidden' })
    } else {
      for (const refused of [getRepository, openForFetch, openForPush]) {
        await expect(refused(ctx, at(hidden))).rejects.toMatchObject({ kind: 'notFound' })
      }
    }
    await expect(loadOrganization(ctx, org.name, 'view')).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('is rejected when its credential is checked again', async () => {
    const { ctx, caller } = await makeScene(callerOf)
    await expect(reauthenticate(ctx, caller)).rejects.toMatchObject({ kind: 'unauthenticated' })
  })

  it('gets the same result as a visitor from every procedure, or is refused', async () => {
    const answersTo = async (caller: Caller) => {
      const ctx = { ...jobContext(site.services, 'test.run'), caller, out: { cookies: [] }, userAgent: '' }
      const answers: Record<string, unknown> = {}
      for (const path of Object.keys(appRouter._def.procedures)) {
        answers[path] = await call(ctx, path).then(
          () => 'ok',
          error => error.code,
        )
      }
      return answers
    }
    const [answers, visitors] = [await answersTo(callerOf(1)), await answersTo(anonymous)]
    const more = Object.entries(answers).filter(
      ([path, answer]) => answer !== 'FORBIDDEN' && answer !== visitors[path],
    )
    expect(more).toEqual([])
    expect(answers['instance.getStatus']).toBe('ok')
    expect(answers['users.getMe']).toMatch(/^(FORBIDDEN|UNAUTHORIZED)$/)
  })
})

async function call(ctx: RequestCtx, path: string): Promise<unknown> {
  const caller: unknown = path
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], appRouter.createCaller(ctx))
  return await (caller as () => Promise<unknown>)()
}
