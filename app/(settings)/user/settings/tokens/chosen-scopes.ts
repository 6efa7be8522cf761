import type { Scope, ScopeCategory, ScopeLevel } from '@/server/kernel/auth/scopes'
import { categoryOrder } from './scope-words'

export type Choice = 'none' | ScopeLevel
export type Choices = Record<ScopeCategory, Choice>

export interface Permissions {
  full: boolean
  publicOnly: boolean
  choices: Choices
}

export const sameForAll = (choice: Choice): Choices =>
  Object.fromEntries(categoryOrder.map(category => [category, choice])) as Choices

export const noPermissions: Permissions = { full: false, publicOnly: false, choices: sameForAll('none') }

/** The words the server knows for what was ticked; empty when that is nothing. */
export function chosenScopes({ full, publicOnly, choices }: Permissions): Scope[] {
  const reach: Scope[] = full
    ? ['all']
    : categoryOrder.flatMap(category => {
        const choice = choices[category]
        return choice === 'none' ? [] : [`${choice}:${category}` as const]
      })
  return publicOnly && reach.length > 0 ? ['public-only', ...reach] : reach
}
