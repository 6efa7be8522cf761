import { type AccessMode, atLeast } from '@/server/access/access-mode'
import type { Unit } from '@/server/access/units'
import type { AccessExplanation } from '@/server/repos/schema'
import { type AccessReason, type ExplainedRepository, modeLabel, reasonLabel } from './access-labels'

type UnitAccess = AccessExplanation['units'][number]

/** Parts of a repository on which somebody has the same rights for the same reasons. */
export type AccessGroup = Omit<UnitAccess, 'unit'> & { units: [Unit, ...Unit[]] }

/** Puts together the parts that need no telling apart, in the order of their first. */
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

/** Whether somebody can push, and why, in one line: the server decides, this finds the words. */
export function pushAnswer(
  { user, push, units }: AccessExplanation,
  subject: ExplainedRepository,
  isOwn = false,
): PushAnswer {
  const who = isOwn ? 'You' : user.login
  const code = units.find(({ unit }) => unit === 'repo.code')
  const mode = code?.mode ?? 'none'
  const reasons = code?.reasons ?? []
  const no = (why: string): PushAnswer => ({ can: false, sentence: `${who} cannot push: ${why}.` })

  switch (push.reason) {
    case null:
      return { can: true, sentence: `${who} can push: ${list(reasons, 'write', subject)}.` }
    case 'access':
      return mode === 'none'
        ? no('nothing gives access to the code')
        : no(`the highest right on the code is ${modeLabel(mode)} (${list(reasons, mode, subject)})`)
    case 'account':
      return no(accountText[push.account ?? 'locked'])
    case 'archived':
      return no('the repository is archived, so nobody can')
  }
}

const accountText: Record<NonNullable<AccessExplanation['push']['account']>, string> = {
  locked: 'the account is locked',
  inactive: 'the account is not activated yet',
  passwordDue: 'the password must be changed first',
}

/** All grounds that give at least this much. */
function list(reasons: readonly AccessReason[], needed: AccessMode, subject: ExplainedRepository): string {
  return reasons
    .filter(reason => atLeast(reason.mode, needed))
    .map(reason => reasonLabel(reason, subject))
    .join('; ')
}
