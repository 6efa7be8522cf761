import { describe, expect, it } from 'vitest'
import type { Visibility } from '@/db/tables/users'
import type { AccessMode } from './access-mode'
import {
  decideRepositoryAccess,
  maySeeRepository,
  type RepositoryFacts,
  type Subject,
  type TeamGrant,
} from './decide'
import { everyUnit, type Unit, units } from './units'

const person = { kind: 'user', id: 7, isAdmin: false, isRestricted: false, publicOnly: false } as const
const orgId = 1

interface Caller {
  subject: Subject
  facts?: Partial<RepositoryFacts>
}

const team = (mode: AccessMode, granted: TeamGrant['units'] = {}): TeamGrant => ({
  team: { id: 5, name: 'builders' },
  mode,
  units: granted,
})
const inTeam = (grant: TeamGrant, subject: Subject = person): Caller => ({
  subject,
  facts: { isMember: true, teams: [grant] },
})
const collaborator = (mode: AccessMode, subject: Subject = person): Caller => ({
  subject,
  facts: { collaborator: mode },
})
const onCode = (mode: AccessMode) => team(mode, { 'repo.code': mode })

const publicOnly = { ...person, publicOnly: true }
const restricted = { ...person, isRestricted: true }

const callers = {
  anonymous: { subject: { kind: 'anonymous' } },
  outsider: { subject: person },
  'restricted outsider': { subject: restricted },
  'outsider with a public-only token': { subject: publicOnly },
  'organization member': { subject: person, facts: { isMember: true } },
  'restricted member': { subject: restricted, facts: { isMember: true } },
  'team with none on the code': inTeam(onCode('none')),
  'team with read on the code': inTeam(onCode('read')),
  'team with write on the code': inTeam(onCode('write')),
  'team with admin on the code': inTeam(team('read', { 'repo.code': 'admin' })),
  'team without the code': inTeam(team('write', { 'repo.wiki': 'write' })),
  'admin team': inTeam(team('admin')),
  'restricted, in a team with write': inTeam(onCode('write'), restricted),
  'team with write, public-only token': inTeam(onCode('write'), publicOnly),
  'organization owner': { subject: person, facts: { isMember: true, isOrganizationOwner: true } },
  'organization owner, public-only token': {
    subject: publicOnly,
    facts: { isMember: true, isOrganizationOwner: true },
  },
  'collaborator to read': collaborator('read'),
  'collaborator to write': collaborator('write'),
  'collaborator to administer': collaborator('admin'),
  'restricted collaborator': collaborator('write', restricted),
  'collaborator, public-only token': collaborator('admin', publicOnly),
  'repository owner': { subject: { ...person, id: orgId }, facts: { owner: personalOwner('public') } },
  'site admin': { subject: { ...person, isAdmin: true } },
  'site admin, public-only token': { subject: { ...publicOnly, isAdmin: true } },
} satisfies Record<string, Caller>

function personalOwner(visibility: Visibility): RepositoryFacts['owner'] {
  return { id: orgId, visibility, isOrganization: false }
}

function decide({ subject, facts = {} }: Caller, isPrivate = true, visibility: Visibility = 'public') {
  const owner = { isOrganization: true, ...facts.owner, id: orgId, visibility }
  const nobody = { isMember: false, isOrganizationOwner: false, teams: [], collaborator: undefined }
  return decideRepositoryAccess(subject, { ...nobody, ...facts, isPrivate, owner })
}

function decided(caller: Caller, unit: Unit, isPrivate?: boolean, visibility?: Visibility): string {
  const { mode, reasons } = decide(caller, isPrivate, visibility).units[unit]
  expect(mode).toBe(reasons[0]?.mode ?? 'none')
  return reasons.map(reason => `${reason.source} ${reason.mode}`).join(', ')
}

type Name = keyof typeof callers
const admin = 'siteAdmin owner'
const orgOwner = 'organizationOwner owner'

