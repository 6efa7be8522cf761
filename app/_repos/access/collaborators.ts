import type { Page } from '@/server/kernel/pagination'
import type { AccessMode } from '@/server/kernel/permissions/access-mode'
import type { AccessExplanation } from '@/server/repos/schema'
import type { User } from '@/server/users/schema'

/** What a collaborator can be given. */
export const givenModes = ['read', 'write', 'admin'] as const
export type GivenMode = (typeof givenModes)[number]

export const givenWords: Record<GivenMode, string> = { read: 'Read', write: 'Write', admin: 'Admin' }

export interface Collaborator {
  user: User
  mode: AccessMode
}

/** The list of collaborators does not tell what each was given; the explanation of their access does. */
export async function withModes(
  people: Page<User>,
  explain: (username: string) => Promise<AccessExplanation>,
): Promise<Page<Collaborator>> {
  const items = await Promise.all(
    people.items.map(async user => ({ user, mode: givenIn(await explain(user.login)) })),
  )
  return { ...people, items }
}

function givenIn({ units }: AccessExplanation): AccessMode {
  const reasons = units.flatMap(unit => unit.reasons)
  return reasons.find(reason => reason.source === 'collaborator')?.mode ?? 'none'
}
