import { expect, it } from 'vitest'
import type { AccessExplanation } from '@/server/repos/schema'
import type { AccessReason, ExplainedRepository } from './access-labels'
import { groupByAccess, pushAnswer } from './explanation'

const team = (mode: 'read' | 'write') => ({
  source: 'team' as const,
  mode,
  team: { id: 7, name: 'Builders' },
})

it('groupByAccess groups parts that have the same access for the same reasons, and keeps all others separate', () => {
  const groups = groupByAccess([
    { unit: 'repo.code', mode: 'write', reasons: [team('write')] },
    { unit: 'repo.issues', mode: 'read', reasons: [team('read')] },
    { unit: 'repo.wiki', mode: 'read', reasons: [{ source: 'public', mode: 'read' }] },
    { unit: 'repo.pulls', mode: 'write', reasons: [team('write')] },
    { unit: 'repo.actions', mode: 'none', reasons: [] },
  ])
  expect(groups.map(group => group.units)).toEqual([
    ['repo.code', 'repo.pulls'],
    ['repo.issues'],
    ['repo.wiki'],
    ['repo.actions'],
  ])
})

it('groupByAccess returns an empty list if there are no parts', () => {
  expect(groupByAccess([])).toEqual([])
})

const subject: ExplainedRepository = {
  private: false,
  full_name: 'acme/site',
  owner: { login: 'acme', visibility: 'public' },
}
const builders: AccessReason = { source: 'team', mode: 'write', team: { id: 7, name: 'Builders' } }
const user = { login: 'ada' } as AccessExplanation['user']
const everyone: AccessReason = { source: 'public', mode: 'read' }

function answer(
  reasons: AccessReason[],
  where: Partial<ExplainedRepository> = {},
  reason: AccessExplanation['push']['reason'] = null,
) {
  const mode = reasons[0]?.mode ?? 'none'
  const push = { allowed: reason === null, reason, account: null }
  return pushAnswer(
    { user, mode, push, units: [{ unit: 'repo.code', mode, reasons }] },
    { ...subject, ...where },
  )
}

it.each<[string, AccessReason, string]>([
  ['a site administrator', { source: 'siteAdmin', mode: 'owner' }, 'site administrator'],
  ['a repository owner', { source: 'owner', mode: 'owner' }, 'repository owner'],
  ['an organization owner', { source: 'organizationOwner', mode: 'owner' }, 'owner of the organization acme'],
  ['a team member', builders, 'the team “Builders” grants write access'],
  ['a collaborator', { source: 'collaborator', mode: 'admin' }, 'collaborator with admin access'],
])('pushAnswer says that %s can push, and why', (_, reason, words) => {
  expect(answer([reason, everyone])).toEqual({ can: true, sentence: `ada can push: ${words}.` })
})

it('pushAnswer names every reason that grants write access, and no others', () => {
  expect(answer([{ source: 'collaborator', mode: 'admin' }, builders, everyone]).sentence).toBe(
    'ada can push: collaborator with admin access; the team “Builders” grants write access.',
  )
})

it.each([
  ['public', 'everyone'],
  ['limited', 'everyone who is signed in'],
  ['private', 'every member of acme'],
] as const)(
  'pushAnswer says that someone who can only read the repositories of a %s account can’t push',
  (visibility, who) => {
    expect(answer([everyone], { owner: { login: 'acme', visibility } }, 'access')).toEqual({
      can: false,
      sentence: `ada can’t push: they have only read access to the code (${who} can read this repository).`,
    })
  },
)

it('pushAnswer says that someone without access to the code can’t push', () => {
  expect(answer([], {}, 'access').sentence).toBe('ada can’t push: they have no access to the code.')
})

it('pushAnswer says that a team member with write access can’t push to an archived repository', () => {
  expect(answer([builders], {}, 'archived').sentence).toBe(
    'ada can’t push: the repository is archived and read-only.',
  )
})

it.each([
  ['locked', 'the account is locked'],
  ['inactive', 'the account hasn’t been activated yet'],
  ['passwordDue', 'the account’s password must be changed first'],
] as const)(
  'pushAnswer gives the account’s state “%s” as the only reason why it can’t push',
  (account, why) => {
    const push = { allowed: false, reason: 'account' as const, account }
    const explanation: AccessExplanation = { user, mode: 'write', push, units: [] }
    expect(pushAnswer(explanation, subject).sentence).toBe(`ada can’t push: ${why}.`)
  },
)

it('pushAnswer addresses viewers as “you” when it explains their own access', () => {
  const push = { allowed: false, reason: 'access' as const, account: null }
  const explanation: AccessExplanation = { user, mode: 'none', push, units: [] }
  expect(pushAnswer(explanation, subject, true).sentence).toBe(
    'You can’t push: you have no access to the code.',
  )
})
