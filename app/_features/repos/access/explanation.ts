import { type AccessMode, atLeast } from '@/server/access/access-mode'
import type { Unit } from '@/server/access/units'
import type { AccessExplanation } from '@/server/repos/schema'
import { type AccessReason, type ExplainedRepository, modeLabel, reasonLabel } from './access-labels'

type UnitAccess = AccessExplanation['units'][number]

/** Parts of a repository to which someone has the same access for the same reasons. */
export type AccessGroup = Omit<UnitAccess, 'unit'> & { units: [Unit, ...Unit[]] }

/** Groups parts with the same access and the same reasons. Groups are in the order of their first parts. */
export function groupByAccess(accesses: readonly UnitAccess[]): AccessGroup[] {
  const groups = new Map<string, AccessGroup>()
  for (const { unit, mode, reasons } of accesses) {
    const key = JSON.stringify([mode, reasons])
    const group = groups.get(key)
    if (group) group.units.push(unit)
    else groups.set(key, { units: [unit], mode, reasons })
  }
  return [...groups.values()]
}

interface PushAnswer {
  can: boolean
  sentence: string
}

/**
 * Describes in one sentence whether someone can push, and why. The server has made the decision; this only
 * words it.
 */
export function pushAnswer(
  { user, push, units }: AccessExplanation,
  subject: ExplainedRepository,
  isOwn = false,
): PushAnswer {
  const who = isOwn ? 'You' : user.login
  const they = isOwn ? 'you' : 'they'
  const code = units.find(({ unit }) => unit === 'repo.code')
  const mode = code?.mode ?? 'none'
  const reasons = code?.reasons ?? []
  const no = (why: string): PushAnswer => ({ can: false, sentence: `${who} can’t push: ${why}.` })

  switch (push.reason) {
    case null:
      return { can: true, sentence: `${who} can push: ${list(reasons, 'write', subject)}.` }
    case 'access':
      return mode === 'none'
        ? no(`${they} have no access to the code`)
        : no(`${they} have only ${modeLabel(mode)} access to the code (${list(reasons, mode, subject)})`)
    case 'account':
      return no(accountText[push.account ?? 'locked'])
    case 'archived':
      return no('the repository is archived and read-only')
  }
}

const accountText: Record<NonNullable<AccessExplanation['push']['account']>, string> = {
  locked: 'the account is locked',
  inactive: 'the account hasn’t been activated yet',
  passwordDue: 'the account’s password must be changed first',
}

/** Lists the reasons that grant at least the needed mode, separated by semicolons. */
function list(reasons: readonly AccessReason[], needed: AccessMode, subject: ExplainedRepository): string {
  return reasons
    .filter(reason => atLeast(reason.mode, needed))
    .map(reason => reasonLabel(reason, subject))
    .join('; ')
}