// For each kind of caller: the reasons for their access to the code, strongest first, of a public repository
// whose owner is public, limited or private, and then of a private repository.
const onTheCode: [Name, publicRepo: [string, string, string], privateRepo: [string, string, string]][] = [
  ['anonymous', ['public read', '', ''], ['', '', '']],
  ['outsider', ['public read', 'public read', ''], ['', '', '']],
  ['restricted outsider', ['public read', '', ''], ['', '', '']],
  ['outsider with a public-only token', ['public read', '', ''], ['', '', '']],
  ['organization member', ['public read', 'public read', 'public read'], ['', '', '']],
  ['restricted member', ['public read', 'public read', 'public read'], ['', '', '']],
  ['team with none on the code', ['public read', 'public read', 'public read'], ['', '', '']],
  ['team with read on the code', always('team read, public read'), always('team read')],
  ['team with write on the code', always('team write, public read'), always('team write')],
  ['team with admin on the code', always('team admin, public read'), always('team admin')],
  ['team without the code', always('public read'), always('')],
  ['admin team', always('team admin, public read'), always('team admin')],
  ['restricted, in a team with write', always('team write, public read'), always('team write')],
  ['team with write, public-only token', ['team write, public read', '', ''], always('')],
  ['organization owner', always(`${orgOwner}, public read`), always(orgOwner)],
  ['organization owner, public-only token', [`${orgOwner}, public read`, '', ''], always('')],
  [
    'collaborator to read',
    ['collaborator read, public read', 'collaborator read, public read', 'collaborator read'],
    always('collaborator read'),
  ],
  [
    'collaborator to write',
    ['collaborator write, public read', 'collaborator write, public read', 'collaborator write'],
    always('collaborator write'),
  ],
  [
    'collaborator to administer',
    ['collaborator admin, public read', 'collaborator admin, public read', 'collaborator admin'],
    always('collaborator admin'),
  ],
  [
    'restricted collaborator',
    ['collaborator write, public read', 'collaborator write', 'collaborator write'],
    always('collaborator write'),
  ],
  ['collaborator, public-only token', ['collaborator admin, public read', '', ''], always('')],
  [
    'repository owner',
    ['owner owner, public read', 'owner owner, public read', 'owner owner'],
    always('owner owner'),
  ],
  ['site admin', [`${admin}, public read`, `${admin}, public read`, admin], always(admin)],
  ['site admin, public-only token', [`${admin}, public read`, '', ''], always('')],
]

function always(reasons: string): [string, string, string] {
  return [reasons, reasons, reasons]
}

const visibilities = ['public', 'limited', 'private'] as const

describe('decideRepositoryAccess on the code unit', () => {
  it('lets everyone who is signed in see each repository that anonymous visitors see', () => {
    for (const caller of Object.values<Caller>(callers)) {
      for (const isPrivate of [false, true]) {
        for (const visibility of visibilities) {
          if (!maySeeRepository(decide(callers.anonymous, isPrivate, visibility))) continue
          expect(maySeeRepository(decide(caller, isPrivate, visibility))).toBe(true)
        }
      }
    }
  })

  it('is covered by the table below for every kind of caller', () => {
    expect(onTheCode.map(([name]) => name)).toEqual(Object.keys(callers))
  })

  it.each(onTheCode)(
    'grants the expected modes for the expected reasons to: %s',
    (name, publicRepo, privateRepo) => {
      const caller = callers[name]
      expect(visibilities.map(visibility => decided(caller, 'repo.code', false, visibility))).toEqual(
        publicRepo,
      )
      expect(visibilities.map(visibility => decided(caller, 'repo.code', true, visibility))).toEqual(
        privateRepo,
      )
    },
  )
})

const off = 'none'
const spread = {
  'repo.code': 'write',
  'repo.issues': 'read',
  'repo.wiki': 'admin',
  'repo.pulls': off,
} as const

// Modes on each unit of a private repository.
const onEachUnit: [string, Caller, AccessMode, Partial<Record<Unit, AccessMode>>][] = [
  ['a team has only the modes that it was granted', inTeam(team('write', spread)), off, spread],
  ['a team without units has no access', inTeam(team('write')), off, {}],
  [
    'an admin team has admin on every unit, regardless of its unit modes',
    inTeam(team('admin', spread)),
    'admin',
    everyUnit('admin'),
  ],
  ['a collaborator has their mode on every unit', collaborator('write'), 'write', everyUnit('write')],
  [
    'an organization owner has the mode owner on every unit',
    callers['organization owner'],
    'owner',
    everyUnit('owner'),
  ],
  ['external wikis and issue trackers can only be read', callers['site admin'], 'owner', everyUnit('owner')],
  [
    'external wikis can only be read, even with write granted to a team',
    inTeam(team('read', { 'repo.ext_wiki': 'write' })),
    off,
    { 'repo.ext_wiki': 'read' },
  ],
  [
    'the highest mode applies among several teams and a collaboration',
    {
      subject: person,
      facts: {
        isMember: true,
        collaborator: 'read',
        teams: [
          team('write', { 'repo.code': 'write', 'repo.wiki': off }),
          { team: { id: 6, name: 'writers' }, mode: 'read', units: { 'repo.wiki': 'admin' } },
        ],
      },
    },
    'read',
    { ...everyUnit('read'), 'repo.code': 'write', 'repo.wiki': 'admin' },
  ],
]

