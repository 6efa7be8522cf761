import { visibleLine } from '@/app/_lib/visible-text'
import type { TokenScope } from '@/server/actions/permissions/schema'

/** Says what the token of a job can do, why as far as it was not granted that, and what has no effect. */
export function tokenText(token: readonly TokenScope[]): string {
  const noted = (note: TokenScope['note']): string[] =>
    token.filter(each => each.note === note).map(({ scope, access }) => visibleLine(`${scope}: ${access}`))
  const [granted, open, idle] = [noted(null), noted('public'), noted('no_effect')]
  return [
    ...(granted.length > 0 ? [list(granted)] : []),
    ...(open.length > 0 ? [`${list(open)} because the repository is public`] : []),
    ...(granted.length + open.length === 0 ? ['No access'] : []),
    ...(idle.length > 0 ? [`${list(idle)} ${idle.length > 1 ? 'have' : 'has'} no effect here`] : []),
  ].join('; ')
}

const list = (words: readonly string[]): string => words.join(', ')
