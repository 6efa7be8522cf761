import { categoriesInUse, type Scope, type ScopeLevel } from '@/server/kernel/auth/scopes'
import type { OfferedCategory } from './scope-labels'

export type Choice = 'none' | ScopeLevel
export type Choices = Record<OfferedCategory, Choice>

export interface Permissions {
  full: boolean
  publicOnly: boolean
  choices: Choices
}

const nothing: Choices = { repository: 'none', user: 'none', organization: 'none', admin: 'none' }

/** One choice for these parts, and nothing of the others. */
export const sameForAll = (categories: readonly OfferedCategory[], choice: Choice): Choices => ({
  ...nothing,
  ...Object.fromEntries(categories.map(category => [category, choice])),
})

export const noPermissions: Permissions = { full: false, publicOnly: false, choices: nothing }

/** The words the server knows for what was ticked; empty when that is nothing. */
export function chosenScopes({ full, publicOnly, choices }: Permissions): Scope[] {
  const reach: Scope[] = full
    ? ['all']
    : categoriesInUse.flatMap(category => {
        const choice = choices[category]
        return choice === 'none' ? [] : [`${choice}:${category}` as const]
      })
  return publicOnly && reach.length > 0 ? ['public-only', ...reach] : reach
}
