import type { ListUsersInput } from '@/server/users/schema'

/** Whom the list of accounts can be narrowed to, everybody first. */
export const shows = [
  { value: 'all', label: 'Everybody', filter: {} },
  { value: 'active', label: 'Active', filter: { is_active: true, is_prohibit_login: false } },
  { value: 'inactive', label: 'Not activated', filter: { is_active: false } },
  { value: 'disabled', label: 'Disabled', filter: { is_prohibit_login: true } },
  { value: 'administrators', label: 'Administrators', filter: { is_admin: true } },
  { value: 'restricted', label: 'Restricted', filter: { is_restricted: true } },
] as const

/** The orders it can have, the usual one first. */
export const orders = [
  { value: 'oldest', label: 'Oldest', order: { sort: 'created', order: 'asc' } },
  { value: 'newest', label: 'Newest', order: { sort: 'created', order: 'desc' } },
  { value: 'name', label: 'Name', order: { sort: 'name', order: 'asc' } },
  { value: 'signed-in', label: 'Last signed in', order: { sort: 'last_login', order: 'desc' } },
] as const

/** What an address asks of the list. */
export interface UserChoice {
  q: string
  show: (typeof shows)[number]['value']
  sort: (typeof orders)[number]['value']
  page: number
}

/** The usual ones stand in for any text that is none of them. */
export function userChoice(
  asked: Pick<UserChoice, 'q' | 'page'> & { show: string; sort: string },
): UserChoice {
  return { ...asked, show: chosen(shows, asked.show).value, sort: chosen(orders, asked.sort).value }
}

/** What the list of accounts is called with for it. */
export function userListInput({ q, show, sort, page }: UserChoice): Partial<ListUsersInput> {
  return { q, page, ...chosen(shows, show).filter, ...chosen(orders, sort).order }
}

function chosen<const Choices extends readonly [Choice, ...Choice[]]>(
  choices: Choices,
  value: string,
): Choices[number] {
  return choices.find(choice => choice.value === value) ?? choices[0]
}

interface Choice {
  value: string
}