describe('decideRepositoryAccess on each unit of a private repository', () => {
  it.each(onEachUnit)('%s', (_, caller, mode, modes) => {
    const access = decide(caller)
    expect(access.mode).toBe(mode)
    expect(Object.fromEntries(units.map(unit => [unit, access.units[unit].mode]))).toEqual({
      ...everyUnit('none'),
      ...modes,
    })
  })

  it('returns the ID and name of the team if a team grants the access', () => {
    const { reasons } = decide(callers['team with write on the code']).units['repo.code']
    expect(reasons).toEqual([{ source: 'team', mode: 'write', team: { id: 5, name: 'builders' } }])
  })
})

it('decideRepositoryAccess grants everyone read access to every unit of a public repository', () => {
  for (const unit of units) expect(decided(callers.outsider, unit, false)).toBe('public read')
})

describe('maySeeRepository for a private repository', () => {
  const knows: Record<Name, boolean> = {
    anonymous: false,
    outsider: false,
    'restricted outsider': false,
    'outsider with a public-only token': false,
    'organization member': false,
    'restricted member': false,
    'team with none on the code': false,
    'team with read on the code': true,
    'team with write on the code': true,
    'team with admin on the code': true,
    'team without the code': true,
    'admin team': true,
    'restricted, in a team with write': true,
    'team with write, public-only token': false,
    'organization owner': true,
    'organization owner, public-only token': false,
    'collaborator to read': true,
    'collaborator to write': true,
    'collaborator to administer': true,
    'restricted collaborator': true,
    'collaborator, public-only token': false,
    'repository owner': true,
    'site admin': true,
    'site admin, public-only token': false,
  }
  it.each(Object.entries(knows) as [Name, boolean][])('for the subject "%s", returns %s', (name, sees) => {
    expect(maySeeRepository(decide(callers[name]))).toBe(sees)
  })
})

describe('a job', () => {
  const units = { 'repo.code': 'write', 'repo.actions': 'read' } as const
  const subject: Subject = { kind: 'anonymous', job: { repositoryId: 1, units, actor: null } }
  const facts: RepositoryFacts = {
    isPrivate: true,
    owner: personalOwner('public'),
    isMember: false,
    isOrganizationOwner: false,
    teams: [],
    collaborator: undefined,
  }
  const limitedTo = (mode: AccessMode) =>
    decideRepositoryAccess(person, { ...facts, collaborator: mode === 'none' ? undefined : mode })
  const modesOf = (job: RepositoryFacts['job'], change: Partial<RepositoryFacts> = {}) => {
    const { units: granted, mode, ofJob } = decideRepositoryAccess(subject, { ...facts, job, ...change })
    return [granted['repo.code'].mode, granted['repo.actions'].mode, granted['repo.wiki'].mode, mode, ofJob]
  }

  it('has on each unit of its repository what its token is allowed, up to the access of the person', () => {
    expect(modesOf({ units, limit: null })).toEqual(['write', 'read', 'none', 'read', 'own'])
    expect(modesOf({ units, limit: limitedTo('admin') })).toEqual(['write', 'read', 'none', 'read', 'own'])
    expect(modesOf({ units, limit: limitedTo('read') })).toEqual(['read', 'read', 'none', 'read', 'own'])
  })

  it('does not see its private repository if the person does not, but sees it without any permission', () => {
    expect(modesOf({ units, limit: limitedTo('none') })).toEqual(['none', 'none', 'none', 'none', 'own'])
    expect(modesOf({ units: {}, limit: null })).toEqual(['none', 'none', 'none', 'read', 'own'])
  })

  it('reads every unit of a public repository, its own or another', () => {
    for (const job of [{ units: {}, limit: null }, undefined]) {
      const modes = modesOf(job, { isPrivate: false })
      expect(modes).toEqual(['read', 'read', 'read', 'read', job ? 'own' : 'other'])
    }
  })
})
