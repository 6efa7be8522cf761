import { expect, it } from 'vitest'
import type { AccessExplanation } from '@/server/repos/schema'
import type { AccessReason, ExplainedRepository } from './access-labels'
import { groupByAccess, pushAnswer } from './explanation'

const team = (mode: 'read' | 'write') => ({
  source: 'team' as const,
  mode,
  team: { id: 7, name: 'Builders' },
})

it('parts with the same rights for the same reasons stand together, the others apart', () => {
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

it('nothing is nothing', () => {
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
  ['an administrator', { source: 'siteAdmin', mode: 'owner' }, 'administrator of this site'],
  ['an owner', { source: 'owner', mode: 'owner' }, 'owner of the repository'],
  [
    'an owner of the organization',
    { source: 'organizationOwner', mode: 'owner' },
    'owner of the organization acme',
  ],
  ['a team', builders, 'team “Builders” gives write'],
  ['a collaborator', { source: 'collaborator', mode: 'admin' }, 'collaborator with admin'],
])('%s can push, and the line says by what', (_, reason, words) => {
  expect(answer([reason, everyone])).toEqual({ can: true, sentence: `ada can push: ${words}.` })
})

it('every ground that suffices is named, and none that does not', () => {
  expect(answer([{ source: 'collaborator', mode: 'admin' }, builders, everyone]).sentence).toBe(
    'ada can push: collaborator with admin; team “Builders” gives write.',
  )
})

it.each([
  ['public', 'everyone'],
  ['limited', 'everyone who is signed in'],
  ['private', 'every member of acme'],
] as const)('reading what a %s account shows is not pushing', (visibility, who) => {
  expect(answer([everyone], { owner: { login: 'acme', visibility } }, 'access')).toEqual({
    can: false,
    sentence: `ada cannot push: the highest right on the code is read (${who} may read it).`,
  })
})

it('without any ground nothing gives access', () => {
  expect(answer([], {}, 'access').sentence).toBe('ada cannot push: nothing gives access to the code.')
})

it('nobody can push to an archived repository', () => {
  expect(answer([builders], {}, 'archived').sentence).toBe(
    'ada cannot push: the repository is archived, so nobody can.',
  )
})

it.each([
  ['locked', 'the account is locked'],
  ['inactive', 'the account is not activated yet'],
  ['passwordDue', 'the password must be changed first'],
] as const)('an account that may not act cannot push, for the one reason that it is %s', (account, why) => {
  const push = { allowed: false, reason: 'account' as const, account }
  const explanation: AccessExplanation = { user, mode: 'write', push, units: [] }
  expect(pushAnswer(explanation, subject).sentence).toBe(`ada cannot push: ${why}.`)
})

it('speaks to the person it is about', () => {
  const push = { allowed: false, reason: 'access' as const, account: null }
  const explanation: AccessExplanation = { user, mode: 'none', push, units: [] }
  expect(pushAnswer(explanation, subject, true).sentence).toBe(
    'You cannot push: nothing gives access to the code.',
  )
})
